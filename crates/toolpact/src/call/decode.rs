//! Decodes checked arguments for the body of a tool.

use serde::de::DeserializeOwned;
use toolpact_core::json::Value;
use toolpact_core::returns::ErrorKind;

use super::Arguments;
use crate::ToolError;

/// As their type, with whole numbers as integers however they are spelled: `3.0` can be an `i64`. The
/// type can still refuse what its schema allows.
pub(crate) fn typed<I: DeserializeOwned>(args: &[u8]) -> Result<I, ToolError> {
    let text = std::str::from_utf8(args)?;
    serde_json::from_str(text).or_else(|_| typed_slowly(text))
}

/// As JSON, with every integer spelled as one.
pub(crate) fn untyped(args: &Arguments<'_>) -> Result<Value, ToolError> {
    match args {
        Arguments::Json(args) => Ok(Value::from_json(args)?.with_integers()),
        Arguments::Value(_) => {
            Err(ToolError::new(ErrorKind::Internal, "").with_source("expected arguments as JSON"))
        }
    }
}

/// The slow way: integers are spelled as such first, and the place of a mistake is known.
#[cold]
fn typed_slowly<I: DeserializeOwned>(args: &str) -> Result<I, ToolError> {
    let args = Value::from_json(args)?.with_integers();
    let mut reader = serde_json::Deserializer::from_str(args.text());
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let place = match error.path().to_string().as_str() {
            "." => String::new(),
            path => format!("`{path}`: "),
        };
        ToolError::invalid(format!("{place}{}", error.inner()))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Debug;

    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Order {
        count: i64,
        price: f64,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Integer(i64),
        Float(f64),
        List(Vec<Loose>),
    }

    #[derive(Debug, PartialEq, Deserialize)]
    enum Shape {
        Circle(u8),
        Box { width: u32 },
    }

    fn reads<T: DeserializeOwned + PartialEq + Debug>(json: &str, expected: T) {
        assert_eq!(typed::<T>(json.as_bytes()).ok(), Some(expected), "{json}");
    }

    #[track_caller]
    fn refuses<T: DeserializeOwned + Debug>(json: &str) -> String {
        typed::<T>(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn whole_numbers_are_integers_however_they_are_spelled() {
        reads("2.0", 2_u8);
        reads("-0", 0_i64);
        reads("-1e3", -1000_i64);
        reads("[1, 2.0, 3e0]", vec![1_u8, 2, 3]);
        reads(r#"{"Circle": 1.0}"#, Shape::Circle(1));
        reads(r#"{"Box": {"width": 3.0}}"#, Shape::Box { width: 3 });
        let order = Order {
            count: 3,
            price: 2.0,
        };
        reads(r#"{"count": 3.0, "price": 2}"#, order);
        for fraction in ["1.5", "1e-3"] {
            refuses::<i64>(fraction);
        }
        for large in ["256", "2.56e2", "-1"] {
            refuses::<u8>(large);
        }
    }

    #[test]
    fn large_integers_are_exact() {
        reads("9007199254740993", 9_007_199_254_740_993_i64);
        reads("9007199254740993.0", 9_007_199_254_740_993_i64);
        reads("9.223372036854775807e18", i64::MAX);
        reads("18446744073709551615", u64::MAX);
        reads("340282366920938463463374607431768211455", u128::MAX);
        refuses::<u64>("18446744073709551616");
        reads("123456789012345678901234567890", 1.234_567_890_123_456_8e29);
    }

    #[test]
    fn fractions_stay_what_they_are() {
        reads("0.1", 0.1_f64);
        reads("5e-324", 5e-324_f64);
        reads("1", 1.0_f32);
        refuses::<f32>("1e300");
        reads("3.0", Loose::Float(3.0));
        let list = vec![Loose::Integer(1), Loose::Float(2.5)];
        reads("[1, 2.5]", Loose::List(list));
        reads("[1.0, -0.0]", json!([1.0, -0.0]));
    }

    #[test]
    fn keys_may_be_numbers() {
        reads(
            r#"{"-3": null, "7": 1.0}"#,
            BTreeMap::from([(-3, None), (7, Some(1_u8))]),
        );
        refuses::<BTreeMap<u8, u8>>(r#"{"256": 1}"#);
    }

    #[test]
    fn the_place_of_a_mistake_is_named() {
        let error = refuses::<Vec<Order>>(r#"[{"count": 1, "price": 1}, {"count": "x"}]"#);
        assert!(
            error.contains("`[1].count`: invalid type: string"),
            "{error}"
        );
        let error = refuses::<u8>("\"x\"");
        assert!(!error.contains('`'), "{error}");
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(typed::<Value>(nested(127).as_bytes()).is_ok());
        refuses::<Value>(&nested(100_000));
    }
}
