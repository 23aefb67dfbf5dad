//! Values that are text outside and something better inside.

mod cents;
mod day;
mod number;
mod sku;
mod status;

pub(crate) use cents::{CURRENCY, Cents};
pub(crate) use day::{Day, Month, now};
pub(crate) use number::{CustomerId, OperationId, OrderId};
pub(crate) use sku::Sku;
pub(crate) use status::Status;

use std::fmt;

/// A text that is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable {
    expected: &'static str,
}

impl Unreadable {
    pub(crate) const fn expected(expected: &'static str) -> Self {
        Self { expected }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl std::error::Error for Unreadable {}

/// What a tool needs of a type that has `Display` and `FromStr`: it is written and read as text, and
/// its schema tells callers how that text looks before they try.
macro_rules! as_text {
    ($type:ident, $schema:expr) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(input)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}

pub(crate) use as_text;
