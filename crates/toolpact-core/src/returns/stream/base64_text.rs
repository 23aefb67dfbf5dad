//! The data of chunks as text: base64 with the standard alphabet and padding.

use base64::DecodeError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::chunk::SEND_AGAIN;
use crate::error::{Error, ErrorKind as Kind};

/// As a JSON string.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4 + 2);
    out.push('"');
    BASE64.encode_string(bytes, &mut out);
    out.push('"');
    out
}

/// The bytes of a text. Only the canonical text is accepted: padding and unused bits must be right.
pub(super) fn decode(text: &str, chunk: &str) -> Result<Vec<u8>, Error> {
    BASE64.decode(text).map_err(|error| {
        let cut_short = !text.len().is_multiple_of(4) && text.bytes().all(is_symbol);
        let (kind, message) = match cut_short {
            true => (Kind::Truncated, ends_early(text)),
            false => (Kind::Base64, wrong_symbol(text, &error)),
        };
        Error::stream(kind, format!("{chunk}, /data"), message, SEND_AGAIN)
    })
}

fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn ends_early(text: &str) -> String {
    format!(
        "expected base64 in whole groups of four characters, found {} characters",
        text.len()
    )
}

fn wrong_symbol(text: &str, error: &DecodeError) -> String {
    let found = match *error {
        DecodeError::InvalidByte(at, _) => format!("{} at {at}", symbol(text, at)),
        DecodeError::InvalidLastSymbol(at, _) => {
            format!(
                "{} at {at} with bits that belong to no byte",
                symbol(text, at)
            )
        }
        DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => {
            "padding that does not fit its length".to_owned()
        }
    };
    format!("expected base64 as it is written with the standard alphabet, found {found}")
}

/// The character at a byte, which may be in the middle of it.
fn symbol(text: &str, at: usize) -> String {
    let found = text
        .char_indices()
        .find(|(start, c)| at < start + c.len_utf8());
    match found {
        Some((_, c)) if c.is_control() => format!("U+{:04X}", u32::from(c)),
        Some((_, c)) => format!("`{c}`"),
        None => "the end of the text".to_owned(),
    }
}
