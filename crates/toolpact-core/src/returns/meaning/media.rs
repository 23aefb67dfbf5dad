//! `MediaResult`.

use super::numbers::bounded;
use super::{base64, formats, numbers, text};
use crate::json::Node;
use crate::model::describe;
use crate::returns::image;
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

const DIMENSIONS: [&str; 2] = ["width", "height"];

pub(super) fn check(value: Node<'_>, report: &mut Report) {
    let Some(media) = value.get("media") else {
        return;
    };
    formats::uri(media, "url", report);
    numbers::not_negative(media, "size", report);
    numbers::not_negative(media, "duration", report);
    positive(media, report);
    if let Some(bytes) = base64::data(media, report) {
        base64::size(media, &bytes, report);
        if text(media, "type").is_some_and(|kind| kind == "image") {
            format(media, &bytes, report);
            dimensions(media, &bytes, report);
        }
    }
}

fn positive(media: Node<'_>, report: &mut Report) {
    for (key, node, found) in declared(media) {
        if found < 1 {
            report.add(&rules::DIMENSIONS, Place::Node(node.id()), |finding| {
                finding.say(format!(
                    "expected `{key}` to be at least 1, found {}",
                    describe(node)
                ));
            });
        }
    }
}

/// The data must be what `format` says, if that is a format that is known here.
fn format(media: Node<'_>, bytes: &[u8], report: &mut Report) {
    let (Some(node), Some(name)) = (media.get("format"), text(media, "format")) else {
        return;
    };
    let (Some(declared), found) = (image::Format::named(&name), image::Format::of(bytes)) else {
        return;
    };
    if found != Some(declared) {
        report.add(&rules::IMAGE_FORMAT, Place::Node(node.id()), |finding| {
            finding.say(match found {
                Some(found) => {
                    format!("expected the format of the data, {found}, found {declared}")
                }
                None => format!("expected the format of the data, which is not {declared}"),
            });
        });
    }
}

fn dimensions(media: Node<'_>, bytes: &[u8], report: &mut Report) {
    let Some((width, height)) = image::dimensions(bytes) else {
        return;
    };
    for (key, node, found) in declared(media) {
        let real = if key == "width" { width } else { height };
        if found >= 1 && found != i128::from(real) {
            report.add(
                &rules::IMAGE_DIMENSIONS,
                Place::Node(node.id()),
                |finding| {
                    finding.say(format!(
                        "expected the {key} of the image, {real}, found {}",
                        describe(node)
                    ));
                },
            );
        }
    }
}

fn declared(media: Node<'_>) -> impl Iterator<Item = (&'static str, Node<'_>, i128)> {
    let dimensions = media.get("dimensions");
    DIMENSIONS.into_iter().filter_map(move |key| {
        let dimensions = dimensions?;
        Some((key, dimensions.get(key)?, bounded(dimensions, key)?))
    })
}
