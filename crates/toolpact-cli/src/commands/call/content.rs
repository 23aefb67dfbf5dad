//! The bytes that results carry, for files.

use anyhow::{Context as _, bail};
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::types::{ChunkedData, FileResult, MediaResult, StandardResult as _};
use toolpact_core::returns::{Returns, StandardError, StandardType};

/// What a tool returns that is not for reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    File,
    Media,
    Chunk,
}

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

    /// The bytes in a result, and what there is to say about them.
    pub(super) fn content(self, result: &str) -> anyhow::Result<(Vec<u8>, String)> {
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
            Self::Chunk => {
                let chunk = ChunkedData::from_value(&value)?;
                let said = match chunk.total_chunks() {
                    1 => String::new(),
                    all => format!(", which is chunk {} of {all}", chunk.sequence() + 1),
                };
                Ok((chunk.into_content().into_vec(), said))
            }
        }
    }
}

/// What is somewhere else is not fetched: who may be asked is not for us to say.
fn there(content: Option<&[u8]>, url: Option<&str>) -> anyhow::Result<Vec<u8>> {
    match (content, url) {
        (Some(content), _) => Ok(content.to_vec()),
        (None, Some(url)) => bail!("the result has no content; it is at {url}"),
        (None, None) => bail!("the result has no content; `--view json` shows what it has"),
    }
}

/// A failure as a model reads it, from what it is to programs.
pub(super) fn failure(json: &str) -> String {
    let value = Value::from_json(json);
    let error = value.and_then(|value| StandardError::from_value(&value));
    match error {
        Ok(error) => toolpact::text::of_error(&error, &toolpact::text::Budget::default()).text,
        Err(_) => json.to_owned(),
    }
}
