//! `ChunkedData`.

use super::checksum::{At, Checksum};
use super::numbers::whole;
use super::{Broken, Facts, Found, base64};
use crate::json::Node;
use crate::json::report::Report;
use crate::violation::rules::meaning as rules;

/// The place of a chunk among the others, and its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Chunk<'a> {
    pub(crate) sequence: Option<i128>,
    pub(crate) total_chunks: Option<i128>,
    pub(crate) is_last: Option<bool>,
    pub(crate) checksum: Option<Checksum<'a>>,
}

pub(super) fn check(value: Node<'_>, report: &mut Report) {
    let bytes = base64::data(value, report);
    let checksum = value.get("checksum").and_then(Node::as_str);
    let facts = Chunk {
        sequence: whole(value, "sequence"),
        total_chunks: whole(value, "total_chunks"),
        is_last: value.get("is_last").and_then(Node::as_bool),
        checksum: bytes
            .as_deref()
            .zip(checksum.as_deref())
            .map(|(bytes, value)| Checksum {
                bytes,
                sha256: None,
                algorithm: None,
                value,
            }),
    };
    facts.explain(value, report);
}

impl Chunk<'_> {
    fn place(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let (Some(sequence), Some(total)) = (self.sequence, self.total_chunks) else {
            return;
        };
        if sequence >= total.max(1) {
            let expected = format_args!("less than `total_chunks`, {total}");
            let found = Found::Value(&sequence);
            return tell(
                Broken::wrong(&rules::CHUNK_SEQUENCE, &["sequence"], expected, found)
                    .advise("the first chunk is number 0"),
            );
        }
        let expected = sequence == total.saturating_sub(1);
        if let Some(found) = self.is_last.filter(|found| *found != expected) {
            tell(Broken::wrong(
                &rules::CHUNK_LAST,
                &["is_last"],
                format_args!("{expected} for number {sequence} of {total} chunks"),
                Found::Value(&found),
            ));
        }
    }
}

impl Facts for Chunk<'_> {
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        self.place(tell);
        if let Some(checksum) = self.checksum {
            let at = At {
                algorithm: &["checksum"],
                value: &["checksum"],
            };
            checksum.broken(&at, tell);
        }
    }
}
