//! Everyone who speaks about meaning says the same: the fast verdict, the explanation, and the Rust
//! types, which ask for more than the specification does, so that the values here are complete.

use toolpact_core::Severity;
use toolpact_core::json::Value;
use toolpact_core::returns::stream::Chunk;
use toolpact_core::returns::types::{self, StandardResult};
use toolpact_core::returns::{Level, StandardType};
use toolpact_core::violation::{Subject, rules};

use super::{codes, enforcer};

/// A rule, a type, a value that breaks the rule and no other, and what makes it right: a text in it
/// and what to write instead.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    (&'static str, &'static str),
);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("returns-payload-missing", "StringValue", r#"{"success": true}"#, ("}", r#", "value": "a"}"#)),
    ("returns-payload-missing", "FileResult", r#"{"success": true}"#, ("}", r#", "file": {"name": "a", "data": ""}}"#)),
    ("returns-error-on-success", "VoidResult", r#"{"success": true, "error": {"code": "INTERNAL_ERROR", "message": "m"}}"#, ("true", "false")),
    ("returns-error-on-success", "BatchResult", r#"{"success": true, "batch_id": "b", "total": 2, "successful": 1, "failed": 1, "items": [{"id": "1", "success": true, "error": {"code": "INTERNAL_ERROR", "message": "m"}}]}"#, (r#""id": "1", "success": true"#, r#""id": "1", "success": false"#)),
    ("returns-error-missing", "BooleanValue", r#"{"success": false}"#, ("}", r#", "error": {"code": "INTERNAL_ERROR", "message": "m"}}"#)),
    ("returns-error-missing", "BatchResult", r#"{"success": true, "batch_id": "b", "total": 2, "successful": 1, "failed": 1, "items": [{"id": "1", "success": false}]}"#, (r#""id": "1", "success": false"#, r#""id": "1", "success": true"#)),
    ("returns-payload-on-error", "IdentifierValue", r#"{"success": false, "id": "a", "error": {"code": "INTERNAL_ERROR", "message": "m"}}"#, (r#""id": "a", "#, "")),
    ("returns-format", "OperationStatus", r#"{"operation_id": "op", "status": "running", "created_at": "15 February 2026"}"#, ("15 February 2026", "2026-02-15T10:00:00Z")),
    ("returns-format", "ObjectResult", r#"{"success": true, "data": {}, "metadata": {"timestamp": "now"}}"#, ("now", "2026-02-15T10:00:00Z")),
    ("returns-format", "FileResult", r#"{"success": true, "file": {"name": "a", "url": "a.txt"}}"#, ("a.txt", "https://example.com/a.txt")),
    ("returns-format", "MediaResult", r#"{"success": true, "media": {"type": "image", "url": "a.png"}}"#, ("a.png", "https://example.com/a.png")),
    ("returns-negative", "ObjectResult", r#"{"success": true, "data": {}, "metadata": {"duration_ms": -1}}"#, ("-1", "1")),
    ("returns-negative", "EventStream", r#"{"event": "a", "data": {}, "retry": -1}"#, ("-1", "0")),
    ("returns-negative", "FileResult", r#"{"success": true, "file": {"name": "a", "url": "https://example.com/a", "size": -1}}"#, ("-1", "1")),
    ("returns-negative", "MediaResult", r#"{"success": true, "media": {"type": "video", "url": "https://example.com/a", "duration": -0.5}}"#, ("-0.5", "0.5")),
    ("returns-negative", "MediaResult", r#"{"success": true, "media": {"type": "video", "url": "https://example.com/a", "size": -5}}"#, ("-5", "5")),
    ("returns-negative", "BatchResult", r#"{"success": true, "batch_id": "b", "total": 1, "successful": 0, "failed": 1, "errors": [{"code": "INTERNAL_ERROR", "message": "m", "count": -1}]}"#, ("-1", "1")),
    ("returns-operation-result", "OperationStatus", r#"{"operation_id": "op", "status": "completed", "created_at": "2026-02-15T10:00:00Z"}"#, (r#""created_at""#, r#""result": {}, "created_at""#)),
    ("returns-operation-result", "OperationStatus", r#"{"operation_id": "op", "status": "failed", "result": {}, "error": {"code": "INTERNAL_ERROR", "message": "m"}, "created_at": "2026-02-15T10:00:00Z"}"#, (r#""result": {}, "#, "")),
    ("returns-operation-error", "OperationStatus", r#"{"operation_id": "op", "status": "failed", "created_at": "2026-02-15T10:00:00Z"}"#, ("failed", "cancelled")),
    ("returns-operation-error", "OperationStatus", r#"{"operation_id": "op", "status": "completed", "result": {}, "error": {"code": "INTERNAL_ERROR", "message": "m"}, "created_at": "2026-02-15T10:00:00Z"}"#, (r#""error": {"code": "INTERNAL_ERROR", "message": "m"}, "#, "")),
    ("returns-operation-steps", "OperationStatus", r#"{"operation_id": "op", "status": "running", "progress": {"current_step": 3, "total_steps": 2}, "created_at": "2026-02-15T10:00:00Z"}"#, ("3", "2")),
    ("returns-operation-times", "OperationStatus", r#"{"operation_id": "op", "status": "running", "created_at": "2026-02-15T10:00:00Z", "updated_at": "2026-02-15T11:30:00+02:00"}"#, ("11:30", "12:30")),
    ("returns-operation-times", "OperationStatus", r#"{"operation_id": "op", "status": "cancelled", "created_at": "2026-02-15T10:00:00Z", "completed_at": "2026-02-15T09:00:00Z"}"#, ("09:00", "10:00")),
    ("returns-relationship", "EntityResult", r#"{"id": "1", "type": "t", "attributes": {}, "relationships": {"r": {"data": {"id": "2"}}}}"#, (r#""2""#, r#""2", "type": "u""#)),
    ("returns-relationship", "EntityResult", r#"{"id": "1", "type": "t", "attributes": {}, "relationships": {"r": {"data": [{"id": "2", "type": "u"}, {"type": "u"}]}}}"#, (r#", {"type": "u"}"#, "")),
    ("returns-page-count", "ListResult", r#"{"success": true, "data": [], "pagination": {"page": 1, "per_page": 10, "total": 45, "total_pages": 4}}"#, ("4}", "5}")),
    ("returns-page-neighbours", "ListResult", r#"{"success": true, "data": [], "pagination": {"page": 5, "per_page": 10, "total": 45, "has_next": true}}"#, ("5,", "4,")),
    ("returns-page-neighbours", "ListResult", r#"{"success": true, "data": [], "pagination": {"page": 2, "per_page": 10, "total": 45, "has_prev": false}}"#, ("2,", "1,")),
    // Far behind the last page, either is right.
    ("returns-page-neighbours", "ListResult", r#"{"success": true, "data": [], "pagination": {"page": 6, "per_page": 10, "total": 45, "has_prev": false}}"#, ("6,", "7,")),
    ("returns-page-size", "ListResult", r#"{"success": true, "data": [{}, {}], "pagination": {"page": 1, "per_page": 1, "total": 9}}"#, (r#""per_page": 1"#, r#""per_page": 2"#)),
    ("returns-page-size", "ListResult", r#"{"success": true, "data": [{}, {}], "pagination": {"page": 1, "per_page": 10, "total": 1}}"#, (r#""total": 1"#, r#""total": 2"#)),
    // The last page has what is left, and a page after it nothing.
    ("returns-page-size", "ListResult", r#"{"success": true, "data": [{}, {}], "pagination": {"page": 5, "per_page": 10, "total": 41}}"#, ("{}, {}", "{}")),
    ("returns-page-size", "ListResult", r#"{"success": true, "data": [{}], "pagination": {"page": 6, "per_page": 10, "total": 41}}"#, ("{}", "")),
    ("returns-batch-counts", "BatchResult", r#"{"success": true, "batch_id": "b", "total": 3, "successful": 3, "failed": 1}"#, (r#""total": 3"#, r#""total": 4"#)),
    ("returns-batch-counts", "BatchResult", r#"{"success": true, "batch_id": "b", "total": 18446744073709551615, "successful": 18446744073709551615, "failed": 1}"#, (r#""failed": 1"#, r#""failed": 0"#)),
    ("returns-batch-items", "BatchResult", r#"{"success": true, "batch_id": "b", "total": 1, "successful": 1, "failed": 0, "items": [{"id": "1", "success": true}, {"id": "2", "success": true}]}"#, (r#""total": 1, "successful": 1"#, r#""total": 2, "successful": 2"#)),
    ("returns-batch-items", "BatchResult", r#"{"success": true, "batch_id": "b", "total": 2, "successful": 1, "failed": 1, "items": [{"id": "1", "success": true}, {"id": "2", "success": true}]}"#, (r#""successful": 1, "failed": 1"#, r#""successful": 2, "failed": 0"#)),
    ("returns-batch-errors", "BatchResult", r#"{"success": true, "batch_id": "b", "total": 9, "successful": 7, "failed": 2, "errors": [{"code": "INTERNAL_ERROR", "message": "m", "count": 3}]}"#, ("3", "2")),
    ("returns-base64", "FileResult", r#"{"success": true, "file": {"name": "a", "data": "SGVsbG8"}}"#, ("SGVsbG8", "SGVsbG8=")),
    ("returns-base64", "MediaResult", r#"{"success": true, "media": {"type": "audio", "data": "SGVsbG8"}}"#, ("SGVsbG8", "SGVsbG8=")),
    ("returns-base64", "ChunkedData", r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "SGVsbG8"}"#, ("SGVsbG8", "SGVsbG8=")),
    ("returns-size", "FileResult", r#"{"success": true, "file": {"name": "a", "data": "SGVsbG8=", "size": 8}}"#, ("8}", "5}")),
    ("returns-size", "MediaResult", r#"{"success": true, "media": {"type": "audio", "data": "SGVsbG8=", "size": 8}}"#, ("8}", "5}")),
    ("returns-checksum", "FileResult", r#"{"success": true, "file": {"name": "a", "data": "SGVsbG8=", "checksum": {"algorithm": "crc32", "value": "00000000"}}}"#, ("00000000", "f7d18982")),
    ("returns-checksum", "FileResult", r#"{"success": true, "file": {"name": "a", "data": "SGVsbG8=", "checksum": {"algorithm": "SHA_256", "value": "00"}}}"#, (r#""00""#, r#""185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969""#)),
    ("returns-checksum", "ChunkedData", r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "SGVsbG8=", "checksum": "00000000"}"#, ("00000000", "f7d18982")),
    ("returns-checksum", "ChunkedData", r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "SGVsbG8=", "checksum": "md5:00"}"#, ("md5:00", "MD5:8b1a9953c4611296a827abf8c47804d7")),
    ("returns-dimensions", "MediaResult", r#"{"success": true, "media": {"type": "video", "url": "https://example.com/a", "dimensions": {"width": 0, "height": 480}}}"#, ("0,", "640,")),
    ("returns-image-dimensions", "MediaResult", r#"{"success": true, "media": {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "dimensions": {"width": 2, "height": 1}}}"#, ("2", "1")),
    ("returns-image-format", "MediaResult", r#"{"success": true, "media": {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "format": "png"}}"#, ("png", "GIF")),
    ("returns-chunk-sequence", "ChunkedData", r#"{"chunk_id": "c", "sequence": 2, "total_chunks": 2, "data": "SGVsbG8="}"#, ("2,", "1,")),
    ("returns-chunk-last", "ChunkedData", r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 2, "data": "SGVsbG8=", "is_last": true}"#, ("0,", "1,")),
];

#[test]
fn all_agree_on_every_rule() {
    let mut disagreements = Vec::new();
    for (rule, name, wrong, (from, to)) in ROWS {
        let standard = StandardType::from_name(name).expect("a standard type");
        let right = wrong.replacen(from, to, 1);
        for (text, expected) in [
            (*wrong, (vec![*rule], false, false)),
            (&*right, (vec![], true, true)),
        ] {
            let found = voices(standard, text);
            if found != expected {
                disagreements.push(format!("{name} {text}: {found:?}"));
            }
        }
    }
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}

#[test]
fn every_rule_has_a_row() {
    let meaning = rules::all().filter(|rule| {
        let subject = rule.wrong.subject;
        matches!(subject, Subject::ReturnValue(_)) && rule.severity == Severity::Error
    });
    for rule in meaning {
        let has_row = ROWS.iter().any(|(code, ..)| *code == rule.code);
        assert!(has_row, "{} has no row", rule.code);
    }
}

/// The codes of the explanation, the fast verdict, and whether the Rust type reads it.
fn voices(standard: StandardType, text: &str) -> (Vec<&'static str>, bool, bool) {
    let value = Value::from_json(text).unwrap();
    let explained = standard.check_value(Level::Meaning, &value);
    let explained = explained.err().map(|violations| codes(&violations));
    let fast = enforcer(standard).is_valid(text.as_bytes());
    (
        explained.unwrap_or_default(),
        fast,
        is_read(standard, &value),
    )
}

fn is_read(standard: StandardType, value: &Value) -> bool {
    let read = is_read_by_type(standard, value);
    if standard == StandardType::ChunkedData {
        assert_eq!(Chunk::from_value(value).is_ok(), read, "{}", value.text());
    }
    read
}

fn is_read_by_type(standard: StandardType, value: &Value) -> bool {
    type Any = serde_json::Value;
    fn read<T: StandardResult>(standard: StandardType, value: &Value) -> Option<bool> {
        (T::STANDARD == standard).then(|| T::from_value(value).is_ok())
    }
    let readers = [
        read::<types::ObjectResult<Any>>,
        read::<types::EntityResult<Any>>,
        read::<types::OperationStatus<Any>>,
        read::<types::StringValue>,
        read::<types::NumberValue>,
        read::<types::BooleanValue>,
        read::<types::IdentifierValue>,
        read::<types::ListResult<Any>>,
        read::<types::BatchResult<Any>>,
        read::<types::FileResult>,
        read::<types::MediaResult>,
        read::<types::EventStream<Any>>,
        read::<types::ChunkedData>,
        read::<types::VoidResult>,
    ];
    let verdict = readers.iter().find_map(|read| read(standard, value));
    verdict.expect("a Rust type for each standard type")
}
