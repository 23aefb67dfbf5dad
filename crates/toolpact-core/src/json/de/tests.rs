//! The deserializer against `serde_json`, which is the reference.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::from_valid;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Everything {
    text: String,
    letter: char,
    small: i8,
    large: u64,
    float: f64,
    yes: bool,
    maybe: Option<Box<Everything>>,
    list: Vec<(u8, String)>,
    numbers: BTreeMap<i32, Option<f32>>,
    kinds: BTreeMap<Kind, u8>,
    kind: Kind,
    shape: Vec<Shape>,
    tagged: Tagged,
    loose: Loose,
    unit: (),
    #[serde(default)]
    absent: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Kind {
    One,
    Two,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Point,
    Circle(f64),
    Line(i64, i64),
    Box { width: u32, height: u32 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    A { n: i64 },
    B { f: f64, s: String },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Loose {
    Number(f64),
    Text(String),
    List(Vec<Loose>),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Borrowed<'a> {
    name: &'a str,
    #[serde(borrow)]
    other: Cow<'a, str>,
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "any value will do"
)]
fn everything(inner: Option<Box<Everything>>, text: String, n: i64, f: f64) -> Everything {
    Everything {
        letter: text.chars().next().unwrap_or('x'),
        small: n as i8,
        large: n as u64,
        float: f,
        yes: n % 2 == 0,
        maybe: inner,
        list: vec![(n as u8, text.clone()), (0, String::new())],
        numbers: [(n as i32, Some(1.5)), (0, None)].into(),
        kinds: [(Kind::One, 1), (Kind::Two, 2)].into(),
        kind: if n % 3 == 0 { Kind::One } else { Kind::Two },
        shape: vec![
            Shape::Point,
            Shape::Circle(f),
            Shape::Line(n, -n.saturating_abs()),
            Shape::Box {
                width: n as u32,
                height: 0,
            },
        ],
        tagged: match n % 2 {
            0 => Tagged::A { n },
            _ => Tagged::B { f, s: text.clone() },
        },
        loose: Loose::List(vec![
            Loose::Number(f),
            Loose::Text(text.clone()),
            Loose::List(vec![]),
        ]),
        unit: (),
        absent: 0,
        text,
    }
}

fn same<T: DeserializeOwned + PartialEq + Debug>(json: &str) {
    let expected: Option<T> = serde_json::from_str(json).ok();
    assert_eq!(from_valid::<T>(json).ok(), expected, "{json}");
}

proptest! {
    #[test]
    fn typed(text in any::<String>(), n in any::<i64>(), f in proptest::num::f64::NORMAL, pretty in any::<bool>()) {
        let inner = everything(None, text.clone(), n / 3, f / 2.0);
        let value = everything(Some(Box::new(inner)), text, n, f);
        let json = match pretty {
            true => serde_json::to_string_pretty(&value).unwrap(),
            false => serde_json::to_string(&value).unwrap(),
        };
        prop_assert_eq!(from_valid::<Everything>(&json).unwrap(), value);
        same::<serde_json::Value>(&json);
    }

    /// Valid or not, no text causes a panic.
    #[test]
    fn anything(json in "[\\[\\]{}:,\"\\\\a0-9.eE+ tfnulrs-]{0,40}") {
        drop(from_valid::<serde_json::Value>(&json));
        drop(from_valid::<Everything>(&json));
        drop(from_valid::<Vec<Shape>>(&json));
        drop(from_valid::<BTreeMap<i32, f32>>(&json));
    }
}

#[test]
fn numbers() {
    for json in [
        "0",
        "-0",
        "1",
        "255",
        "256",
        "-1",
        "1.5",
        "1e2",
        "1E-2",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1e300",
        "-1e-300",
        "123456789012345678901234567890",
        "0.1",
        "5e-324",
    ] {
        same::<f64>(json);
        same::<f32>(json);
        same::<serde_json::Value>(json);
        // `serde_json` reads `-0` as a float.
        if !json.contains(['.', 'e', 'E']) && json != "-0" {
            same::<u8>(json);
            same::<i64>(json);
            same::<u64>(json);
        }
    }
    assert_eq!(from_valid::<u8>("2.0").unwrap(), 2);
    assert_eq!(from_valid::<i64>("-1e3").unwrap(), -1000);
    assert!(from_valid::<i64>("1.5").is_err());
    assert!(from_valid::<u8>("2.56e2").is_err());
}

#[test]
fn wrong_types() {
    for json in [
        "1",
        "\"a\"",
        "null",
        "true",
        "[1]",
        "{\"a\":1}",
        "[[1,2],3]",
    ] {
        same::<i32>(json);
        same::<String>(json);
        same::<bool>(json);
        same::<Option<bool>>(json);
        same::<Vec<u8>>(json);
        same::<(u8,)>(json);
        same::<[u8; 2]>(json);
        same::<BTreeMap<String, u8>>(json);
        same::<Kind>(json);
        same::<Shape>(json);
        same::<()>(json);
    }
    let error = from_valid::<Vec<u8>>(r#"["x"]"#).unwrap_err().to_string();
    assert_eq!(error, "invalid type: a string, expected u8");
}

#[test]
fn borrowed() {
    let json = r#"{"name":"ada","other":"l\u0069ne\n"}"#;
    let borrowed: Borrowed<'_> = from_valid(json).unwrap();
    assert_eq!(borrowed.name, "ada");
    assert_eq!(borrowed.other, "line\n");
}

#[test]
fn deep() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(from_valid::<serde_json::Value>(&nested(127)).is_ok());
    assert!(from_valid::<serde_json::Value>(&nested(100_000)).is_err());
}
