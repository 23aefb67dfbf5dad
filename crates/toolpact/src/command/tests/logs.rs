use std::io;
use std::sync::{Arc, Mutex};

use tracing::instrument::WithSubscriber as _;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;

use super::sh;
use crate::command::{CommandLimits, run};
use crate::observe::trace::SPANS;

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    async fn say(&self, word: Option<&str>) {
        while word.is_none_or(|word| !self.text().contains(word)) {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// What is logged until the program has ended, or until this is among it and the call is dropped.
async fn logged(script: &str, until: Option<&str>) -> String {
    let lines = Lines::default();
    let log = tracing_subscriber::fmt::layer()
        .with_writer(lines.clone())
        .without_time()
        .with_ansi(false);
    // Spans are for exporters.
    let targets = Targets::new()
        .with_default(LevelFilter::DEBUG)
        .with_target(SPANS, LevelFilter::OFF);
    let subscriber = tracing_subscriber::registry().with(log.with_filter(targets));
    let limits = CommandLimits {
        stderr_bytes: 20,
        ..CommandLimits::default()
    };
    let (command, mut share) = (sh(script, &[]), None);
    // Dropped while it still logs here.
    let call = async {
        tokio::select! {
            _ = run(&command, b"{}", &limits, &mut share) => false,
            () = lines.say(until) => true,
        }
    };
    let is_dropped = call.with_subscriber(subscriber).await;
    assert_eq!(is_dropped, until.is_some());
    let text = lines.text();
    let ours = text
        .lines()
        .filter(|line| line.contains("toolpact::command"));
    ours.map(str::trim).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn stderr_is_for_the_log() {
    insta::assert_snapshot!(logged("echo one >&2; printf two >&2", None).await, @r#"
    DEBUG toolpact::command: stderr program="sh" line="one"
    DEBUG toolpact::command: stderr program="sh" line="two"
    "#);
    insta::assert_snapshot!(logged("echo one >&2; exit 3", None).await, @r#"
    DEBUG toolpact::command: stderr program="sh" line="one"
    WARN toolpact::command: the tool failed program="sh" error="the program ended with status 3" stderr="one\n" more=0
    "#);
    let long = "printf '123456789\n123456789\n123456789\n' >&2";
    insta::assert_snapshot!(logged(long, None).await, @r#"
    DEBUG toolpact::command: stderr program="sh" line="123456789"
    DEBUG toolpact::command: stderr program="sh" line="123456789"
    DEBUG toolpact::command: stderr was too long program="sh" more=10
    "#);
    insta::assert_snapshot!(logged("echo waiting >&2; sleep 100", Some("waiting")).await, @r#"
    DEBUG toolpact::command: stderr program="sh" line="waiting"
    WARN toolpact::command: the tool was stopped program="sh" stderr="waiting\n" more=0
    "#);
}
