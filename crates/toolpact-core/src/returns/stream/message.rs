//! Events as JSON values of the standard type EventStream.

use super::{Event, fields};
use crate::error::{Error, ErrorKind};
use crate::json::{Limits, Value, Writer};
use crate::violation::Violations;
use crate::violation::rules::json as rules;

/// Errors of texts that are not JSON, as opposed to JSON that the reader refuses.
const NOT_JSON: [&str; 4] = [
    rules::SYNTAX.code,
    rules::TRAILING_COMMA.code,
    rules::COMMENT.code,
    rules::BYTE_ORDER_MARK.code,
];

impl Event {
    /// Converts an EventStream value to an event.
    ///
    /// `data` becomes its JSON text, strings included: `"5"` is sent with its quotes, so that it is
    /// not read as the number 5. No `data` becomes an empty text, which is not JSON. So
    /// [`Event::to_value`] restores the value, also after the event was sent.
    ///
    /// What Server-Sent Events cannot express is refused: a name that is empty or has a line break,
    /// an id with a line break or NUL, a negative `retry`, and fields of other names.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::returns::stream::Event;
    ///
    /// let value = Value::from_json(r#"{"event": "reply", "data": "5", "retry": 1000}"#)?;
    /// let event = Event::from_value(&value)?;
    /// assert_eq!(event.encode(), "event: reply\nretry: 1000\ndata: \"5\"\n\n");
    /// assert_eq!(event.to_value()?, value);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let root = fields::object(value.root(), "an EventStream value")?;
        let name = fields::required(root, "event", "an EventStream value")?;
        let data = root.get("data").map_or("", |data| data.text());
        let mut event = Event::new(data).with_name(fields::string(name, "/event")?)?;
        for (key, node) in root.members() {
            event = match &*key {
                "event" | "data" => event,
                "id" => event.with_id(fields::string(node, "/id")?)?,
                "retry" => event.with_retry(fields::integer(node, "/retry", 0)?),
                other => return Err(fields::unknown(other, "an EventStream value")),
            };
        }
        Ok(event)
    }

    /// Converts the event to an EventStream value, within the default [`Limits`].
    ///
    /// Data that is JSON stays JSON; other data, such as plain text, becomes a string; empty data
    /// becomes no `data`. JSON that the reader refuses (duplicate keys, lone surrogates, numbers
    /// that overflow, too deep) is an error.
    ///
    /// ```
    /// use toolpact_core::returns::stream::Event;
    ///
    /// let value = |data: &str| Event::new(data).to_value().unwrap().to_string();
    /// assert_eq!(value(r#"{"n": 5}"#), r#"{"event":"message","data":{"n": 5}}"#);
    /// assert_eq!(value("[DONE]"), r#"{"event":"message","data":"[DONE]"}"#);
    /// assert_eq!(value(""), r#"{"event":"message"}"#);
    /// ```
    pub fn to_value(&self) -> Result<Value, Error> {
        self.to_value_within(&Limits::default())
    }

    /// The same with custom limits for the data.
    pub fn to_value_within(&self, limits: &Limits) -> Result<Value, Error> {
        let mut writer = Writer::default();
        writer.begin_object().key("event").string(self.name());
        if let Some(id) = self.id() {
            writer.key("id").string(id);
        }
        if !self.data().is_empty() {
            writer.key("data");
            match Value::from_json_within(self.data(), limits) {
                Ok(json) => writer.raw(json.text()),
                Err(violations) if is_json(&violations) => return Err(refused(violations)),
                Err(_) => writer.string(self.data()),
            };
        }
        if let Some(retry) = self.retry() {
            writer.key("retry").raw(&retry.to_string());
        }
        writer.end_object();
        Ok(Value::trusted(writer))
    }
}

fn is_json(violations: &Violations) -> bool {
    !violations.iter().any(|v| NOT_JSON.contains(&v.code()))
}

fn refused(violations: Violations) -> Error {
    let first = violations.iter().next().map(ToString::to_string);
    let message = format!(
        "expected JSON that is read the same everywhere, found: {}",
        first.unwrap_or_default()
    );
    let advice = "correct the JSON, or send it as a JSON string";
    Error::stream(
        ErrorKind::EventData,
        "the data of an event",
        message,
        advice,
    )
    .because(violations)
}
