//! `FileResult` and `MediaResult`: everything but the content.

use toolpact_core::json::{Kind, Node, Whole};

use super::envelope::write_others;
use super::fields::{self, Shown};
use super::page::Page;
use super::{Cut, any, scalar};

pub(super) fn write_file(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let Some(file) = content(page, value, "file") else {
        return any::write(page, value);
    };
    let word = |key| file.get(key).filter(|it| !scalar::is_container(*it));
    let name = word("name").map_or("(no name)".into(), scalar::word);
    let kind = word("content_type").map(|kind| format!("type {}", scalar::word(kind)));
    let parts: Vec<String> = kind.into_iter().chain(size(file)).collect();
    let summary = match parts.is_empty() {
        true => format!("File {name}"),
        false => format!("File {name}: {}", parts.join(", ")),
    };
    page.line(&summary);
    let mut shown = Shown::default();
    let checksum = file.get("checksum").and_then(checksum);
    if let Some(checksum) = &checksum {
        page.line(checksum);
    }
    let known = ["name", "size", "content_type", "data", "checksum"];
    let known = &known[..known.len() - usize::from(checksum.is_none())];
    shown += fields::write(page, &fields::but(file, known));
    shown += write_others(page, value, &["file"]);
    shown.cut().or(left_out(page, file))
}

pub(super) fn write_media(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let Some(media) = content(page, value, "media") else {
        return any::write(page, value);
    };
    let word = |key| {
        media
            .get(key)
            .filter(|it| !scalar::is_container(*it))
            .map(scalar::word)
    };
    let kind = word("type").unwrap_or("media".into());
    let format = word("format").map(|format| format!("format {format}"));
    let dimensions = media.get("dimensions").and_then(dimensions);
    let duration = word("duration").map(|seconds| format!("{seconds} seconds"));
    let parts = [format, dimensions.clone(), duration, size(media)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let summary = match parts.is_empty() {
        true => format!("One {kind}"),
        false => format!("One {kind}: {}", parts.join(", ")),
    };
    page.line(&summary);
    let known = ["type", "format", "duration", "size", "data", "dimensions"];
    let known = &known[..known.len() - usize::from(dimensions.is_none())];
    let mut shown = fields::write(page, &fields::but(media, known));
    shown += write_others(page, value, &["media"]);
    shown.cut().or(left_out(page, media))
}

/// Base64 that is not shown: how much it stands for.
pub(super) fn left_out(page: &mut Page, holder: Node<'_>) -> Option<Cut> {
    let data = holder.get("data").and_then(Node::as_str)?;
    let total = decoded_length(&data);
    page.closing_line(&format!(
        "content: in the result as base64, {total} bytes, not shown here"
    ));
    Some(Cut {
        shown: 0,
        total,
        unit: "bytes",
    })
}

fn content<'a>(page: &mut Page, value: Node<'a>, key: &str) -> Option<Node<'a>> {
    let succeeded = value.get("success").and_then(Node::as_bool) == Some(true);
    if succeeded && value.get(key).is_none() {
        any::sentence(
            page,
            &format!("The tool succeeded, but its result has no {key}."),
        );
    }
    value.get(key).filter(|it| it.kind() == Kind::Object)
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
    let tenths = bytes / (factor / 10).max(1);
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
