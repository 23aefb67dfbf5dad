//! Messages for unexpected input.

use std::ops::Range;

use super::{Reader, Stop};
use crate::json::report::{Edit, Finding, Place};
use crate::violation::Rule;
use crate::violation::rules::json as rules;

impl Reader<'_> {
    pub(super) fn trailing_comma(&mut self, comma: usize) {
        self.find(&rules::TRAILING_COMMA, comma..comma + 1, |finding| {
            finding
                .say("expected another element after the comma, found the end of the list")
                .fix("remove the comma", Edit::Cut(comma..comma + 1));
        });
    }

    pub(super) fn no_value<T>(&mut self) -> Result<T, Stop> {
        let rest = &self.text[self.at..];
        let word: &str = rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap_or("");
        let advice = match word {
            "True" => Some("write `true`"),
            "False" => Some("write `false`"),
            "None" | "undefined" | "nil" | "NULL" | "Null" => Some("write `null`"),
            "NaN" | "Infinity" => Some("JSON has no such number"),
            _ if rest.starts_with('\'') => Some("write strings in double quotes"),
            _ if rest.starts_with('+') => Some("write the number without `+`"),
            _ if rest.starts_with('.') => Some("write `0` before the decimal point"),
            _ => None,
        };
        let found = self.found();
        let length = self.character_length(self.at).max(word.len());
        self.stop_span(
            self.at..self.at + length,
            format!("expected a JSON value, found {found}"),
            advice,
        )
    }

    pub(super) fn control_character<T>(&mut self, start: usize) -> Result<T, Stop> {
        let code = self.peek().unwrap_or_default();
        if matches!(code, b'\n' | b'\r') {
            return self.unclosed_string(start);
        }
        self.stop_span(
            self.at..self.at + 1,
            format!("expected a control character in a string to be escaped, found U+{code:04X}"),
            Some(&format!("write `\\u{code:04x}`")),
        )
    }

    pub(super) fn unclosed_string<T>(&mut self, start: usize) -> Result<T, Stop> {
        self.stop_span(
            start..self.at,
            "expected a closing `\"` on the same line, found none",
            Some("a line break in a string is written `\\n`"),
        )
    }

    pub(super) fn expected<T>(&mut self, what: &str) -> Result<T, Stop> {
        let found = self.found();
        self.stop(format!("expected {what}, found {found}"))
    }

    pub(super) fn stop<T>(&mut self, message: impl Into<String>) -> Result<T, Stop> {
        let length = self.character_length(self.at);
        self.stop_span(self.at..self.at + length, message, None)
    }

    pub(super) fn stop_span<T>(
        &mut self,
        span: Range<usize>,
        message: impl Into<String>,
        advice: Option<&str>,
    ) -> Result<T, Stop> {
        self.find(&rules::SYNTAX, span, |finding| {
            finding.say(message);
            if let Some(advice) = advice {
                finding.advise(advice);
            }
        });
        Err(Stop)
    }

    /// Adds a finding at a byte range inside the innermost container.
    pub(super) fn find(
        &mut self,
        rule: &'static Rule,
        span: Range<usize>,
        say: impl FnOnce(&mut Finding),
    ) {
        let within = self.open.last().copied().unwrap_or(0);
        self.report.add(rule, Place::Bytes { within, span }, say);
    }

    pub(super) fn found(&self) -> String {
        self.character_at(self.at)
    }

    pub(super) fn character_at(&self, at: usize) -> String {
        match self.text.get(at..).and_then(|rest| rest.chars().next()) {
            Some(c) if c.is_control() || c.is_whitespace() && c != ' ' => {
                format!("U+{:04X}", u32::from(c))
            }
            Some(c) => format!("`{c}`"),
            None => "the end of the text".to_owned(),
        }
    }

    pub(super) fn character_length(&self, at: usize) -> usize {
        self.text
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8)
    }
}
