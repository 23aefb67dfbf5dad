//! The properties of a medium, and reading it.

use serde_json::Number;

use super::super::content::{self, Bytes};
use super::super::result_node::ResultNode;
use super::{Dimensions, Media, MediaType};
use crate::Error;
use crate::returns::meaning;

const SOUND: &str = "expected no dimensions of a sound";

impl Media {
    /// Sets the format. If an image's content is included, the format is already known and not
    /// changed.
    #[must_use]
    pub fn with_format(mut self, format: &str) -> Self {
        if self.data.is_none() {
            self.format = Some(format.into());
        }
        self
    }

    /// Adds width and height, which are at least 1; a sound has none. If an image's content is
    /// included, they must match it.
    pub fn with_dimensions(mut self, width: u64, height: u64) -> Result<Self, Error> {
        if self.kind == MediaType::Audio {
            return Err(Error::at("dimensions", SOUND));
        }
        Error::unless_hold(&meaning::Media {
            content: self.content(),
            is_image: self.kind == MediaType::Image,
            width: Some(width.into()),
            height: Some(height.into()),
            ..meaning::Media::default()
        })?;
        self.dimensions = Some(Dimensions { width, height });
        Ok(self)
    }

    /// Adds the duration in seconds, which is finite and not negative.
    pub fn with_duration(mut self, seconds: f64) -> Result<Self, Error> {
        let number = Number::from_f64(seconds).filter(|_| seconds >= 0.0);
        let number = number.ok_or_else(|| {
            let message = format!("expected a number of at least 0, found {seconds}");
            Error::at("duration", message)
        })?;
        self.duration = Some(number);
        Ok(self)
    }

    /// Adds the size in bytes of content that is not included. For included content it is already
    /// known and not changed.
    #[must_use]
    pub fn with_size(mut self, size: u64) -> Self {
        if self.data.is_none() {
            self.size = Some(size);
        }
        self
    }

    /// Adds an alternative text for those who cannot see or hear it.
    #[must_use]
    pub fn with_alt_text(mut self, alt_text: &str) -> Self {
        self.alt_text = Some(alt_text.into());
        self
    }

    /// The kind of medium.
    #[must_use]
    pub fn media_type(&self) -> MediaType {
        self.kind
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Its content.
    #[must_use]
    pub fn content(&self) -> Option<&[u8]> {
        self.data.as_ref().map(|data| &*data.0)
    }

    /// Its format: `png`.
    #[must_use]
    pub fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// Its width and height.
    #[must_use]
    pub fn dimensions(&self) -> Option<(u64, u64)> {
        self.dimensions.map(|d| (d.width, d.height))
    }

    /// Its duration in seconds.
    #[must_use]
    pub fn duration(&self) -> Option<f64> {
        self.duration.as_ref().and_then(Number::as_f64)
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Its alternative text.
    #[must_use]
    pub fn alt_text(&self) -> Option<&str> {
        self.alt_text.as_deref()
    }

    pub(super) fn of(kind: MediaType) -> Self {
        Self {
            kind,
            url: None,
            data: None,
            format: None,
            dimensions: None,
            duration: None,
            size: None,
            alt_text: None,
        }
    }

    pub(super) fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        content::require_content(&part)?;
        let data = part.optional("data", Bytes::read)?;
        let media = Self {
            kind: MediaType::read(&part.require("type")?)?,
            url: part.optional("url", content::read_uri)?,
            size: content::read_size(&part, data.as_ref())?,
            data,
            format: part.optional("format", ResultNode::text)?,
            dimensions: part.optional("dimensions", Dimensions::read)?,
            duration: part.optional("duration", read_duration)?,
            alt_text: part.optional("alt_text", ResultNode::text)?,
        };
        if media.kind == MediaType::Audio && media.dimensions.is_some() {
            return Err(part.fail(SOUND));
        }
        Ok(media)
    }
}

impl MediaType {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        Ok(match &*part.text()? {
            "image" => Self::Image,
            "audio" => Self::Audio,
            "video" => Self::Video,
            _ => return Err(part.wrong("expected `image`, `audio` or `video`")),
        })
    }
}

impl Dimensions {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        Ok(Self {
            width: part.require("width")?.count(1)?,
            height: part.require("height")?.count(1)?,
        })
    }
}

fn read_duration(part: &ResultNode<'_>) -> Result<Number, Error> {
    let duration = part.number()?;
    match duration.as_f64() {
        Some(seconds) if seconds >= 0.0 => Ok(duration),
        _ => Err(part.wrong("expected a number of at least 0")),
    }
}
