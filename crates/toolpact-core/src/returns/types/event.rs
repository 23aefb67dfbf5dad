use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::Error;

use super::refine;
use super::result_node::ResultNode;
use super::wire::standard_result;

/// One event of a stream. Its data, `T`, can be anything.
///
/// It has no place for an error: a stream that breaks off is a failed call.
///
/// ```
/// use toolpact_core::returns::types::EventStream;
///
/// let event = EventStream::new("message")?.with_id("msg_1")?.with_data(vec![1, 2]);
/// assert_eq!(serde_json::to_string(&event)?, r#"{"event":"message","id":"msg_1","data":[1,2]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventStream<T> {
    event: Box<str>,
    id: Option<Box<str>>,
    data: Option<T>,
    retry: Option<u64>,
}

standard_result!(EventStream<T>);

impl<T> EventStream<T> {
    /// An event of this name, which is one line and not empty.
    pub fn new(event: &str) -> Result<Self, Error> {
        if event.is_empty() || !is_line(event) {
            return Err(Error::at("event", "expected one line that is not empty"));
        }
        Ok(Self {
            event: event.into(),
            id: None,
            data: None,
            retry: None,
        })
    }

    /// Adds an identifier, which is one line.
    pub fn with_id(mut self, id: &str) -> Result<Self, Error> {
        if !is_line(id) {
            return Err(Error::at("id", "expected one line"));
        }
        self.id = Some(id.into());
        Ok(self)
    }

    /// Adds data.
    #[must_use]
    pub fn with_data(mut self, data: T) -> Self {
        self.data = Some(data);
        self
    }

    /// Adds the time to wait before connecting again, in milliseconds.
    #[must_use]
    pub fn with_retry(mut self, milliseconds: u64) -> Self {
        self.retry = Some(milliseconds);
        self
    }

    /// The name of the event.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.event
    }

    /// The identifier of the event.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The data of the event.
    #[must_use]
    pub fn data(&self) -> Option<&T> {
        self.data.as_ref()
    }

    /// The data, consuming the event.
    #[must_use]
    pub fn into_data(self) -> Option<T> {
        self.data
    }

    /// How long to wait before connecting again, in milliseconds.
    #[must_use]
    pub fn retry(&self) -> Option<u64> {
        self.retry
    }
}

/// Fields of server-sent events are single lines.
fn is_line(text: &str) -> bool {
    !text.contains(['\r', '\n', '\0'])
}

#[derive(Serialize)]
struct Wire<'a, T> {
    event: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry: Option<u64>,
}

impl<T: Serialize> EventStream<T> {
    fn wire(&self) -> impl Serialize {
        Wire {
            event: self.event(),
            id: self.id(),
            data: self.data(),
            retry: self.retry,
        }
    }
}

impl<T: DeserializeOwned> EventStream<T> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        let line = |part: &ResultNode<'_>| match part.text()? {
            text if is_line(&text) => Ok(text),
            _ => Err(part.wrong("expected one line")),
        };
        let event = part.require("event")?;
        event.filled()?;
        Ok(Self {
            event: line(&event)?,
            id: part.optional("id", line)?,
            data: part.optional("data", ResultNode::payload)?,
            retry: part.optional("retry", |part| part.count(0))?,
        })
    }
}

impl<T: JsonSchema> EventStream<T> {
    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        vec![json!({"properties": {
            "event": {"pattern": "^[^\\r\\n\\x00]+$"},
            "id": {"pattern": "^[^\\r\\n\\x00]*$"},
            "data": refine::payload::<T>(generator),
            "retry": {"minimum": 0},
        }})]
    }
}
