//! The bytes in results, to be written to files.

use anyhow::{Context as _, bail};
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::stream::{Assembler, Chunk};
use toolpact_core::returns::types::{FileResult, MediaResult, StandardResult as _};
use toolpact_core::returns::{Returns, StandardError, StandardType};

/// A result that is binary content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    File,
    Media,
    Chunk,
}

/// Why there is no file.
const UNWRITTEN: &str = "nothing was written";

impl Carrier {
    pub(super) fn of(contract: &Contract) -> Option<Self> {
        let Returns::Standard { standard, .. } = contract.returns() else {
            return None;
        };
        match standard {
            StandardType::FileResult => Some(Self::File),
            StandardType::MediaResult => Some(Self::Media),
            StandardType::ChunkedData => Some(Self::Chunk),
            _ => None,
        }
    }

    /// The bytes in a result and in the messages before it, and a remark about them.
    pub(super) fn content(
        self,
        result: &str,
        items: &[String],
    ) -> anyhow::Result<(Vec<u8>, String)> {
        let value = Value::from_json(result).context("the result is no JSON")?;
        match self {
            Self::File => {
                let file = FileResult::from_value(&value)?.into_result()?;
                Ok((there(file.content(), file.url())?, String::new()))
            }
            Self::Media => {
                let media = MediaResult::from_value(&value)?.into_result()?;
                Ok((there(media.content(), media.url())?, String::new()))
            }
            Self::Chunk if items.is_empty() => one(Chunk::from_value(&value)?),
            Self::Chunk => Ok((all(&value, items)?, String::new())),
        }
    }
}

/// A single chunk. The last of several is refused: it may be the rest of an incomplete whole.
fn one(chunk: Chunk) -> anyhow::Result<(Vec<u8>, String)> {
    let (number, all) = (chunk.sequence() + 1, chunk.total_chunks());
    let said = match all {
        1 => String::new(),
        _ if chunk.is_last() => bail!(
            "this is the last of {all} chunks, and the others did not come; nothing was written. \
             `--view json` writes what came"
        ),
        _ => format!(", which is chunk {number} of {all}"),
    };
    Ok((chunk.into_data(), said))
}

/// The chunks of one call: those that came before, and the last; none may be missing.
fn all(last: &Value, items: &[String]) -> anyhow::Result<Vec<u8>> {
    // All of them are in memory already, in whatever order they came.
    let mut assembler = Assembler::new(Vec::new()).max_held_bytes(usize::MAX);
    for item in items {
        let item = Value::from_json(item).context("a chunk is no JSON")?;
        let added = Chunk::from_value(&item).and_then(|chunk| assembler.add(chunk));
        added.context(UNWRITTEN)?;
    }
    let added = Chunk::from_value(last).and_then(|chunk| assembler.add(chunk));
    added.context(UNWRITTEN)?;
    assembler.finish().context(UNWRITTEN)?;
    Ok(assembler.into_sink())
}

/// Content at an address is not fetched: the user decides which hosts may be contacted.
fn there(content: Option<&[u8]>, url: Option<&str>) -> anyhow::Result<Vec<u8>> {
    match (content, url) {
        (Some(content), _) => Ok(content.to_vec()),
        (None, Some(url)) => bail!("the result has no content; it is at {url}"),
        (None, None) => bail!("the result has no content; `--view json` shows what it has"),
    }
}

/// The text of a failure for a model, from its JSON.
pub(super) fn failure(json: &str) -> String {
    let value = Value::from_json(json);
    let error = value.and_then(|value| StandardError::from_value(&value));
    match error {
        Ok(error) => toolpact::text::of_error(&error, &toolpact::text::Budget::default()).text,
        Err(_) => json.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Carrier;
    use toolpact_core::returns::stream::Chunk;

    #[test]
    fn no_chunk_is_missing() {
        let chunk = |sequence, data: &str| {
            let id = format!("backup/{sequence}");
            Chunk::new(id, sequence, 3, data).unwrap().to_json()
        };
        let last = chunk(2, "c");
        let content = |items: &[String]| Carrier::Chunk.content(&last, items);
        let (bytes, said) = content(&[chunk(1, "b"), chunk(0, "a")]).unwrap();
        assert_eq!((&*bytes, &*said), (&b"abc"[..], ""));
        let error = format!("{:#}", content(&[chunk(0, "a")]).unwrap_err());
        let expected = "nothing was written: a transfer: expected all 3 chunks, found 2";
        assert!(error.starts_with(expected), "{error}");
        // The same chunk again changes nothing, another one in its place is refused.
        let (bytes, _) = content(&[chunk(0, "a"), chunk(0, "a"), chunk(1, "b")]).unwrap();
        assert_eq!(bytes, b"abc");
        let other = content(&[chunk(0, "a"), chunk(0, "z"), chunk(1, "b")]).unwrap_err();
        let other = format!("{other:#}");
        assert!(other.contains("expected the data it had"), "{other}");
        // The last chunk alone is incomplete; one in the middle was requested.
        let alone = content(&[]).unwrap_err().to_string();
        assert!(alone.contains("the last of 3 chunks"), "{alone}");
        let (bytes, said) = Carrier::Chunk.content(&chunk(1, "b"), &[]).unwrap();
        assert_eq!((&*bytes, &*said), (&b"b"[..], ", which is chunk 2 of 3"));
    }
}
