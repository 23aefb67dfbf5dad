//! Deserializes any serde type from JSON that is known to be valid.
//!
//! A text that was checked before is not validated again; only the ends of tokens are searched for.
//! Safety does not depend on the text being valid, but mistakes in it are not reported, and it may
//! be read as a different value.

mod access;
mod key;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::de::{Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use access::{Items, Unit, Variant};

use super::{Number, Whole, scan, string};

type Error = serde_json::Error;

/// Deserializes a type from JSON text that was checked before.
///
/// Whole numbers are integers however they are spelled: `3.0` can be read as an `i64`.
///
/// ```
/// use toolpact_core::json::from_valid;
///
/// let days: Vec<u8> = from_valid("[1, 2.0, 3e0]")?;
/// assert_eq!(days, [1, 2, 3]);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn from_valid<'de, T: serde::Deserialize<'de>>(json: &'de str) -> Result<T, Error> {
    T::deserialize(&mut Reader::new(json))
}

/// The deepest nesting, because serde recurses.
const DEPTH: u32 = 128;

struct Reader<'de> {
    text: &'de str,
    at: usize,
    depth: u32,
}

impl<'de> Reader<'de> {
    fn new(text: &'de str) -> Self {
        Self {
            text,
            at: 0,
            depth: DEPTH,
        }
    }

    fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    /// Skips white space and returns the next byte; 0 at the end.
    #[inline(always)]
    fn peek(&mut self) -> u8 {
        match self.text.as_bytes().get(self.at) {
            Some(byte) if *byte > b' ' => *byte,
            _ => self.peek_behind_space(),
        }
    }

    #[cold]
    fn peek_behind_space(&mut self) -> u8 {
        let bytes = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let space = bytes
            .iter()
            .position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
        self.at += space.unwrap_or(bytes.len());
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Consumes `byte` if it is next.
    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    #[inline(always)]
    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        match self.take(byte) {
            true => Ok(()),
            false => Err(self.missing(byte)),
        }
    }

    #[cold]
    fn missing(&mut self, byte: u8) -> Error {
        self.unexpected(&format!("`{}`", char::from(byte)).as_str())
    }

    /// The text between the quotes of a string, and whether it has escapes.
    #[inline]
    fn quoted(&mut self) -> Result<(&'de str, bool), Error> {
        self.expect(b'"')?;
        let bytes = self.text.as_bytes();
        let (start, mut at, mut escaped) = (self.at, self.at, false);
        loop {
            at += ordinary(bytes, at);
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                }
                Some(_) => at += 1,
                None => return Err(self.unexpected(&"the end of a string")),
            }
        }
        self.at = at + 1;
        match self.text.get(start..at) {
            Some(inner) => Ok((inner, escaped)),
            None => Err(self.unexpected(&"a string")),
        }
    }

    #[inline]
    fn string(&mut self) -> Result<Cow<'de, str>, Error> {
        let (inner, escaped) = self.quoted()?;
        Ok(match escaped {
            true => string::decode(inner),
            false => Cow::Borrowed(inner),
        })
    }

    /// A number or one of the words `true`, `false` and `null`.
    fn word(&mut self) -> &'de str {
        self.peek();
        let bytes = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
        let length = bytes.iter().position(ends).unwrap_or(bytes.len());
        let word = self.text.get(self.at..self.at + length).unwrap_or_default();
        self.at += length;
        word
    }

    fn unexpected(&mut self, expected: &dyn serde::de::Expected) -> Error {
        let found = match self.peek() {
            b'"' => Unexpected::Other("a string"),
            b'{' => Unexpected::Map,
            b'[' => Unexpected::Seq,
            b't' => Unexpected::Bool(true),
            b'f' => Unexpected::Bool(false),
            b'n' => Unexpected::Unit,
            0 => Unexpected::Other("the end"),
            _ => Unexpected::Other("a number"),
        };
        Error::invalid_type(found, expected)
    }

    /// Runs `read` one level of nesting deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.depth = self
            .depth
            .checked_sub(1)
            .ok_or_else(|| Error::custom("nested too deeply"))?;
        let value = read(self)?;
        self.depth += 1;
        Ok(value)
    }

    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let text = self.word();
        if let Some(integer) = small(text.as_bytes()) {
            return visitor.visit_i64(integer);
        }
        let float = read_float(text)?;
        match Number::new(text).whole() {
            Whole::Integer(integer) => visitor.visit_i64(integer),
            _ => match text.parse::<u64>() {
                Ok(integer) => visitor.visit_u64(integer),
                Err(_) => visitor.visit_f64(float),
            },
        }
    }

    /// Reads a number as it is written, so that types that keep numbers as floats get floats.
    fn float<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let text = self.word();
        match small(text.as_bytes()) {
            Some(integer) => visitor.visit_i64(integer),
            None => visitor.visit_f64(read_float(text)?),
        }
    }
}

