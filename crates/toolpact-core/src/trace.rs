//! W3C Trace Context: the trace of somebody else that a call is part of.

use std::fmt;
use std::sync::Arc;

/// The trace that a call is part of, as `traceparent` and `tracestate` say it. Cloning is cheap.
///
/// ```
/// use toolpact_core::TraceContext;
///
/// let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// let trace = TraceContext::read(parent, Some("vendor=1")).unwrap();
/// assert_eq!((trace.parent(), trace.state()), (parent, Some("vendor=1")));
/// assert_eq!(trace.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
/// assert!(TraceContext::read("00-0-0-01", None).is_none());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TraceContext(Arc<Inner>);

#[derive(PartialEq, Eq)]
struct Inner {
    /// Of version 00: `00-`, 32 digits, `-`, 16 digits, `-`, 2 digits.
    parent: Box<str>,
    state: Option<Box<str>>,
}

/// The name of what says the trace: of a header, and of a key in the `_meta` of MCP.
pub const TRACEPARENT: &str = "traceparent";
/// The name of what vendors say about it.
pub const TRACESTATE: &str = "tracestate";

/// The length of `traceparent` of version 00.
const LENGTH: usize = 55;

/// Most characters of `tracestate` that are passed on; the specification asks for 512.
const STATE_LENGTH: usize = 4096;

/// Most members of `tracestate`.
const MEMBERS: usize = 32;

impl TraceContext {
    /// What was sent, unless it is invalid: then it is as if it were not there. A `tracestate` that is
    /// invalid does not take `traceparent` with it.
    #[must_use]
    pub fn read(parent: &str, state: Option<&str>) -> Option<Self> {
        let parent = read_parent(parent.trim_matches([' ', '\t']))?;
        let state = state.map(|state| state.trim_matches([' ', '\t']));
        let state = state.filter(|state| is_state(state)).map(Box::from);
        Some(Self(Arc::new(Inner { parent, state })))
    }

    /// The value of `traceparent`.
    #[must_use]
    pub fn parent(&self) -> &str {
        &self.0.parent
    }

    /// The value of `tracestate`.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.0.state.as_deref()
    }

    /// The trace, in 32 hexadecimal digits.
    #[must_use]
    pub fn trace_id(&self) -> &str {
        &self.0.parent[3..35]
    }

    /// The span that is the parent, in 16 hexadecimal digits.
    #[must_use]
    pub fn span_id(&self) -> &str {
        &self.0.parent[36..52]
    }

    /// Whether the caller records it.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        u8::from_str_radix(&self.0.parent[53..], 16).is_ok_and(|flags| flags & 1 == 1)
    }

    /// The names and values to pass on: `traceparent`, and `tracestate` if there is one.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let state = self.state().map(|state| (TRACESTATE, state));
        std::iter::once((TRACEPARENT, self.parent())).chain(state)
    }
}

impl fmt::Debug for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TraceContext").field(&self.parent()).finish()
    }
}

/// As version 00, which is what we know. What a later version has beyond it is left out.
fn read_parent(text: &str) -> Option<Box<str>> {
    // Every place below is then the beginning of a character.
    let known = text.is_ascii().then(|| text.get(..LENGTH)).flatten()?;
    let rest = &text[LENGTH..];
    let (version, fields) = (&known[..2], &known[2..]);
    let is_id = |id: &str| is_hex(id) && id.bytes().any(|digit| digit != b'0');
    let dashes = [2, 35, 52]
        .iter()
        .all(|at| known.as_bytes().get(*at) == Some(&b'-'));
    let is_valid = dashes
        && is_hex(version)
        && version != "ff"
        && is_id(&known[3..35])
        && is_id(&known[36..52])
        && is_hex(&known[53..]);
    let ends = match version {
        "00" => rest.is_empty(),
        _ => rest.is_empty() || rest.starts_with('-'),
    };
    (is_valid && ends).then(|| format!("00{fields}").into())
}

fn is_hex(text: &str) -> bool {
    text.bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_state(text: &str) -> bool {
    if text.len() > STATE_LENGTH {
        return false;
    }
    let members = text
        .split(',')
        .map(|member| member.trim_matches([' ', '\t']));
    let members: Vec<&str> = members.filter(|member| !member.is_empty()).collect();
    (1..=MEMBERS).contains(&members.len()) && members.into_iter().all(is_member)
}

fn is_member(member: &str) -> bool {
    let Some((key, value)) = member.split_once('=') else {
        return false;
    };
    let is_key_byte =
        |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/' | b'@');
    let is_key = (1..=256).contains(&key.len())
        && key.bytes().all(is_key_byte)
        && key.starts_with(|first: char| first.is_ascii_alphanumeric());
    let is_value_byte = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'=';
    is_key && (1..=256).contains(&value.len()) && value.bytes().all(is_value_byte)
}

#[cfg(test)]
mod tests {
    use super::TraceContext;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    fn parent(text: &str) -> Option<String> {
        TraceContext::read(text, None).map(|trace| trace.parent().to_owned())
    }

    #[test]
    fn the_parts_of_a_parent() {
        let trace = TraceContext::read(&format!(" 00-{TRACE}-{SPAN}-01\t"), None).unwrap();
        assert_eq!((trace.trace_id(), trace.span_id()), (TRACE, SPAN));
        assert!(trace.is_sampled());
        assert_eq!(trace.state(), None);
        let trace = TraceContext::read(&format!("00-{TRACE}-{SPAN}-02"), None).unwrap();
        assert!(!trace.is_sampled());
    }

    #[test]
    fn invalid_parents_are_not_there() {
        let zeros = "0".repeat(32);
        for text in [
            String::new(),
            "00".to_owned(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-1"),
            format!("00-{TRACE}-{SPAN}-0x"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("00-{TRACE}-{SPAN}-01."),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("0-{TRACE}-{SPAN}-01"),
            format!("FF-{TRACE}-{SPAN}-01"),
            format!("00_{TRACE}-{SPAN}-01"),
            format!("00-{zeros}-{SPAN}-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("cc-{TRACE}-{SPAN}-01.what"),
            format!("00-{}é-{SPAN}-01", &TRACE[..30]),
            "é".repeat(60),
        ] {
            assert_eq!(parent(&text), None, "{text}");
        }
    }

    #[test]
    fn a_later_version_is_read_as_far_as_it_is_known() {
        let known = format!("00-{TRACE}-{SPAN}-01");
        for later in [
            format!("cc-{TRACE}-{SPAN}-01"),
            format!("01-{TRACE}-{SPAN}-01-what-ever"),
        ] {
            assert_eq!(parent(&later).as_deref(), Some(&*known), "{later}");
        }
    }

    #[test]
    fn an_invalid_state_leaves_the_parent() {
        let parent = format!("00-{TRACE}-{SPAN}-01");
        let state = |state: &str| {
            let trace = TraceContext::read(&parent, Some(state)).unwrap();
            trace.state().map(str::to_owned)
        };
        for valid in [
            "a=1",
            "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
            "1a-2f@foo=1, b=x y",
        ] {
            assert_eq!(state(valid).as_deref(), Some(valid));
        }
        let (many, long) = (vec!["a=1"; 33].join(","), format!("a={}", "1".repeat(257)));
        for invalid in [
            "", "a", "a=", "=1", "A=1", "a=1=2", "a=é", "a=\u{7}", ",", &many, &long,
        ] {
            assert_eq!(state(invalid), None, "{invalid}");
        }
    }
}
