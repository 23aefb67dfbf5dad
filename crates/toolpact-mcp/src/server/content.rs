//! Content that is more than text: pictures, sounds, and blocks that a tool made itself.

use rmcp::model::ContentBlock;
use toolpact::Completed;
use toolpact::core::contract::Contract;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::core::returns::{Returns, StandardType};

use super::answer::Answer;

/// Adds what a client can show and text cannot say.
pub(super) fn add(answer: &mut Answer, completed: &Completed) {
    match completed.contract().map(Contract::returns) {
        Some(Returns::Standard {
            standard: StandardType::MediaResult,
            ..
        }) => {
            let block = completed.to_value().and_then(|value| media(value.root()));
            answer.content.extend(block);
        }
        // Who promises nothing can return what it likes, so also blocks.
        Some(Returns::Undeclared | Returns::Legacy { .. }) => {
            if let Some(blocks) = completed.to_value().and_then(|value| blocks(&value)) {
                answer.content = blocks;
                answer.structure = None;
            }
        }
        _ => {}
    }
}

/// The picture or the sound, if the result has its data.
fn media(result: Node<'_>) -> Option<ContentBlock> {
    let media = result.get("media")?;
    let text = |key: &str| media.get(key).and_then(Node::as_str);
    let (data, format) = (text("data")?.into_owned(), text("format"));
    match &*text("type")? {
        "image" => Some(ContentBlock::image(data, mime("image", format.as_deref()?))),
        "audio" => Some(ContentBlock::audio(data, mime("audio", format.as_deref()?))),
        _ => None,
    }
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
fn blocks(value: &Value) -> Option<Vec<ContentBlock>> {
    if value.kind() != Kind::Array || value.root().items().next().is_none() {
        return None;
    }
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
