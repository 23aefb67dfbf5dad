mod item;

use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::content::{self, Bytes};
use super::envelope::{self, outcome_methods};
use super::refine;
use super::result_node::ResultNode;
use super::wire::standard_result;
use crate::Error;
use crate::returns::StandardError;
use crate::returns::image;

/// An image, a sound or a video, or an error.
///
/// ```
/// use toolpact_core::returns::types::{Media, MediaResult, MediaType};
///
/// let media = Media::from_url(MediaType::Image, "https://example.com/a.png")?
///     .with_format("png")
///     .with_alt_text("A summer campaign");
/// assert_eq!(
///     serde_json::to_string(&MediaResult::success(media))?,
///     r#"{"success":true,"media":{"type":"image","url":"https://example.com/a.png","format":"png","alt_text":"A summer campaign"}}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MediaResult {
    outcome: Result<Media, StandardError>,
}

standard_result!(MediaResult);

/// The three kinds of media.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaType {
    /// An image.
    Image,
    /// A sound.
    Audio,
    /// A video.
    Video,
}

/// An image, a sound or a video: its content, or its address.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Media {
    #[serde(rename = "type")]
    kind: MediaType,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<Dimensions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<serde_json::Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alt_text: Option<Box<str>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Dimensions {
    width: u64,
    height: u64,
}

impl MediaResult {
    /// A success.
    #[must_use]
    pub fn success(media: Media) -> Self {
        Self::from_outcome(Ok(media))
    }

    outcome_methods!(Media);

    fn from_outcome(outcome: Result<Media, StandardError>) -> Self {
        Self { outcome }
    }

    fn wire(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct Payload<'a> {
            media: &'a Media,
        }
        envelope::wire(&self.outcome, |media| Payload { media })
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let outcome = envelope::read(part, &["media"], |part| {
            Media::read(&part.require("media")?)
        })?;
        Ok(Self { outcome })
    }

    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        let side = json!({"minimum": 1});
        vec![
            json!({"properties": {"media": {
                "anyOf": [{"required": ["url"]}, {"required": ["data"]}],
                "properties": {
                    "dimensions": {
                        "properties": {"width": side, "height": side},
                        "required": ["width", "height"],
                    },
                    "duration": {"minimum": 0},
                    "size": {"minimum": 0},
                },
                "if": {"properties": {"type": {"const": "audio"}}},
                "then": {"properties": {"dimensions": false}},
            }}}),
            refine::envelope(generator, &["media"], &["media"]),
        ]
    }
}

impl Media {
    /// An image with its content. Format, size and, if it contains them, dimensions are read from
    /// it.
    pub fn image(content: impl Into<Box<[u8]>>) -> Result<Self, Error> {
        let content = content.into();
        let Some(format) = image::Format::of(&content) else {
            let message = format!("expected {}", image::FORMATS);
            return Err(Error::at("data", message));
        };
        let dimensions = image::dimensions(&content);
        Ok(Self {
            dimensions: dimensions.map(|(width, height)| Dimensions { width, height }),
            ..Self::from_bytes(MediaType::Image, format.as_str(), content)
        })
    }

    /// A sound with its content, in this format.
    #[must_use]
    pub fn audio(format: &str, content: impl Into<Box<[u8]>>) -> Self {
        Self::from_bytes(MediaType::Audio, format, content.into())
    }

    /// A video with its content, in this format.
    #[must_use]
    pub fn video(format: &str, content: impl Into<Box<[u8]>>) -> Self {
        Self::from_bytes(MediaType::Video, format, content.into())
    }

    /// A medium at an address, which must be an absolute URI.
    pub fn from_url(media_type: MediaType, url: &str) -> Result<Self, Error> {
        Ok(Self {
            url: Some(content::uri(url)?),
            ..Self::of(media_type)
        })
    }

    fn from_bytes(media_type: MediaType, format: &str, content: Box<[u8]>) -> Self {
        let data = Bytes(content);
        Self {
            size: Some(data.size()),
            data: Some(data),
            format: Some(format.into()),
            ..Self::of(media_type)
        }
    }
}
