//! Content that is more than text: pictures, sounds, and blocks that a tool made itself.

use rmcp::model::ContentBlock;
use serde_json::{Value as Json, json};
use toolpact::Completed;
use toolpact::core::contract::Contract;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::core::returns::{Returns, StandardType};

use super::result::{CallResult, Content};

/// Adds what a client can show and text cannot say.
pub(super) fn add(result: &mut CallResult, completed: &Completed) {
    match completed.contract().map(Contract::returns) {
        Some(Returns::Standard {
            standard: StandardType::MediaResult,
            ..
        }) => {
            let block = completed.to_value().and_then(|value| media(value.root()));
            let content = std::mem::replace(&mut result.content, Content::Nothing);
            result.content = with(content, block);
        }
        // A tool that promises nothing may also return blocks.
        Some(Returns::Undeclared | Returns::Legacy { .. }) => {
            if let Some(blocks) = completed.to_value().and_then(|value| blocks(&value)) {
                result.content = Content::Blocks(blocks);
                result.structure = None;
            }
        }
        _ => {}
    }
}

fn with(content: Content, block: Option<Json>) -> Content {
    let mut blocks = match content {
        Content::Nothing => Vec::new(),
        Content::Text(text) => vec![json!({"type": "text", "text": text})],
        Content::Blocks(blocks) => blocks,
    };
    blocks.extend(block);
    Content::Blocks(blocks)
}

/// The picture or the sound, if the result has its data.
fn media(result: Node<'_>) -> Option<Json> {
    let media = result.get("media")?;
    let text = |key: &str| media.get(key).and_then(Node::as_str);
    let (data, format) = (text("data")?, text("format"));
    let kind = text("type")?;
    let is_shown = matches!(&*kind, "image" | "audio");
    let mime = mime(&kind, format.filter(|_| is_shown).as_deref()?);
    Some(json!({"type": kind, "data": data, "mimeType": mime}))
}

/// `png` is short for `image/png`.
fn mime(kind: &str, format: &str) -> String {
    match format.contains('/') {
        true => format.to_owned(),
        false => {
            let format = format.to_ascii_lowercase();
            let format = match &*format {
                "jpg" => "jpeg",
                "svg" => "svg+xml",
                "mp3" => "mpeg",
                other => other,
            };
            format!("{kind}/{format}")
        }
    }
}

/// A list of content blocks, if that is what it is.
fn blocks(value: &Value) -> Option<Vec<Json>> {
    if value.kind() != Kind::Array || value.root().items().next().is_none() {
        return None;
    }
    value.deserialize::<Vec<ContentBlock>>().ok()?;
    value.deserialize().ok()
}

#[cfg(test)]
mod tests {
    use super::mime;

    #[test]
    fn formats_have_their_names() {
        assert_eq!(mime("image", "PNG"), "image/png");
        assert_eq!(mime("image", "jpg"), "image/jpeg");
        assert_eq!(mime("audio", "audio/ogg"), "audio/ogg");
    }
}
