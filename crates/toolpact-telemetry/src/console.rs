//! Lines for people, on standard error: standard output may be a protocol.

use std::fmt::Write as _;
use std::io::Write as _;

use opentelemetry::KeyValue;

pub(crate) fn write(lines: &[String]) {
    let mut text = String::new();
    for line in lines {
        // What came from outside begins no line and tells a terminal nothing.
        let line: String = line
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let _ = writeln!(text, "{line}");
    }
    // If nobody reads it, there is nobody to tell.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// ` key=value` of each.
pub(crate) fn attributes<'a>(attributes: impl IntoIterator<Item = &'a KeyValue>) -> String {
    let mut text = String::new();
    for KeyValue { key, value, .. } in attributes {
        let _ = write!(text, " {key}={value}");
    }
    text
}
