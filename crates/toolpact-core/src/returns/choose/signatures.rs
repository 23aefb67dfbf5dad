//! The keys that distinguish types.

use super::Confidence;
use super::outline::{Key, Outline};
use crate::json::Kind;
use crate::returns::StandardType as T;

/// Keys that identify a type.
pub(super) struct Signature {
    pub(super) standard: T,
    /// The confidence if all keys are required.
    pub(super) confidence: Confidence,
    /// Lists of names separated by `|`, one of which must be present, with its kind.
    keys: &'static [(&'static str, Option<Kind>)],
    /// The only keys that are allowed; empty if there may be others.
    only: &'static str,
}

macro_rules! signatures {
    ($($confidence:ident $standard:ident [$($key:literal $($kind:ident)?),*] $($only:literal)?;)*) => {
        &[$(Signature {
            standard: T::$standard,
            confidence: Confidence::$confidence,
            keys: &[$(($key, signatures!(@kind $($kind)?))),*],
            only: concat!($($only)?),
        }),*]
    };
    (@kind) => { None };
    (@kind $kind:ident) => { Some(Kind::$kind) };
}

/// The most specific first.
#[rustfmt::skip]
pub(super) static SIGNATURES: &[Signature] = signatures! {
    Certain ChunkedData ["chunk_id" String, "sequence" Number, "total_chunks" Number, "data" String];
    Certain OperationStatus ["operation_id" String, "status" String, "created_at" String];
    Certain BatchResult ["success" Bool, "batch_id" String, "total" Number];
    Certain FileResult ["success" Bool, "file" Object];
    Certain MediaResult ["success" Bool, "media" Object];
    Certain ListResult ["success" Bool, "data" Array];
    Certain ObjectResult ["success" Bool, "data" Object];
    Certain EntityResult ["id" String, "type" String, "attributes|relationships" Object];
    Certain StringValue ["success" Bool, "value" String];
    Certain NumberValue ["success" Bool, "value" Number];
    Certain BooleanValue ["success" Bool, "value" Bool];
    Certain IdentifierValue ["success" Bool, "id" String] "success|id|type|error";
    Certain EventStream ["event" String, "data"] "event|id|data|retry";
    Certain VoidResult ["success" Bool, "message" String] "success|message|error";
    Likely EventStream ["event" String] "event|id|data|retry";
    Likely VoidResult ["success" Bool] "success|error";
    Likely EntityResult ["id" String, "type" String] "id|type|attributes|relationships|meta";
    Likely OperationStatus ["operation_id|job_id|task_id|run_id|build_id|operationId|jobId|taskId|runId", "status|state" String];
    Likely ChunkedData ["sequence|chunk_index|index|part|chunk" Number, "total_chunks|total_parts|chunks|parts" Number, "data|content" String];
    Likely BatchResult ["successful|succeeded|processed|imported|created|success_count" Number, "failed|failures|errors|skipped|failure_count|error_count"];
    Likely ListResult ["data|items|results|records|rows|entries|hits|list" Array, "pagination|total|total_count|count|page|next|next_page|cursor|next_cursor|has_more|has_next|total_results|nextPageToken|hasMore"];
    Likely MediaResult ["width" Number, "height" Number, "url|data|src|base64|path" String];
    Likely FileResult ["url|data|content|path|base64|download_url" String, "filename|file_name|content_type|mime_type|mimeType|fileName" String];
    Likely ListResult ["data|items|results|records|rows|entries|hits|list" Array] "data|items|results|records|rows|entries|hits|list";
    Likely IdentifierValue ["id|uuid" String] "id|uuid";
};

impl Signature {
    /// Whether `outline` has this signature.
    pub(super) fn matches(&self, outline: &Outline) -> bool {
        let all = self.keys.iter().all(|key| found(key, outline).is_some());
        let allowed = |key: &Key| self.only.split('|').any(|name| name == key.name);
        all && (self.only.is_empty() || outline.keys.iter().all(allowed))
    }

    /// The confidence for this outline. Optional keys are weaker evidence.
    pub(super) fn confidence_for(&self, outline: &Outline) -> Confidence {
        let required = |key| found(key, outline).is_some_and(|key| key.required);
        match self.keys.iter().all(required) {
            true => self.confidence,
            false => self.confidence.min(Confidence::Likely),
        }
    }

    /// The matching keys, for a reason.
    pub(super) fn names(&self, outline: &Outline) -> String {
        let names = self.keys.iter().filter_map(|key| found(key, outline));
        let names: Vec<&str> = names.map(|key| &*key.name).collect();
        crate::text::list(names.into_iter())
    }
}

fn found<'a>((names, kind): &(&str, Option<Kind>), outline: &'a Outline) -> Option<&'a Key> {
    let fits = |key: &Key| kind.is_none() || key.kind.is_none() || key.kind == *kind;
    names
        .split('|')
        .filter_map(|name| outline.key(name))
        .find(|key| fits(key))
}
