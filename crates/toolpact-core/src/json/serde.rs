//! Conversion to and from serde's data model.
//!
//! Serde recurses once per level of nesting, so nesting is bounded here whatever the limits of the
//! reader were. [`Value::text`] has no such bound.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};

use super::{Kind, Limits, Node, Value, Whole, Writer};
use crate::Violations;

/// The deepest nesting that is converted through serde.
const DEPTH: usize = 128;

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NodeAtDepth {
            node: self.root(),
            depth: 0,
        }
        .serialize(serializer)
    }
}

struct NodeAtDepth<'a> {
    node: Node<'a>,
    depth: usize,
}

impl Serialize for NodeAtDepth<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NodeAtDepth { node, depth } = *self;
        if depth > DEPTH {
            return Err(S::Error::custom(format!(
                "nested deeper than {DEPTH} levels"
            )));
        }
        let child = |node| NodeAtDepth {
            node,
            depth: depth + 1,
        };
        match node.kind() {
            Kind::Null => serializer.serialize_unit(),
            Kind::Bool => serializer.serialize_bool(node.text() == "true"),
            Kind::Number => number(node, serializer),
            Kind::String => serializer.serialize_str(&node.as_str().unwrap_or_default()),
            Kind::Array => {
                let mut seq = serializer.serialize_seq(None)?;
                node.items()
                    .try_for_each(|item| seq.serialize_element(&child(item)))?;
                seq.end()
            }
            Kind::Object => {
                let mut map = serializer.serialize_map(None)?;
                for (key, value) in node.members() {
                    map.serialize_entry(&key, &child(value))?;
                }
                map.end()
            }
        }
    }
}

/// Integers written as integers stay integers, up to what serde can carry, and so do whole numbers
/// that a float cannot represent: `9007199254740993.0`.
fn number<S: Serializer>(node: Node<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(number) = node.as_number() else {
        return serializer.serialize_unit();
    };
    let spelled_whole = !number.text().contains(['.', 'e', 'E']);
    let beyond_floats = |integer: i64| integer.unsigned_abs() > 1 << f64::MANTISSA_DIGITS;
    match number.whole() {
        Whole::Integer(integer) if spelled_whole || beyond_floats(integer) => {
            serializer.serialize_i64(integer)
        }
        _ => match number.text().parse::<u64>() {
            Ok(integer) => serializer.serialize_u64(integer),
            Err(_) => serializer.serialize_f64(number.as_f64()),
        },
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut writer = Writer::default();
        Into {
            writer: &mut writer,
            depth: 0,
        }
        .deserialize(deserializer)?;
        Self::from_json(writer.finish()).map_err(D::Error::custom)
    }
}

/// Writes what is serialized as JSON, and refuses what the JSON reader would refuse.
struct Into<'w> {
    writer: &'w mut Writer,
    depth: usize,
}

impl Into<'_> {
    fn child(&mut self) -> Into<'_> {
        Into {
            writer: self.writer,
            depth: self.depth + 1,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Into<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth > DEPTH {
            return Err(D::Error::custom(format!(
                "nested deeper than {DEPTH} levels"
            )));
        }
        deserializer.deserialize_any(self)
    }
}

macro_rules! integers {
    ($($method:ident($type:ty))*) => {$(
        fn $method<E>(self, value: $type) -> Result<(), E> {
            self.writer.raw(&value.to_string());
            Ok(())
        }
    )*};
}

impl<'de> Visitor<'de> for Into<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.writer.raw("null");
        Ok(())
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<(), D::Error> {
        self.deserialize(inner)
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.writer.raw(if value { "true" } else { "false" });
        Ok(())
    }

    integers! { visit_i64(i64) visit_u64(u64) visit_i128(i128) visit_u128(u128) }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        if !value.is_finite() {
            return Err(E::custom("expected a finite number"));
        }
        // `{:?}` is the shortest text that parses back to the same float.
        self.writer.raw(&format!("{value:?}"));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.writer.string(value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        self.writer.begin_array();
        while seq.next_element_seed(self.child())?.is_some() {}
        self.writer.end_array();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        self.writer.begin_object();
        while let Some(key) = map.next_key::<String>()? {
            self.writer.key(&key);
            map.next_value_seed(self.child())?;
            if let Some(key) = seen.replace(key) {
                let key = crate::text::shorten(&key);
                return Err(A::Error::custom(format!("duplicate key `{key}`")));
            }
        }
        self.writer.end_object();
        Ok(())
    }
}

/// Exact: integers keep every digit that `serde_json` kept.
impl TryFrom<&serde_json::Value> for Value {
    type Error = Violations;

    fn try_from(value: &serde_json::Value) -> Result<Self, Violations> {
        Self::from_json_within(value.to_string(), &Limits::default())
    }
}

macro_rules! from_scalar {
    ($($type:ty: |$value:ident, $writer:ident| $write:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                let mut $writer = Writer::default();
                $write;
                Self::trusted($writer)
            }
        }
    )*};
}

from_scalar! {
    (): |_value, writer| writer.raw("null");
    bool: |value, writer| writer.raw(if value { "true" } else { "false" });
    i64: |value, writer| writer.raw(&value.to_string());
    i32: |value, writer| writer.raw(&value.to_string());
    u32: |value, writer| writer.raw(&value.to_string());
    u64: |value, writer| writer.raw(&value.to_string());
    &str: |value, writer| writer.string(value);
    String: |value, writer| writer.string(&value);
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn through_serde_and_back() {
        let text = r#"{"a":[1,-2.5,9223372036854775807,18446744073709551615,1e300],"b":{"c":null,"d":true},"e":"\n\u0000é"}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(value, Value::from_json(text).unwrap());
        let again = serde_json::to_string(&value).unwrap();
        assert_eq!(value, Value::from_json(again).unwrap());
    }

    #[test]
    fn refuses_what_the_reader_refuses() {
        let duplicate = serde_json::from_str::<Value>(r#"{"a":1,"\u0061":2}"#).unwrap_err();
        assert!(
            duplicate.to_string().starts_with("duplicate key `a`"),
            "{duplicate}"
        );
        let float = serde::de::value::F64Deserializer::<serde_json::Error>::new(f64::NAN);
        assert!(<Value as serde::Deserialize>::deserialize(float).is_err());
    }

    #[test]
    fn deep_values_do_not_overflow_the_stack() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let limits = crate::json::Limits::default().depth(usize::MAX);
        let value = Value::from_json_within(&deep, &limits).unwrap();
        assert!(serde_json::to_string(&value).is_err());
        assert_eq!(value.to_canonical(), deep);
        assert!(value.deserialize::<serde_json::Value>().is_err());
    }
}
