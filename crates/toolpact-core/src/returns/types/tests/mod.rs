//! Each type, against the standard schema, its own schema and serde.

mod binary;
mod lists;
mod primitives;
mod streams;
mod structured;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::StandardResult;
use crate::json::Value;
use crate::returns::Level;
use crate::returns::{ErrorKind, StandardError, StandardType};

/// A payload of a user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Order {
    number: u32,
    note: Option<String>,
}

fn order(number: u32) -> Order {
    Order { number, note: None }
}

fn error() -> StandardError {
    StandardError::new(ErrorKind::NotFound, "It is not there").with_stack_trace("secret")
}

/// A built value is valid under every check and survives a round trip.
fn built<T>(result: &T) -> String
where
    T: StandardResult + DeserializeOwned + JsonSchema + PartialEq + std::fmt::Debug,
{
    let value = result.to_value().unwrap();
    accepted::<T>(&value);
    // Constructors follow the rules of meaning, which are implemented elsewhere.
    T::STANDARD.check_value(Level::Meaning, &value).unwrap();
    assert_eq!(value.deserialize::<T>().unwrap(), *result);
    assert!(!format!("{result:?}{value}").contains("secret"));
    value.text().to_owned()
}

/// Accepted by the standard schema, the schema of the type, and serde.
fn accepted<T: StandardResult + DeserializeOwned + JsonSchema>(value: &Value) {
    let shape = T::STANDARD.schema().shape_checker();
    shape.check(value).unwrap();
    T::schema().unwrap().checker().check(value).unwrap();
    let read = T::from_value(value).unwrap();
    value.deserialize::<T>().unwrap();
    // It is still valid when it is written again.
    let again = read.to_value().unwrap();
    T::STANDARD.check_value(Level::Meaning, &again).unwrap();
    T::schema().unwrap().checker().check(&again).unwrap();
}

/// Does serde accept exactly what the schema accepts?
fn agree<T: StandardResult + DeserializeOwned + JsonSchema>(good: &[&str], bad: &[&str]) {
    for text in good {
        accepted::<T>(&Value::from_json(text).unwrap());
    }
    let checker = T::schema().unwrap().checker();
    for text in bad {
        let value = Value::from_json(text).unwrap();
        assert!(checker.check(&value).is_err(), "the schema accepts {text}");
        assert!(value.deserialize::<T>().is_err(), "serde accepts {text}");
        assert!(T::from_value(&value).is_err());
    }
}

/// What no schema can express, but serde refuses.
fn contradictions<T: StandardResult + DeserializeOwned + JsonSchema>(bad: &[&str]) {
    let checker = T::schema().unwrap().checker();
    for text in bad {
        let value = Value::from_json(text).unwrap();
        checker.check(&value).unwrap();
        assert!(value.deserialize::<T>().is_err(), "serde accepts {text}");
    }
}

/// Each type can read its examples in the specification.
#[test]
fn the_examples_of_the_specification() {
    type Any = serde_json::Value;
    fn all<T: StandardResult + DeserializeOwned + JsonSchema>() {
        T::STANDARD.examples().iter().for_each(accepted::<T>);
    }
    all::<super::ObjectResult<Any>>();
    all::<super::EntityResult<Any>>();
    all::<super::OperationStatus<Any>>();
    all::<super::StringValue>();
    all::<super::NumberValue>();
    all::<super::BooleanValue>();
    all::<super::IdentifierValue>();
    all::<super::ListResult<Any>>();
    all::<super::BatchResult<Any>>();
    all::<super::FileResult>();
    all::<super::MediaResult>();
    all::<super::EventStream<Any>>();
    all::<super::VoidResult>();
    // Its data is cut short with three dots, so it is not Base64.
    let chunk = &StandardType::ChunkedData.examples()[0];
    assert!(super::ChunkedData::from_value(chunk).is_err());
}

#[test]
fn schemas_are_the_standard_ones_refined() {
    let schema = super::ListResult::<Order>::schema().unwrap();
    let schema: serde_json::Value = schema.to_value().deserialize().unwrap();
    assert_eq!(schema["title"], "ListResult_of_Order");
    assert_eq!(
        schema["allOf"][0]["$ref"],
        "https://adl.io/schemas/returns/ListResult"
    );
    let items = &schema["allOf"][1]["properties"]["data"]["items"];
    assert_eq!(items["$ref"], "#/$defs/Order");
    let nested = <super::ObjectResult<super::ListResult<Order>> as JsonSchema>::schema_name();
    assert_eq!(nested, "ObjectResult_of_ListResult_of_Order");
}
