//! `FileResult` and `MediaResult`: what they declare about content that they include.

use super::checksum::{At, Checksum};
use super::numbers::{length, whole};
use super::{Broken, Facts, Found, base64};
use crate::json::Node;
use crate::json::report::Report;
use crate::returns::image;
use crate::violation::rules::meaning as rules;

/// The content of a file, and what is declared about it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct File<'a> {
    pub(crate) content: Option<&'a [u8]>,
    pub(crate) size: Option<i128>,
    pub(crate) checksum: Option<Checksum<'a>>,
}

/// The content of a medium, and what is declared about it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Media<'a> {
    pub(crate) content: Option<&'a [u8]>,
    pub(crate) size: Option<i128>,
    pub(crate) is_image: bool,
    pub(crate) format: Option<&'a str>,
    pub(crate) width: Option<i128>,
    pub(crate) height: Option<i128>,
}

pub(super) fn check_file(value: Node<'_>, report: &mut Report) {
    let Some(file) = value.get("file") else {
        return;
    };
    let content = base64::data(file, report);
    let checksum = |key| file.get("checksum")?.get(key)?.as_str();
    let (algorithm, sum) = (checksum("algorithm"), checksum("value"));
    let facts = File {
        content: content.as_deref(),
        size: whole(file, "size"),
        checksum: content
            .as_deref()
            .zip(sum.as_deref())
            .map(|(bytes, value)| Checksum {
                bytes,
                sha256: None,
                algorithm: algorithm.as_deref(),
                value,
            }),
    };
    facts.explain(value, report);
}

pub(super) fn check_media(value: Node<'_>, report: &mut Report) {
    let Some(media) = value.get("media") else {
        return;
    };
    let content = base64::data(media, report);
    let text = |key| media.get(key).and_then(Node::as_str);
    let format = text("format");
    let side = |key| whole(media.get("dimensions")?, key);
    let facts = Media {
        content: content.as_deref(),
        size: whole(media, "size"),
        is_image: text("type").is_some_and(|kind| kind == "image"),
        format: format.as_deref(),
        width: side("width"),
        height: side("height"),
    };
    facts.explain(value, report);
}

impl Facts for File<'_> {
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        if let Some(content) = self.content {
            size(&["file", "size"], content, self.size, tell);
        }
        if let Some(checksum) = self.checksum {
            let at = At {
                algorithm: &["file", "checksum", "algorithm"],
                value: &["file", "checksum", "value"],
            };
            checksum.broken(&at, tell);
        }
    }
}

impl Media<'_> {
    fn sides(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let image = self.content.filter(|_| self.is_image);
        let real = image.and_then(image::dimensions).unzip();
        let sides: [(&str, &'static [&'static str], _, _); 2] = [
            (
                "width",
                &["media", "dimensions", "width"],
                self.width,
                real.0,
            ),
            (
                "height",
                &["media", "dimensions", "height"],
                self.height,
                real.1,
            ),
        ];
        for (key, at, found, real) in sides {
            match (found, real) {
                (Some(found), _) if found < 1 => tell(Broken::wrong(
                    &rules::DIMENSIONS,
                    at,
                    format_args!("`{key}` to be at least 1"),
                    Found::Value(&found),
                )),
                (Some(found), Some(real)) if found != i128::from(real) => tell(Broken::wrong(
                    &rules::IMAGE_DIMENSIONS,
                    at,
                    format_args!("the {key} of the image, {real}"),
                    Found::Value(&found),
                )),
                _ => {}
            }
        }
    }

    /// The content must be what `format` says, if that is a supported format.
    fn format(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let image = self.content.filter(|_| self.is_image);
        let declared = self.format.and_then(image::Format::named);
        let (Some(image), Some(declared)) = (image, declared) else {
            return;
        };
        let real = image::Format::of(image);
        if real != Some(declared) {
            let mut expect = |expected: std::fmt::Arguments<'_>, found: Found<'_>| {
                let at = &["media", "format"];
                tell(Broken::wrong(&rules::IMAGE_FORMAT, at, expected, found));
            };
            match real {
                Some(real) => expect(
                    format_args!("the format of the data, {real}"),
                    Found::Said(&declared),
                ),
                None => expect(
                    format_args!("the format of the data, which is not {declared}"),
                    Found::Nothing,
                ),
            }
        }
    }
}

impl Facts for Media<'_> {
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        if let Some(content) = self.content {
            size(&["media", "size"], content, self.size, tell);
        }
        self.sides(tell);
        self.format(tell);
    }
}

fn size(
    at: &'static [&'static str],
    content: &[u8],
    found: Option<i128>,
    tell: &mut dyn FnMut(Broken<'_>),
) {
    let real = content.len();
    if let Some(found) = found.filter(|found| *found >= 0 && *found != length(real)) {
        tell(Broken::wrong(
            &rules::SIZE,
            at,
            format_args!("the size of the data, {real} bytes"),
            Found::Value(&found),
        ));
    }
}
