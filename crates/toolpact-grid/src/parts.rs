//! A long body, of which the parts come one by one.

use simdutf8::compat::from_utf8;
use toolpact::core::toolset::success_head;

/// What has come of it. Each part is looked at when it comes, while the next is on its way, and given up then.
#[derive(Default)]
pub(crate) struct Parts {
    /// Of a success: the tool, and what comes before the content.
    head: Option<(Box<str>, String)>,
    /// The rest, as far as it has whole characters.
    text: String,
    /// The first bytes of a character whose others are in the next part.
    begun: Vec<u8>,
    /// How many bytes have come.
    length: usize,
}

/// It is not UTF-8.
#[derive(Debug, PartialEq)]
pub(crate) struct NotText;

impl Parts {
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Makes room for so many bytes, so that none is moved when more come. Without room for all, it is made as they come.
    pub(crate) fn expect(&mut self, length: usize) {
        let _ = self
            .text
            .try_reserve_exact(length.saturating_sub(self.length));
    }

    pub(crate) fn add(&mut self, part: &[u8]) -> Result<(), NotText> {
        let is_first = self.length == 0;
        self.length += part.len();
        let rest = self.end_character(part)?;
        let text = self.begin_character(rest)?;
        let head = match is_first {
            true => success_head(text.as_bytes()),
            false => None,
        };
        let start = head.map_or(0, |(_, start)| start);
        let (before, text) = text.split_at_checked(start).ok_or(NotText)?;
        self.head = self
            .head
            .take()
            .or(head.map(|(tool, _)| (tool.into(), before.to_owned())));
        self.text.push_str(text);
        Ok(())
    }

    /// All of it. Begins anew.
    pub(crate) fn whole(&mut self) -> Result<String, NotText> {
        let all = std::mem::take(self);
        let text = match all.head {
            Some((_, head)) => head + &all.text,
            None => all.text,
        };
        match all.begun.is_empty() {
            true => Ok(text),
            false => Err(NotText),
        }
    }

    /// The tool and the content of a success. Begins anew, if it is one.
    pub(crate) fn content(&mut self) -> Option<(Box<str>, String)> {
        let end = self.text.trim_ascii_end().strip_suffix('}')?.len();
        let (tool, _) = self.head.take_if(|_| self.begun.is_empty())?;
        let mut content = std::mem::take(self).text;
        content.truncate(end);
        Some((tool, content))
    }

    /// Adds the character that the last part has begun. Returns what comes after it.
    fn end_character<'p>(&mut self, mut part: &'p [u8]) -> Result<&'p [u8], NotText> {
        while !self.begun.is_empty() {
            let Some((byte, rest)) = part.split_first() else {
                return Ok(part);
            };
            self.begun.push(*byte);
            part = rest;
            match std::str::from_utf8(&self.begun) {
                Ok(character) => {
                    self.text.push_str(character);
                    self.begun.clear();
                }
                Err(error) if error.error_len().is_some() => return Err(NotText),
                Err(_) => {}
            }
        }
        Ok(part)
    }

    /// The whole characters of a part. The bytes of another at its end are kept.
    fn begin_character<'p>(&mut self, part: &'p [u8]) -> Result<&'p str, NotText> {
        let error = match from_utf8(part) {
            Ok(text) => return Ok(text),
            Err(error) if error.error_len().is_some() => return Err(NotText),
            Err(error) => error,
        };
        let (text, begun) = part.split_at(error.valid_up_to());
        self.begun.extend_from_slice(begun);
        from_utf8(text).map_err(|_| NotText)
    }
}

#[cfg(test)]
mod tests {
    use super::{NotText, Parts};

    fn parts<'p>(all: impl IntoIterator<Item = &'p [u8]>) -> Result<Parts, NotText> {
        let mut parts = Parts::default();
        all.into_iter().try_for_each(|part| parts.add(part))?;
        Ok(parts)
    }

    /// However it is cut into three.
    fn cuts(text: &str) -> impl Iterator<Item = [&[u8]; 3]> {
        let bytes = text.as_bytes();
        (0..=bytes.len()).flat_map(move |end| {
            (0..=end).map(move |start| [&bytes[..start], &bytes[start..end], &bytes[end..]])
        })
    }

    #[test]
    fn a_text_is_whole_however_it_was_cut() {
        for text in [
            "",
            "plain",
            "ä€😀",
            r#"{"name":"t","status":"SUCCESS","content":"ä😀"} "#,
        ] {
            for cut in cuts(text) {
                let mut parts = parts(cut).unwrap();
                assert_eq!(parts.length(), text.len());
                assert_eq!(parts.whole().as_deref(), Ok(text), "{cut:?}");
                assert_eq!((parts.length(), parts.whole().as_deref()), (0, Ok("")));
            }
        }
    }

    #[test]
    fn a_success_gives_its_content() {
        let text = r#"{"name":"t","status":"SUCCESS","content":"ä😀"} "#;
        for cut in cuts(text) {
            let mut parts = parts(cut).unwrap();
            let whole = Some(("t".into(), r#""ä😀""#.to_owned()));
            match parts.content() {
                None => assert!(cut[0].len() < 41, "{cut:?}"),
                found => assert_eq!(found, whole, "{cut:?}"),
            }
        }
        for other in [
            r#"{"status":"SUCCESS","name":"t","content":1}"#,
            r#"{"name":"t","status":"SUCCESS","content":1"#,
            r#"{"name":"t","status":"ERROR","error":{}}"#,
        ] {
            let mut parts = parts([other.as_bytes()]).unwrap();
            assert_eq!(parts.content(), None);
            assert_eq!(parts.whole().as_deref(), Ok(other));
        }
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let euro = "€".as_bytes();
        for wrong in [&b"a\xff"[..], b"\xe2\x82a", b"\xed\xa0\x80"] {
            for end in 0..=wrong.len() {
                let (before, after) = wrong.split_at(end);
                assert!(parts([before, after]).is_err(), "{wrong:?} {end}");
            }
        }
        let mut begun = parts([euro, &euro[..2]]).unwrap();
        assert_eq!(begun.content(), None);
        assert_eq!(begun.whole(), Err(NotText));
    }
}
