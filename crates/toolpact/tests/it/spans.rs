//! Spans with the names that OpenTelemetry has for calls of tools by models.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use toolpact::core::json::Value;
use toolpact::{ToolError, testing};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

use crate::support::{call, contract, session, value};

use crate::world::leaves_out;

type Fields = BTreeMap<&'static str, String>;

/// Remembers the fields of every span of ours, by its number, and the threads that were inside.
#[derive(Clone, Default)]
struct Capture(Arc<Mutex<BTreeMap<u64, (&'static str, Fields)>>>);

impl<S: tracing::Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Capture {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        if attributes.metadata().target() == "toolpact" {
            let mut fields = Fields::new();
            attributes.record(&mut Collect(&mut fields));
            let name = attributes.metadata().name();
            self.0.lock().unwrap().insert(id.into_u64(), (name, fields));
        }
    }

    fn on_enter(&self, id: &Id, _: Context<'_, S>) {
        if let Some((_, fields)) = self.0.lock().unwrap().get_mut(&id.into_u64()) {
            let threads = fields.entry("threads").or_default();
            *threads += std::thread::current().name().unwrap_or_default();
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        if let Some((_, fields)) = self.0.lock().unwrap().get_mut(&id.into_u64()) {
            values.record(&mut Collect(fields));
        }
    }
}

struct Collect<'a>(&'a mut Fields);

impl Visit for Collect<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

/// The span of one call, on this thread.
async fn span_of(session: &toolpact::Session, call: toolpact::Call) -> (&'static str, Fields) {
    let capture = Capture::default();
    let subscriber = tracing_subscriber::registry().with(capture.clone());
    let guard = tracing::subscriber::set_default(subscriber);
    session.call(call).await;
    drop(guard);
    let mut spans = capture.0.lock().unwrap();
    assert_eq!(spans.len(), 1);
    spans.pop_first().unwrap().1
}

#[tokio::test]
async fn a_call_is_a_span() {
    let contract = contract("look", r#""returns": "NumberValue""#);
    let session = session(testing::fake_value(contract, value("1")));
    let (name, mut fields) = span_of(&session, call("look").id("c1")).await;
    assert_eq!(name, "execute_tool");
    fields.remove("threads");
    let digest = fields.remove("toolpact.contract.digest");
    assert_eq!(
        digest.as_deref(),
        session.get("look").map(|tool| tool.digest())
    );
    let expected = [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.call.id", "c1"),
        ("gen_ai.tool.description", "For a test."),
        ("gen_ai.tool.name", "look"),
        ("gen_ai.tool.type", "function"),
        ("otel.kind", "internal"),
        ("otel.name", "execute_tool look"),
    ];
    let expected = expected.map(|(name, value)| (name, value.to_owned()));
    assert_eq!(fields, Fields::from(expected));
}

#[tokio::test]
async fn a_failure_has_its_type() {
    let fake = testing::fake_contract(contract("look", ""), |_| {
        Err::<Value, _>(ToolError::not_found("There is no order s3cr3t."))
    });
    let (_, fields) = span_of(&session(fake), call("look")).await;
    assert_eq!(
        fields.get("error.type").map(String::as_str),
        Some("NOT_FOUND_RESOURCE")
    );
    assert_eq!(
        fields.get("otel.status_code").map(String::as_str),
        Some("ERROR")
    );
    assert!(!fields.contains_key("gen_ai.tool.call.id"));
    assert!(fields.values().all(|value| !value.contains("s3cr3t")));
}

#[tokio::test]
async fn the_work_is_inside_of_the_span_wherever_it_runs() {
    if leaves_out("spans::the_work_is_inside_of_the_span_wherever_it_runs") {
        return;
    }
    let session = session(testing::fake_value(contract("look", ""), value("1")));
    let (_, fields) = span_of(&session, call("look")).await;
    let threads = fields
        .get("threads")
        .map(String::as_str)
        .unwrap_or_default();
    assert!(threads.contains("toolpact-0"), "{threads}");
}
