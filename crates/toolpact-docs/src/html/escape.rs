//! Escapes any text for HTML.

use crate::{Phrase, Prose, Span};

pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            // HTML cannot represent them.
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

pub(super) fn code(code: &str) -> String {
    format!("<code>{}</code>", text(code))
}

pub(super) fn phrase(phrase: &Phrase) -> String {
    let spans = phrase.spans().iter().map(|span| match span {
        Span::Words(words) => text(words),
        Span::Code(written) => code(written),
    });
    spans.collect()
}

/// Paragraphs. The direction of each is detected, so that none affects the text after it.
pub(super) fn prose(prose: &Prose) -> String {
    let paragraphs = prose.paragraphs().map(|lines| {
        let lines: Vec<String> = lines.iter().map(phrase).collect();
        format!("<p dir=\"auto\">{}</p>\n", lines.join("<br>\n"))
    });
    paragraphs.collect()
}
