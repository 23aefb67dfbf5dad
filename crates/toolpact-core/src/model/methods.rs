//! What all documents of the model can do, written once.

use crate::json::report::Report;
use crate::json::{Node, Writer};

/// A structure of the model.
pub(crate) trait Model: Sized {
    /// Reads it and reports everything that is wrong. `None` only after reporting an error.
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self>;

    /// Writes it, leaving out what is absent.
    fn write(&self, writer: &mut Writer, form: Form);
}

/// Two ways to write a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it was given.
    Faithful,
    /// Without everything that makes no difference.
    Canonical,
}

/// The public methods of a [`Model`].
macro_rules! document_methods {
    ($type:ident) => {
        impl $type {
            /// Reads it from JSON, within the default [`Limits`](crate::json::Limits).
            pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, $crate::Violations> {
                Self::from_json_within(text, &$crate::json::Limits::default())
            }

            /// Reads it from JSON, within limits of your own.
            pub fn from_json_within(
                text: impl AsRef<[u8]>,
                limits: &$crate::json::Limits,
            ) -> Result<Self, $crate::Violations> {
                Self::check(&$crate::json::Document::json(text.as_ref(), limits)).into_result()
            }

            /// Reads it from a document, with every error and warning in place.
            #[must_use]
            pub fn check(document: &$crate::json::Document) -> $crate::violation::Checked<Self> {
                document.check(<Self as $crate::model::Model>::read)
            }

            /// Reads it from a value.
            pub fn from_value(value: &$crate::json::Value) -> Result<Self, $crate::Violations> {
                use $crate::json::report::Report;
                let limit = $crate::json::Limits::default().violations;
                let mut report = Report::new(limit);
                let read = <Self as $crate::model::Model>::read(value.root(), &mut report);
                read.filter(|_| report.errors() == 0)
                    .ok_or_else(|| report.finish_value(value, &$crate::Pointer::root()))
            }

            /// Writes it as compact JSON. What is absent is left out.
            #[must_use]
            pub fn to_json(&self) -> String {
                self.written($crate::model::Form::Faithful).finish()
            }

            /// The same as a value.
            #[must_use]
            pub fn to_value(&self) -> $crate::json::Value {
                $crate::json::Value::trusted(self.written($crate::model::Form::Faithful))
            }

            /// The one text that all spellings of it share: RFC 8785, integers exact, an empty
            /// `required` left out and the others sorted.
            #[must_use]
            pub fn to_canonical(&self) -> String {
                $crate::json::Value::trusted(self.written($crate::model::Form::Canonical))
                    .to_canonical()
            }

            /// SHA-256 of the canonical form.
            #[must_use]
            pub fn digest(&self) -> $crate::model::Digest {
                $crate::model::Digest::of(self.to_canonical().as_bytes())
            }

            fn written(&self, form: $crate::model::Form) -> $crate::json::Writer {
                let mut writer = $crate::json::Writer::default();
                $crate::model::Model::write(self, &mut writer, form);
                writer
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_value().serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let value = <$crate::json::Value as serde::Deserialize>::deserialize(input)?;
                Self::from_value(&value).map_err(serde::de::Error::custom)
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::Violations;

            fn from_str(text: &str) -> Result<Self, $crate::Violations> {
                Self::from_json(text)
            }
        }

        /// Equal if they mean the same: by canonical form.
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.to_canonical() == other.to_canonical()
            }
        }

        impl Eq for $type {}

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($type), "({})"), self.to_json())
            }
        }
    };
}

pub(crate) use document_methods;
