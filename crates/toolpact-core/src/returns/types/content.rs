//! Bytes and addresses, for files and media.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

use super::result_node::ResultNode;
use crate::Error;
use crate::model::Digest;
use crate::returns::meaning::formats;
use crate::text::shorten;

/// Bytes, written in Base64.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Bytes(pub(super) Box<[u8]>);

impl Bytes {
    pub(super) fn size(&self) -> u64 {
        u64::try_from(self.0.len()).unwrap_or(u64::MAX)
    }

    /// In hexadecimal.
    pub(super) fn sha256(&self) -> String {
        Digest::of(&self.0).to_string()
    }

    pub(super) fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let decoded = STANDARD.decode(part.text()?.as_bytes());
        let bytes = decoded.map_err(|error| part.fail(format!("expected Base64: {error}")))?;
        Ok(Self(bytes.into()))
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// An absolute URI, or an error.
pub(super) fn uri(text: &str) -> Result<Box<str>, Error> {
    match formats::URI.accepts(text) {
        true => Ok(text.into()),
        false => Err(Error::at(
            "url",
            format!("expected a whole URI, found `{}`", shorten(text)),
        )),
    }
}

pub(super) fn read_uri(part: &ResultNode<'_>) -> Result<Box<str>, Error> {
    uri(&part.text()?).map_err(|error| part.fail(error.message()))
}

/// The declared size, or that of the data.
pub(super) fn read_size(part: &ResultNode<'_>, data: Option<&Bytes>) -> Result<Option<u64>, Error> {
    let given = part.optional("size", |part| part.count(0))?;
    Ok(given.or(data.map(Bytes::size)))
}

/// Requires the content or its address.
pub(super) fn require_content(part: &ResultNode<'_>) -> Result<(), Error> {
    match part.get("url").is_some() || part.get("data").is_some() {
        true => Ok(()),
        false => Err(part.fail("expected `url` or `data`, found neither")),
    }
}
