//! MIME types, by the grammar of RFC 9110.

use crate::json::report::{Place, Report};
use crate::model::Fields;
use crate::text::shorten;
use crate::violation::rules::returns as rules;

/// The field `content_type`, if it is present and valid.
pub(crate) fn read(fields: &Fields<'_>, report: &mut Report) -> Option<Box<str>> {
    let text = fields.optional_string("content_type", report)?;
    if is_mime_type(&text) {
        return Some(text.into());
    }
    let node = fields.get("content_type")?.value;
    report.add(&rules::CONTENT_TYPE, Place::Node(node.id()), |finding| {
        finding
            .say(format!(
                "expected a MIME type, found \"{}\"",
                shorten(&text)
            ))
            .advise("for example \"application/json\"");
    });
    None
}

/// `type/subtype; parameter=value`
pub(crate) fn is_mime_type(text: &str) -> bool {
    let mut parts = split_parameters(text).into_iter();
    let is_type = parts
        .next()
        .and_then(|mime| mime.trim_end().split_once('/'));
    is_type.is_some_and(|(main, sub)| is_token(main) && is_token(sub))
        && parts.all(|parameter| {
            let pair = parameter.trim().split_once('=');
            pair.is_some_and(|(name, value)| is_token(name) && is_value(value))
        })
}

/// Splits at semicolons outside of quotes.
fn split_parameters(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn is_token(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !text.is_empty() && text.bytes().all(allowed)
}

fn is_value(text: &str) -> bool {
    let quoted = || {
        let inner = text.strip_prefix('"')?.strip_suffix('"')?;
        let mut escaped = false;
        let fine = inner.chars().all(|c| {
            let fine = escaped || c != '"';
            escaped = !escaped && c == '\\';
            fine && (c == '\t' || !c.is_control())
        });
        Some(fine && !escaped)
    };
    is_token(text) || quoted().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::is_mime_type;

    #[test]
    fn grammar() {
        let good = [
            "application/json",
            "text/plain; charset=utf-8",
            "text/plain;charset=\"utf-8; x\"",
            "application/vnd.api+json",
            "multipart/mixed; boundary=\"a\\\"b\"",
        ];
        let bad = [
            "",
            "json",
            "application/",
            "/json",
            "a b/c",
            "text/plain; charset",
            "text/plain;",
            "a/b;c=\"d",
            "a/b/c",
        ];
        for text in good {
            assert!(is_mime_type(text), "{text}");
        }
        for text in bad {
            assert!(!is_mime_type(text), "{text}");
        }
    }
}
