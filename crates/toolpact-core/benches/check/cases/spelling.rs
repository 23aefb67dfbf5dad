//! The same JSON, as different programs write it.

/// Where white space stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Nowhere.
    Compact,
    /// Behind each comma and colon: `json.dumps` of Python, and most models.
    Spaced,
    /// Each member and element on a line of its own, indented by two: `JSON.stringify(value, null, 2)`.
    Pretty,
}

impl Spelling {
    pub(crate) const ALL: [Self; 3] = [Self::Compact, Self::Spaced, Self::Pretty];

    /// Spells compact JSON like this.
    pub(crate) fn of(self, compact: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(compact.len() * 2);
        let (mut quoted, mut escaped, mut level) = (false, false, 0);
        let mut bytes = compact.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            let structural = !quoted;
            quoted ^= byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            if structural && matches!(byte, b'}' | b']') {
                level -= 1;
                self.line(&mut out, level);
            }
            out.push(byte);
            match byte {
                b'{' | b'[' if structural => match bytes.peek() {
                    Some(close @ (b'}' | b']')) => {
                        out.push(*close);
                        bytes.next();
                    }
                    _ => {
                        level += 1;
                        self.line(&mut out, level);
                    }
                },
                b',' if structural && self == Self::Pretty => self.line(&mut out, level),
                b',' | b':' if structural && self != Self::Compact => out.push(b' '),
                _ => {}
            }
        }
        out
    }

    fn line(self, out: &mut Vec<u8>, level: usize) {
        if self == Self::Pretty {
            out.push(b'\n');
            out.resize(out.len() + 2 * level, b' ');
        }
    }
}
