//! One line of JSON, written member by member: whoever audits a call waits for it, and serde takes three times as long.

use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use serde::Serialize;
use toolpact_core::model::Digest;

/// An object that is being written.
pub(super) struct Line<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
}

impl<'o> Line<'o> {
    pub(super) fn begin(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        let is_empty = true;
        Self { out, is_empty }
    }

    pub(super) fn end(self) {
        self.out.push(b'}');
    }

    /// A member that is an object itself.
    pub(super) fn object(&mut self, key: &str, members: impl FnOnce(&mut Line<'_>)) {
        self.key(key);
        let mut inner = Line::begin(self.out);
        members(&mut inner);
        inner.end();
    }

    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
        match text.as_bytes().iter().all(is_plain) {
            true => self.quoted(text.as_bytes()),
            false => self.serialize(text),
        }
    }

    pub(super) fn text_if_some(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    pub(super) fn number(&mut self, key: &str, number: u64) {
        self.key(key);
        self.serialize(&number);
    }

    pub(super) fn digest(&mut self, key: &str, digest: Digest) {
        self.key(key);
        self.quoted(&digest.digits());
    }

    /// JSON as it is.
    pub(super) fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.out.extend_from_slice(json.as_bytes());
    }

    /// What is written too rarely to be worth a way of its own.
    pub(super) fn value(&mut self, key: &str, value: &(impl Serialize + ?Sized)) {
        self.key(key);
        self.serialize(value);
    }

    /// The time of now, in UTC and to the microsecond, as in RFC 3339.
    pub(super) fn now(&mut self, key: &str) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.unwrap_or_default();
        self.key(key);
        let mut micros = *b".000000Z";
        let mut rest = since.subsec_micros();
        for digit in micros[1..7].iter_mut().rev() {
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
            rest /= 10;
        }
        self.out.push(b'"');
        self.out.extend_from_slice(&second(since));
        self.out.extend_from_slice(&micros);
        self.out.push(b'"');
    }

    fn key(&mut self, key: &str) {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push(b',');
        }
        self.quoted(key.as_bytes());
        self.out.push(b':');
    }

    fn quoted(&mut self, plain: &[u8]) {
        self.out.push(b'"');
        self.out.extend_from_slice(plain);
        self.out.push(b'"');
    }

    fn serialize(&mut self, value: &(impl Serialize + ?Sized)) {
        if let Err(error) = serde_json::to_writer(&mut *self.out, value) {
            // Nothing of it can fail to be written to memory.
            tracing::error!(target: "toolpact", %error, "a part of a call could not be written down");
            self.out.extend_from_slice(b"null");
        }
    }
}

/// `2026-11-19T07:07:22` of a time since 1970. Many calls end in the same second.
fn second(since: Duration) -> [u8; 19] {
    thread_local! {
        static LAST: Cell<(u64, [u8; 19])> = const { Cell::new((0, *b"1970-01-01T00:00:00")) };
    }
    let seconds = since.as_secs();
    let (known, text) = LAST.get();
    if known == seconds {
        return text;
    }
    let timestamp = i64::try_from(seconds).ok();
    let timestamp = timestamp.and_then(|seconds| Timestamp::from_second(seconds).ok());
    let written = timestamp.unwrap_or_default().to_string();
    let text = written.as_bytes().first_chunk().copied().unwrap_or(text);
    LAST.set((seconds, text));
    text
}

#[cfg(test)]
mod tests {
    use super::{Digest, Duration, Line, Timestamp, second};

    #[test]
    fn a_line_is_what_serde_would_write() {
        let texts = [
            "",
            "plain",
            "quo\"te",
            "back\\slash",
            "new\nline",
            "\u{1}",
            "über",
            "a/b",
        ];
        let digest = Digest::of(b"x");
        let mut out = Vec::new();
        let mut line = Line::begin(&mut out);
        for text in texts {
            line.text("text", text);
        }
        line.text_if_some("none", None);
        line.number("number", u64::MAX);
        line.object("object", |inner| inner.text("a", "b"));
        line.object("empty", |_| {});
        line.digest("digest", digest);
        line.raw("raw", "[1, 2]");
        line.value("value", &[1, 2]);
        line.end();
        let texts = texts.map(|text| format!("\"text\":{}", serde_json::to_string(text).unwrap()));
        let expected = format!(
            r#"{{{},"number":18446744073709551615,"object":{{"a":"b"}},"empty":{{}},"digest":"{digest}","raw":[1, 2],"value":[1,2]}}"#,
            texts.join(",")
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn the_time_is_now() {
        let before = Timestamp::now();
        let mut out = Vec::new();
        let mut line = Line::begin(&mut out);
        line.now("time");
        line.end();
        let after = Timestamp::now();
        let text = String::from_utf8(out).unwrap();
        let time = text.strip_prefix(r#"{"time":""#).unwrap();
        let time: Timestamp = time.strip_suffix("\"}").unwrap().parse().unwrap();
        let micros = |time: Timestamp| time.as_microsecond();
        assert!(
            micros(before) <= micros(time) && micros(time) <= micros(after),
            "{text}"
        );
        assert_eq!(
            text.len(),
            r#"{"time":"2026-11-19T07:07:22.123456Z"}"#.len()
        );
    }

    #[test]
    fn seconds_are_those_of_jiff() {
        for seconds in [
            0,
            1,
            1,
            951_782_400,
            1_763_536_042,
            1_763_536_043,
            253_402_207_200,
        ] {
            let expected = Timestamp::from_second(seconds).unwrap().to_string();
            let since = Duration::from_secs(seconds.unsigned_abs());
            let text = String::from_utf8(second(since).to_vec()).unwrap();
            assert_eq!(format!("{text}Z"), expected);
        }
    }
}
