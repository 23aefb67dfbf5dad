//! `FileResult` and `MediaResult`: everything but the content.

use toolpact_core::json::{Kind, Node, Whole};

use super::Cut;
use super::envelope::{write_others, write_without};
use super::fields::{self, Shown};
use super::page::Page;
use super::scalar::{self, is_container};

pub(super) fn write_file(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let Some(file) = value.get("file").filter(|it| it.kind() == Kind::Object) else {
        return write_without(page, value, "file");
    };
    let word = |key| {
        file.get(key)
            .filter(|it| !is_container(*it))
            .map(scalar::word)
    };
    let name = word("name").unwrap_or("(no name)".into());
    let kind = word("content_type").map(|kind| format!("type {kind}"));
    summary(page, &format!("File {name}"), [kind, size(file)]);
    let checksum = file.get("checksum").and_then(checksum);
    if let Some(checksum) = &checksum {
        page.line_or_short(checksum);
    }
    let known = ["name", "size", "content_type", "data", "checksum"];
    let known = &known[..known.len() - usize::from(checksum.is_none())];
    let mut shown = fields::write(page, &fields::but(file, known));
    shown += write_others(page, value, &["file"]);
    without_content(shown, file)
}

pub(super) fn write_media(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let Some(media) = value.get("media").filter(|it| it.kind() == Kind::Object) else {
        return write_without(page, value, "media");
    };
    let word = |key| {
        media
            .get(key)
            .filter(|it| !is_container(*it))
            .map(scalar::word)
    };
    let title = match word("type").as_deref() {
        Some("image") => "An image".to_owned(),
        Some("video") => "A video".to_owned(),
        Some("audio") => "An audio recording".to_owned(),
        Some(other) => format!("A medium of type {other}"),
        None => "A medium".to_owned(),
    };
    let format = word("format").map(|format| format!("format {format}"));
    let dimensions = media.get("dimensions").and_then(dimensions);
    let duration = word("duration").map(|seconds| format!("{seconds} seconds"));
    let has_dimensions = dimensions.is_some();
    summary(page, &title, [format, dimensions, duration, size(media)]);
    let known = ["type", "format", "duration", "size", "data", "dimensions"];
    let known = &known[..known.len() - usize::from(!has_dimensions)];
    let mut shown = fields::write(page, &fields::but(media, known));
    shown += write_others(page, value, &["media"]);
    without_content(shown, media)
}

/// What was left out, given that content in base64 always is.
pub(super) fn without_content(shown: Shown, holder: Node<'_>) -> Option<Cut> {
    let Some(data) = holder.get("data").and_then(Node::as_str) else {
        return shown.cut();
    };
    let cut = shown.cut().map(|cut| Cut {
        total: cut.total + 1,
        ..cut
    });
    Some(cut.unwrap_or(Cut {
        shown: 0,
        total: decoded_length(&data),
        unit: "bytes",
    }))
}

fn summary<const N: usize>(page: &mut Page, title: &str, parts: [Option<String>; N]) {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let line = match parts.is_empty() {
        true => title.to_owned(),
        false => format!("{title}: {}", parts.join(", ")),
    };
    page.line_or_short(&line);
}

/// `1048576 bytes (1.0 MiB)`
fn size(holder: Node<'_>) -> Option<String> {
    let size = holder.get("size")?.as_number()?;
    let rough = match size.whole() {
        Whole::Integer(bytes) => rough(bytes),
        Whole::TooLarge | Whole::Fraction => None,
    };
    Some(format!("{size} bytes{}", rough.unwrap_or_default()))
}

fn rough(bytes: i64) -> Option<String> {
    let (unit, factor) = match bytes {
        ..1024 => return None,
        1024..0x10_0000 => ("KiB", 1 << 10),
        0x10_0000..0x4000_0000 => ("MiB", 1 << 20),
        _ => ("GiB", 1_i64 << 30),
    };
    let tenths = bytes.saturating_mul(10) / factor;
    Some(format!(" ({}.{} {unit})", tenths / 10, tenths % 10))
}

/// `1024 x 768 pixels`
fn dimensions(node: Node<'_>) -> Option<String> {
    let side = |key| Some(node.get(key)?.as_number()?.text());
    Some(format!("{} x {} pixels", side("width")?, side("height")?))
}

/// `checksum: sha256 a1b2c3`
fn checksum(node: Node<'_>) -> Option<String> {
    let word = |key| {
        let value: Node<'_> = node.get(key)?;
        (value.kind() == Kind::String).then(|| scalar::word(value))
    };
    let is_known = node.members().count() == 2;
    is_known.then(|| {
        Some(format!(
            "checksum: {} {}",
            word("algorithm")?,
            word("value")?
        ))
    })?
}

/// How many bytes a base64 text stands for, without decoding it.
fn decoded_length(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}
