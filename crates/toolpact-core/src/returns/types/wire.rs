//! What all the types have in common.

/// Reading, writing and the schema of a type that has `read`, `wire` and `refinements`.
macro_rules! standard_result {
    ($type:ident $(<$param:ident>)?) => {
        impl$(<$param: serde::Serialize + serde::de::DeserializeOwned>)?
            $crate::returns::types::StandardResult for $type$(<$param>)?
        {
            const STANDARD: $crate::returns::StandardType =
                $crate::returns::StandardType::$type;

            fn from_value(
                value: &$crate::json::Value,
            ) -> Result<Self, $crate::Error> {
                $crate::returns::types::wire::read($crate::returns::StandardType::$type, value, Self::read)
            }
        }

        impl$(<$param: serde::Serialize>)? serde::Serialize for $type$(<$param>)? {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&self.wire(), serializer)
            }
        }

        impl<'de $(, $param: serde::de::DeserializeOwned)?> serde::Deserialize<'de>
            for $type$(<$param>)?
        {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let value = <$crate::json::Value as serde::Deserialize>::deserialize(input)?;
                $crate::returns::types::wire::read($crate::returns::StandardType::$type, &value, Self::read)
                    .map_err(serde::de::Error::custom)
            }
        }

        impl$(<$param: schemars::JsonSchema>)? schemars::JsonSchema for $type$(<$param>)? {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                concat!(stringify!($type) $(, "_of_{", stringify!($param), "}")?)
                    $(.replace(concat!("{", stringify!($param), "}"), &$param::schema_name()))?
                    .into()
            }

            fn schema_id() -> std::borrow::Cow<'static, str> {
                concat!("toolpact_core::", stringify!($type) $(, "<{", stringify!($param), "}>")?)
                    $(.replace(concat!("{", stringify!($param), "}"), &$param::schema_id()))?
                    .into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let refinements = Self::refinements(generator);
                $crate::returns::types::refine::refined(
                    $crate::returns::StandardType::$type,
                    refinements,
                )
            }
        }
    };
}

pub(super) use standard_result;

use super::result_node::ResultNode;
use crate::json::Value;
use crate::returns::level::checked;
use crate::returns::{StandardType, meaning};
use crate::{Error, Severity};

/// Reads a value that has the shape of its type, and checks the rules of meaning.
pub(super) fn read<T>(
    standard: StandardType,
    value: &Value,
    read: impl FnOnce(&ResultNode<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let result = read(&ResultNode::root(value))?;
    let checked = checked(value, |node, report| meaning::check(standard, node, report));
    let Err(violations) = checked else {
        return Ok(result);
    };
    let mut errors = violations
        .iter()
        .filter(|v| v.severity() == Severity::Error);
    match errors.next() {
        Some(error) => Err(Error::new(error.pointer().clone(), error.message())),
        None => Ok(result),
    }
}
