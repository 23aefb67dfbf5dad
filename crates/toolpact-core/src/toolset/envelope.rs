//! Splits calls and results by their first bytes, without looking into what they carry.
//!
//! The carried value is assumed to reach to the last brace. If it turns out to be one JSON value,
//! the whole is an object with these members and no others. Other spellings are left to the
//! document reader.

use crate::json::scan::is_space;

/// The name and the arguments of a call that is written as `{"name": …, "args": …}`, recognised by
/// its first bytes. `None` if it is written in another way, or is not a call.
///
/// The arguments reach to the last brace and have not been checked: if they are one valid JSON
/// value, the whole is a call.
#[must_use]
pub fn split_call(json: &[u8]) -> Option<(&str, &[u8])> {
    let (name, rest) = named(json)?;
    let args = member(rest, b"args")?;
    Some((name, inside(args)?))
}

/// The name and the content of `{"name": …, "status": "SUCCESS", "content": …}`, recognised by its first bytes. The
/// content is as the arguments of [`split_call`] are: not checked.
#[must_use]
pub fn split_success(json: &[u8]) -> Option<(&str, &[u8])> {
    let (name, start) = success_head(json)?;
    Some((name, inside(json.get(start..)?)?))
}

/// The name of a [`split_success`], and where its content begins, of its first bytes: the rest need not be there.
#[must_use]
pub fn success_head(json: &[u8]) -> Option<(&str, usize)> {
    let (name, rest) = named(json)?;
    let (status, rest) = plain(member(rest, b"status")?)?;
    let content = member(rest, b"content").filter(|_| status == "SUCCESS")?;
    Some((name, json.len() - content.len()))
}

/// The name, and what follows it.
fn named(json: &[u8]) -> Option<(&str, &[u8])> {
    plain(key(token(json, b'{')?, b"name")?)
}

/// The next member: what follows its colon.
fn member<'a>(rest: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    key(token(rest, b',')?, name)
}

fn key<'a>(rest: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = token(rest, b'"')?.strip_prefix(name)?;
    token(rest.strip_prefix(b"\"")?, b':').map(space)
}

/// A string without escapes, and what follows it.
fn plain(rest: &[u8]) -> Option<(&str, &[u8])> {
    let rest = token(rest, b'"')?;
    let special = |b: &u8| matches!(b, b'"' | b'\\' | 0..=0x1f);
    let (text, rest) = rest.split_at(rest.iter().position(special)?);
    Some((std::str::from_utf8(text).ok()?, rest.strip_prefix(b"\"")?))
}

/// All but the last brace.
fn inside(rest: &[u8]) -> Option<&[u8]> {
    let end = rest.iter().rposition(|b| !is_space(*b))?;
    rest.get(..=end)?.strip_suffix(b"}")
}

fn token(rest: &[u8], token: u8) -> Option<&[u8]> {
    space(rest).strip_prefix(&[token])
}

fn space(rest: &[u8]) -> &[u8] {
    let start = rest.iter().position(|b| !is_space(*b));
    rest.get(start.unwrap_or(rest.len())..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{split_call, split_success as success};

    fn parts<'a>(found: Option<(&'a str, &'a [u8])>) -> Option<(&'a str, &'a str)> {
        found.map(|(name, rest)| (name, std::str::from_utf8(rest).unwrap()))
    }

    #[test]
    fn calls() {
        let of = |json: &'static str| parts(split_call(json.as_bytes()));
        assert_eq!(of(r#"{"name":"f","args":{}}"#), Some(("f", "{}")));
        let spaced = " { \"name\" :\t\"f é\" ,\r\n\"args\" : {\"a\": 1} } \n";
        assert_eq!(of(spaced), Some(("f é", "{\"a\": 1} ")));
        // The carried value is not looked at.
        assert_eq!(
            of(r#"{"name":"f","args":{},"x":1}"#),
            Some(("f", r#"{},"x":1"#))
        );
        for other in [
            "",
            "{",
            "{}",
            "null",
            r#"{"name"}"#,
            r#"{"name":"f"}"#,
            r#"{"name":"f","args""#,
            r#"{"args":{},"name":"f"}"#,
            r#"{"n\u0061me":"f","args":{}}"#,
            r#"{"name":"\u0066","args":{}}"#,
            r#"{"name":5,"args":{}}"#,
            "{\"name\":\"f\n\",\"args\":{}}",
            r#"{"name":"f","args":{"#,
            r#"{"name":"f","arg":{}}"#,
        ] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(split_call(b"{\"name\":\"\xff\",\"args\":{}}"), None);
    }

    #[test]
    fn results() {
        let of = |json: &'static str| parts(success(json.as_bytes()));
        let whole = r#"{"name": "f", "status": "SUCCESS", "content": [1]}"#;
        assert_eq!(of(whole), Some(("f", "[1]")));
        for other in [
            r#"{"name": "f", "status": "ERROR", "error": {"message": "No."}}"#,
            r#"{"name": "f", "status": "success", "content": 1}"#,
            r#"{"name": "f", "content": 1, "status": "SUCCESS"}"#,
            r#"{"name": "f", "status": "SUCCESS"}"#,
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
