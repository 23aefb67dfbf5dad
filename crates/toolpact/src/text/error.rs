//! Failures: the message, the details, and what to do next. Never a stack trace.

use std::borrow::Cow;

use toolpact_core::json::{Kind, Node};
use toolpact_core::returns::StandardError;

use super::fields::{self, Field};
use super::page::Page;
use super::{Cut, advice, plain, scalar};

/// A longer code is not one.
const LONGEST_CODE: usize = 80;

/// An error with what to do next.
pub(super) fn write(page: &mut Page, error: &StandardError) -> Option<Cut> {
    let cut = write_message(page, error);
    page.closing_line(&format!("What to do: {}", advice::after(error)));
    cut
}

/// An error without what to do next.
pub(super) fn write_message(page: &mut Page, error: &StandardError) -> Option<Cut> {
    let code = Some(error.code()).filter(|code| !code.is_empty() && code.len() <= LONGEST_CODE);
    let code = code.map_or_else(String::new, |code| format!(" {}", scalar::key(code)));
    let message = format!("Error{code}: {}", error.message().trim());
    let cut = page.within(page.left() / 4, |page| plain::write(page, &message));
    let details: Vec<Field<'_>> = error
        .details()
        .map(|(key, value)| (Cow::from(key), value.root()))
        .filter(|(key, value)| !is_trace(key) && !has_trace(*value))
        .collect();
    let details = fields::write(page, &details).cut();
    cut.or(details)
}

/// An error object that is not in an envelope, as far as it can be understood.
pub(super) fn read(node: Node<'_>) -> StandardError {
    let text = |key| node.get(key).and_then(Node::as_str).unwrap_or_default();
    let error = StandardError::with_code(&text("code"), &text("message"));
    let details = node.get("details").into_iter().flat_map(Node::members);
    details.fold(error, |error, (key, value)| {
        error.with_detail(&key, value.to_value())
    })
}

fn is_trace(key: &str) -> bool {
    let key = key.to_lowercase();
    ["stack", "traceback", "backtrace", "trace"].contains(&&*key)
        || key.contains("stack_trace")
        || key.contains("stacktrace")
}

/// Whether there is a stack trace anywhere inside. Not by recursion: the value is not ours.
fn has_trace(value: Node<'_>) -> bool {
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        if node.members().any(|(key, _)| is_trace(&key)) {
            return true;
        }
        let is_nested = |node: &Node<'_>| matches!(node.kind(), Kind::Array | Kind::Object);
        open.extend(node.members().map(|(_, value)| value).filter(is_nested));
        open.extend(node.items().filter(is_nested));
    }
    false
}