/// How many bytes from `from` on are ordinary: no quote, backslash or control character.
#[inline(always)]
fn ordinary(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let found = scan::step(chunk).ordinary;
        at += found;
        if found < scan::STEP {
            return at - from;
        }
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| !scan::is_ordinary(*byte));
    at - from + length.unwrap_or(rest.len())
}

/// Rust accepts more spellings of floats than JSON, such as `inf`.
fn read_float(text: &str) -> Result<f64, Error> {
    let is_number = text
        .bytes()
        .all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    let float = text.parse().ok().filter(|_| is_number);
    float.ok_or_else(|| Error::custom("expected a number"))
}

/// Fast path for integers of at most 18 digits, which nearly all are.
fn small(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value = 0;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    // `-0` is a float.
    (!negative || value != 0).then_some(if negative { -value } else { value })
}

/// Methods that read the same way as another; the visitor refuses what does not fit.
macro_rules! read_as {
    ($($same:ident: $($method:ident($($type:ty),*))*;)*) => {$($(
        fn $method<V: Visitor<'de>>(self, $(_: $type,)* visitor: V) -> Result<V::Value, Error> {
            self.$same(visitor)
        }
    )*)*};
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            b'"' => self.deserialize_str(visitor),
            b'{' => self.deserialize_map(visitor),
            b'[' => self.deserialize_seq(visitor),
            b'-' | b'0'..=b'9' => {
                let start = self.at;
                let word = self.word();
                let spelled_whole = !word.contains(['.', 'e', 'E']) && word != "-0";
                self.at = start;
                match spelled_whole {
                    true => self.number(visitor),
                    false => self.float(visitor),
                }
            }
            _ => match self.word() {
                "true" => visitor.visit_bool(true),
                "false" => visitor.visit_bool(false),
                "null" => visitor.visit_unit(),
                _ => Err(Error::custom("expected a JSON value")),
            },
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.peek() != b'"' {
            return Err(self.unexpected(&visitor));
        }
        match self.string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if !self.take(b'[') {
            return Err(self.unexpected(&visitor));
        }
        self.deeper(|reader| {
            let mut items = Items::new(reader);
            let value = visitor.visit_seq(&mut items)?;
            match items.reader().take(b']') {
                true => Ok(value),
                false => Err(Error::custom("expected fewer elements")),
            }
        })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if !self.take(b'{') {
            return Err(self.unexpected(&visitor));
        }
        self.deeper(|reader| {
            let mut items = Items::new(reader);
            let value = visitor.visit_map(&mut items)?;
            match items.reader().take(b'}') {
                true => Ok(value),
                false => Err(Error::custom("expected fewer members")),
            }
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.peek() {
            b'[' => self.deserialize_seq(visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            b'n' => {
                self.word();
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.peek() {
            b'"' => visitor.visit_enum(Unit(self)),
            b'{' => self.deeper(|reader| {
                reader.expect(b'{')?;
                let value = visitor.visit_enum(Variant(reader))?;
                reader.expect(b'}')?;
                Ok(value)
            }),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            b'-' | b'0'..=b'9' => self.float(visitor),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            b'-' | b'0'..=b'9' => {
                let text = self.word();
                read_float(text)?;
                let float = text.parse().unwrap_or(f32::INFINITY);
                match float.is_finite() {
                    true => visitor.visit_f32(float),
                    false => Err(Error::custom("expected a smaller number")),
                }
            }
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            b'-' | b'0'..=b'9' => self.number(visitor),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            b'[' => self.deserialize_seq(visitor),
            _ => self.deserialize_str(visitor),
        }
    }

    read_as! {
        deserialize_i64: deserialize_i8() deserialize_i16() deserialize_i32() deserialize_u8()
            deserialize_u16() deserialize_u32() deserialize_u64() deserialize_i128()
            deserialize_u128();
        deserialize_str: deserialize_string() deserialize_identifier() deserialize_char();
        deserialize_seq: deserialize_tuple(usize) deserialize_tuple_struct(&'static str, usize);
        deserialize_bytes: deserialize_byte_buf();
    }

    forward_to_deserialize_any! { bool unit unit_struct ignored_any }
}
