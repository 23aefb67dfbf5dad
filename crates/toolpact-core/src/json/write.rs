use std::fmt::Write as _;

/// Writes compact JSON piece by piece. It keeps no stack, so nesting is unlimited.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    out: String,
    comma: bool,
}

impl Writer {
    pub(crate) fn finish(self) -> String {
        self.out
    }

    /// The offset at which the next value or key will begin.
    pub(crate) fn mark(&mut self) -> usize {
        self.separate();
        self.comma = false;
        self.out.len()
    }

    /// The text written so far.
    pub(crate) fn text(&self) -> &str {
        &self.out
    }

    pub(crate) fn begin_object(&mut self) -> &mut Self {
        self.open('{')
    }

    pub(crate) fn end_object(&mut self) -> &mut Self {
        self.close('}')
    }

    pub(crate) fn begin_array(&mut self) -> &mut Self {
        self.open('[')
    }

    pub(crate) fn end_array(&mut self) -> &mut Self {
        self.close(']')
    }

    pub(crate) fn key(&mut self, key: &str) -> &mut Self {
        self.string(key).colon()
    }

    pub(crate) fn string(&mut self, value: &str) -> &mut Self {
        self.separate();
        quote(&mut self.out, value);
        self.comma = true;
        self
    }

    /// Turns the string just written into a key.
    pub(crate) fn colon(&mut self) -> &mut Self {
        self.out.push(':');
        self.comma = false;
        self
    }

    /// An array of strings.
    pub(crate) fn strings<'a>(&mut self, values: impl IntoIterator<Item = &'a str>) -> &mut Self {
        self.begin_array();
        for value in values {
            self.string(value);
        }
        self.end_array()
    }

    /// JSON text as it is: a number, a literal, a whole value.
    pub(crate) fn raw(&mut self, json: &str) -> &mut Self {
        self.separate();
        self.out.push_str(json);
        self.comma = true;
        self
    }

    fn open(&mut self, bracket: char) -> &mut Self {
        self.separate();
        self.out.push(bracket);
        self.comma = false;
        self
    }

    fn close(&mut self, bracket: char) -> &mut Self {
        self.out.push(bracket);
        self.comma = true;
        self
    }

    fn separate(&mut self) {
        if self.comma {
            self.out.push(',');
        }
    }
}

/// Escapes as RFC 8785 does: short escapes where they exist, all other characters unescaped.
fn quote(out: &mut String, value: &str) {
    out.push('"');
    let mut rest = value;
    while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}
