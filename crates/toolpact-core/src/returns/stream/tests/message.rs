use proptest::prelude::*;

use super::sse::decode;
use crate::error::ErrorKind;
use crate::json::{Limits, Value};
use crate::returns::StandardType;
use crate::returns::stream::Event;

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap()
}

/// To an event, to text, and back.
fn round_trip(value: &Value) -> Value {
    let event = Event::from_value(value).unwrap();
    let sent = event.encode();
    let read = decode(sent.as_bytes()).unwrap();
    assert_eq!(read.len(), 1, "{sent:?}");
    assert_eq!(read[0].0, event);
    read[0].0.to_value().unwrap()
}

#[test]
fn values_come_back_equal() {
    let cases = [
        r#"{"event":"message"}"#,
        r#"{"event":"message","data":null}"#,
        r#"{"event":"message","data":""}"#,
        r#"{"event":"message","data":"plain"}"#,
        r#"{"event":"message","data":"5"}"#,
        r#"{"event":"message","data":"null"}"#,
        r#"{"event":"message","data":"\"quoted\""}"#,
        r#"{"event":"message","data":"{\"a\": 1}"}"#,
        r#"{"event":"message","data":"a\r\nb\rc\n\n"}"#,
        r#"{"event":"message","data":" [DONE] "}"#,
        r#"{"event":"message","data":"\ufeff"}"#,
        r#"{"event":"é ","data":9007199254740993,"id":"","retry":0}"#,
        r#"{"event":" x","id":" 7: ","retry":5.0}"#,
        r#"{"retry":9223372036854775807,"event":"x","data":[true,{}]}"#,
        "{\"event\":\"x\",\"data\":{\r\n\"a\":\r[1,\n\n2]}}",
    ];
    let examples = StandardType::EventStream.examples();
    for value in cases.into_iter().map(value).chain(examples) {
        assert_eq!(round_trip(&value), value);
    }
}

#[test]
fn what_an_event_cannot_say_is_refused() {
    use ErrorKind::{EventId, EventName, Shape};
    let cases = [
        (
            "[]",
            Shape,
            "an EventStream value: expected an object, found `[]`",
        ),
        (
            "{}",
            Shape,
            "an EventStream value: expected the required field `event`, found none",
        ),
        (
            r#"{"event":1}"#,
            Shape,
            "/event: expected a string, found `1`",
        ),
        (
            r#"{"event":"x","id":null}"#,
            Shape,
            "/id: expected a string, found `null`",
        ),
        (
            r#"{"event":"x","retry":-1}"#,
            Shape,
            "/retry: expected a whole number from 0 to 2^63 - 1, found `-1`",
        ),
        (
            r#"{"event":"x","retry":1.5}"#,
            Shape,
            "/retry: expected a whole number from 0 to 2^63 - 1, found `1.5`",
        ),
        (
            r#"{"event":"x","retry":9223372036854775808}"#,
            Shape,
            "/retry: expected a whole number from 0",
        ),
        (
            r#"{"event":"x","more":1}"#,
            Shape,
            "an EventStream value: expected no other fields, found `more`",
        ),
        (
            r#"{"event":""}"#,
            EventName,
            "the name of an event: expected a name, found an empty one",
        ),
        (
            r#"{"event":"a\nb"}"#,
            EventName,
            "the name of an event: expected one line",
        ),
        (
            r#"{"event":"x","id":"\u0000"}"#,
            EventId,
            "the id of an event: expected no NUL",
        ),
        (
            r#"{"event":"x","id":"\r"}"#,
            EventId,
            "the id of an event: expected one line",
        ),
    ];
    for (json, kind, message) in cases {
        let error = Event::from_value(&value(json)).unwrap_err();
        assert_eq!(error.kind(), kind, "{json}");
        assert!(error.to_string().starts_with(message), "{error}");
    }
}

#[test]
fn data_from_elsewhere() {
    let data = |data: &str| {
        let value = Event::new(data).to_value().unwrap();
        value.root().get("data").map(|data| data.text().to_owned())
    };
    // Text that is not JSON is a string, also if readers could guess what was meant.
    assert_eq!(data("hello").unwrap(), "\"hello\"");
    assert_eq!(data("[1,]").unwrap(), "\"[1,]\"");
    assert_eq!(data("1 // one").unwrap(), "\"1 // one\"");
    assert_eq!(data("\u{feff}1").unwrap(), "\"\u{feff}1\"");
    assert_eq!(data(" ").unwrap(), "\" \"");
    assert_eq!(data(" 1\n").unwrap(), "1");
    assert_eq!(data(""), None);
}

#[test]
fn json_that_readers_refuse_is_refused() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    for data in [r#"{"a":1,"a":2}"#, "1e999", r#""\ud800""#, &deep] {
        let error = Event::new(data).to_value().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::EventData);
        assert!(std::error::Error::source(&error).is_some());
    }
    assert_eq!(
        Event::new("1e999").to_value().unwrap_err().place(),
        "the data of an event"
    );
    let value = Event::new(&*deep).to_value_within(&Limits::default().depth(200));
    assert_eq!(value.unwrap().root().get("data").unwrap().text(), deep);
}

/// JSON as text: strings that are dense in JSON, nested a little.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        "[\\[\\]{}\":,0-9a-c \n\r\t\\\\é\0]{0,8}".prop_map(|s| serde_json::to_string(&s).unwrap()),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let space = "[ \n\r\t]{0,2}";
        prop_oneof![
            (proptest::collection::vec(inner.clone(), 0..4), space).prop_map(
                |(items, space)| format!("[{space}{}]", items.join(&format!(",{space}")))
            ),
            (inner, space).prop_map(|(value, space)| format!("{{\"k\":{space}{value}{space}}}")),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_comes_back_equal(
        name in "[^\n\r]{1,6}",
        id in proptest::option::of("[^\n\r\0]{0,6}"),
        data in proptest::option::of(json()),
        retry in proptest::option::of(0..=i64::MAX),
    ) {
        let quoted = |text: &String| serde_json::to_string(text).unwrap();
        let mut fields = vec![format!("\"event\":{}", quoted(&name))];
        fields.extend(id.as_ref().map(|id| format!("\"id\":{}", quoted(id))));
        fields.extend(data.map(|data| format!("\"data\":{data}")));
        fields.extend(retry.map(|retry| format!("\"retry\":{retry}")));
        let value = value(&format!("{{{}}}", fields.join(",")));
        prop_assert_eq!(round_trip(&value), value);
    }

    #[test]
    fn every_event_has_a_value_of_the_type(data in "[ -~\n\r]{0,12}") {
        let event = Event::new(data);
        if let Ok(value) = event.to_value() {
            prop_assert_eq!(&round_trip(&value), &value);
        }
    }
}

#[test]
fn values_of_events_have_the_shape() {
    let checker = StandardType::EventStream.schema();
    let checker = checker.shape_checker();
    for data in ["", "x", "{}", "[1]"] {
        let event = Event::new(data).with_id("1").unwrap().with_retry(u64::MAX);
        checker.check(&event.to_value().unwrap()).unwrap();
    }
}
