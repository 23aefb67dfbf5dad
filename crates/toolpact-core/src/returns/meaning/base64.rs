//! Base64 data in JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::json::Node;
use crate::json::report::{Place, Report};
use crate::violation::rules::meaning as rules;

/// The bytes of the member `data`, or a report that it is not Base64.
pub(super) fn data(object: Node<'_>, report: &mut Report) -> Option<Vec<u8>> {
    let node = object.get("data")?;
    let text = node.as_str()?;
    let error = match STANDARD.decode(text.as_bytes()) {
        Ok(bytes) => return Some(bytes),
        Err(error) => error,
    };
    report.add(&rules::BASE64, Place::Node(node.id()), |finding| {
        finding.say(format!("expected Base64, found {}", problem(&text, &error)));
        if let Some(advice) = advice(&text, &error) {
            finding.advise(advice);
        }
    });
    None
}

fn problem(text: &str, error: &base64::DecodeError) -> String {
    use base64::DecodeError as E;
    let is_foreign = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '/' | '=');
    if let Some((at, found)) = text.char_indices().find(|(_, c)| is_foreign(*c)) {
        return format!("{found:?} after {at} characters");
    }
    match error {
        E::InvalidByte(..) | E::InvalidPadding => "`=` missing or in a wrong place".to_owned(),
        E::InvalidLength(length) => format!("{length} characters, which no data gives"),
        E::InvalidLastSymbol(..) => "a last character that no data gives".to_owned(),
    }
}

fn advice(text: &str, error: &base64::DecodeError) -> Option<&'static str> {
    if text.starts_with("data:") {
        Some("leave out everything up to the comma")
    } else if text.contains(|c: char| c.is_ascii_whitespace()) {
        Some("leave out spaces and line breaks")
    } else if text.contains(['-', '_']) {
        Some("use the alphabet with `+` and `/`, not the one for URLs")
    } else if matches!(error, base64::DecodeError::InvalidPadding) {
        Some("fill it up with `=` to a multiple of four characters")
    } else {
        None
    }
}
