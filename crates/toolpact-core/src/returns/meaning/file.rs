//! `FileResult`.

use super::{base64, checksum, formats, numbers};
use crate::json::Node;
use crate::violation::report::Report;

pub(super) fn check(value: Node<'_>, report: &mut Report) {
    let Some(file) = value.get("file") else {
        return;
    };
    formats::uri(file, "url", report);
    numbers::not_negative(file, "size", report);
    if let Some(bytes) = base64::data(file, report) {
        base64::size(file, &bytes, report);
        checksum::of_file(file, &bytes, report);
    }
}
