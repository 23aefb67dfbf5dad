use std::io::Write;

use serde_json::{Value, json};
use toolpact_core::Violation;
use toolpact_core::violation::{Location, Rule, rules};

use super::{FileReport, Reporter, Summary, level};
use crate::output::Output;

/// SARIF 2.1.0, one run, a result a line.
#[derive(Default)]
pub(super) struct Sarif {
    results: usize,
}

impl Reporter for Sarif {
    fn begin(&mut self, out: &mut Output) -> anyhow::Result<()> {
        let rules: Vec<Value> = rules::all().map(descriptor).collect();
        let driver = json!({
            "name": "toolpact",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        Ok(write!(
            out,
            "{{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \
             \"runs\": [{{\"tool\": {{\"driver\": {driver}}}, \"columnKind\": \"unicodeCodePoints\", \
             \"results\": ["
        )?)
    }

    fn file(&mut self, file: &FileReport<'_>, out: &mut Output) -> anyhow::Result<()> {
        for violation in file.violations {
            let comma = if self.results == 0 { "" } else { "," };
            self.results += 1;
            write!(out, "{comma}\n{}", result(file, violation))?;
        }
        Ok(())
    }

    fn end(&mut self, _: &Summary, out: &mut Output) -> anyhow::Result<()> {
        Ok(writeln!(out, "\n]}}]}}")?)
    }
}

fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "shortDescription": { "text": rule.title },
        "fullDescription": { "text": rule.explanation },
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

fn result(file: &FileReport<'_>, violation: &Violation) -> Value {
    let uri = uri(file.name);
    let mut physical = json!({ "artifactLocation": { "uri": uri } });
    if let Some(location) = violation.location() {
        physical["region"] = region(location);
    }
    let mut message = violation.message().to_owned();
    if let Some(suggestion) = violation.suggestion() {
        message = format!("{message}; {}", suggestion.text);
    }
    let mut result = json!({
        "ruleId": violation.code(),
        "level": level(violation.severity()),
        "message": { "text": message },
        "locations": [{
            "physicalLocation": physical,
            "logicalLocations": [{ "fullyQualifiedName": violation.pointer().to_string() }],
        }],
    });
    if let Some(fix) = violation
        .suggestion()
        .and_then(|suggestion| suggestion.fix.as_ref())
    {
        let deleted = json!({
            "byteOffset": fix.span.start,
            "byteLength": fix.span.len(),
        });
        result["fixes"] = json!([{
            "artifactChanges": [{
                "artifactLocation": { "uri": uri },
                "replacements": [{
                    "deletedRegion": deleted,
                    "insertedContent": { "text": fix.replacement },
                }],
            }],
        }]);
    }
    result
}

pub(crate) fn region(location: &Location) -> Value {
    json!({
        "startLine": location.line,
        "startColumn": location.column,
        "byteOffset": location.span.start,
        "byteLength": location.span.len(),
    })
}

/// A relative path as a relative reference, an absolute one as a file URI.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
