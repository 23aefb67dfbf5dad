//! For each promise, a result that breaks its shape and one that breaks its meaning.

/// It is in every broken result, and should be in nothing that is said about it.
pub(super) const SECRET: &str = "s3cr3t";

pub(super) struct Row {
    /// The promise, as the contract has it.
    pub(super) returns: &'static str,
    /// A result that has not the shape, and the rule.
    pub(super) shape: (&'static str, &'static str),
    /// A result that has the shape but means nothing, and the rule.
    pub(super) meaning: (&'static str, &'static str),
}

const fn row(
    returns: &'static str,
    shape: (&'static str, &'static str),
    meaning: (&'static str, &'static str),
) -> Row {
    Row {
        returns,
        shape,
        meaning,
    }
}

pub(super) const ROWS: &[Row] = &[
    row(
        r#""ObjectResult""#,
        (r#"{"success": true, "data": "s3cr3t"}"#, "value-type"),
        (
            r#"{"success": true, "data": {"a": "s3cr3t"}, "metadata": {"duration_ms": -1}}"#,
            "returns-negative",
        ),
    ),
    row(
        r#""EntityResult""#,
        (r#"{"id": "s3cr3t"}"#, "value-missing-key"),
        (
            r#"{"id": "1", "type": "a", "relationships": {"r": {"data": {"id": "s3cr3t"}}}}"#,
            "returns-relationship",
        ),
    ),
    row(
        r#""OperationStatus""#,
        (
            r#"{"operation_id": "o", "status": "s3cr3t", "created_at": "2026-02-15T10:00:00Z"}"#,
            "value-enum",
        ),
        (
            r#"{"operation_id": "s3cr3t", "status": "completed", "created_at": "2026-02-15T10:00:00Z"}"#,
            "returns-operation-result",
        ),
    ),
    row(
        r#""StringValue""#,
        (r#"{"success": "s3cr3t"}"#, "value-type"),
        (
            r#"{"success": true, "value": "s3cr3t", "error": {"code": "INTERNAL_ERROR", "message": "s3cr3t"}}"#,
            "returns-error-on-success",
        ),
    ),
    row(
        r#""NumberValue""#,
        (r#""s3cr3t""#, "value-alternatives"),
        (
            r#"{"success": true, "value": 5, "error": {"code": "INTERNAL_ERROR", "message": "s3cr3t"}}"#,
            "returns-error-on-success",
        ),
    ),
    row(
        r#""BooleanValue""#,
        (r#""s3cr3t""#, "value-alternatives"),
        (
            r#"{"success": true, "value": true, "error": {"code": "INTERNAL_ERROR", "message": "s3cr3t"}}"#,
            "returns-error-on-success",
        ),
    ),
    row(
        r#""IdentifierValue""#,
        (r#"{"success": "s3cr3t"}"#, "value-type"),
        (
            r#"{"success": true, "type": "s3cr3t"}"#,
            "returns-payload-missing",
        ),
    ),
    row(
        r#""ListResult""#,
        (r#"{"success": true, "data": ["s3cr3t"]}"#, "value-type"),
        (
            r#"{"success": true, "data": [{"a": "s3cr3t"}], "pagination": {"page": 1, "has_prev": true}}"#,
            "returns-page-neighbours",
        ),
    ),
    row(
        r#""BatchResult""#,
        (
            r#"{"success": true, "batch_id": "s3cr3t"}"#,
            "value-missing-key",
        ),
        (
            r#"{"success": true, "batch_id": "s3cr3t", "total": 1, "successful": 5, "failed": 9}"#,
            "returns-batch-counts",
        ),
    ),
    row(
        r#""FileResult""#,
        (r#"{"success": true, "file": "s3cr3t"}"#, "value-type"),
        (
            r#"{"success": true, "file": {"filename": "s3cr3t", "size": 8, "data": "SGVsbG8="}}"#,
            "returns-size",
        ),
    ),
    row(
        r#""MediaResult""#,
        (
            r#"{"success": true, "media": {"type": "s3cr3t"}}"#,
            "value-enum",
        ),
        (
            r#"{"success": true, "media": {"type": "image", "data": "s3cr3t!!"}}"#,
            "returns-base64",
        ),
    ),
    row(
        r#""EventStream""#,
        (r#"{"data": "s3cr3t"}"#, "value-missing-key"),
        (r#"{"event": "s3cr3t", "retry": -3000}"#, "returns-negative"),
    ),
    row(
        r#""ChunkedData""#,
        (
            r#"{"chunk_id": "s3cr3t", "sequence": 0, "total_chunks": 1}"#,
            "value-missing-key",
        ),
        (
            r#"{"chunk_id": "s3cr3t", "sequence": 2, "total_chunks": 2, "data": "SGVsbG8="}"#,
            "returns-chunk-sequence",
        ),
    ),
    row(
        r#""VoidResult""#,
        (r#""s3cr3t""#, "value-type"),
        (
            r#"{"success": true, "error": {"code": "INTERNAL_ERROR", "message": "s3cr3t"}}"#,
            "returns-error-on-success",
        ),
    ),
    row(
        r#"{"type": "object", "properties": {"mail": {"type": "string", "format": "email"}}, "required": ["mail"]}"#,
        (r#"{"mail": ["s3cr3t"]}"#, "value-type"),
        (r#"{"mail": "s3cr3t"}"#, "value-format"),
    ),
];

/// Results that keep their promise, for the types whose examples in the specification are cut short.
pub(super) const GOOD: [(&str, &str); 3] = [
    (
        "FileResult",
        r#"{"success": true, "file": {"filename": "a.txt", "size": 5, "data": "SGVsbG8="}}"#,
    ),
    (
        "MediaResult",
        r#"{"success": true, "media": {"type": "audio", "size": 5, "data": "SGVsbG8="}}"#,
    ),
    (
        "ChunkedData",
        r#"{"chunk_id": "c", "sequence": 1, "total_chunks": 2, "data": "SGVsbG8="}"#,
    ),
];
