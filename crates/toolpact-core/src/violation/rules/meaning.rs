use super::{Rule, Subject::ReturnValue};

rules! {
    PAYLOAD_MISSING = Rule::error("returns-payload-missing", "A success must have its payload.")
        .because(
            "`data`, `value`, `id`, `file` or `media`, whichever the type has: it is what the \
             caller asked for. VoidResult is for tools that have nothing to give.",
        )
        .shown(
            ReturnValue("StringValue"),
            br#"{"success": true}"#,
            br#"{"success": true, "value": "Hello"}"#,
        );
    ERROR_ON_SUCCESS = Rule::error("returns-error-on-success", "A success must not have an error.")
        .because("It worked or it did not. The schema says of `error`: \"if success is false\" (ADL 4.1.1).")
        .shown(
            ReturnValue("VoidResult"),
            br#"{"success": true, "error": {"code": "EXTERNAL_TIMEOUT", "message": "Late."}}"#,
            br#"{"success": false, "error": {"code": "EXTERNAL_TIMEOUT", "message": "Late."}}"#,
        );
    ERROR_MISSING = Rule::error("returns-error-missing", "A failure must have an error.")
        .because("It says what went wrong (ADL 5.1). The same goes for a failed item of a batch.")
        .shown(
            ReturnValue("VoidResult"),
            br#"{"success": false}"#,
            br#"{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "No such user."}}"#,
        );
    PAYLOAD_ON_ERROR = Rule::error("returns-payload-on-error", "A failure must not have a payload.")
        .because(
            "Nobody could tell what it is worth. A failed ListResult has an empty `data`, because \
             its schema requires one.",
        )
        .shown(
            ReturnValue("IdentifierValue"),
            br#"{"success": false, "id": "usr_1", "error": {"code": "INTERNAL_ERROR", "message": "Lost."}}"#,
            br#"{"success": false, "error": {"code": "INTERNAL_ERROR", "message": "Lost."}}"#,
        );
    ERROR_CODE = Rule::warning("returns-error-code", "The code of an error should be of one of the eight categories.")
        .because("Its prefix tells a caller what to do, whether it knows the code or not (ADL 5.2).")
        .shown(
            ReturnValue("VoidResult"),
            br#"{"success": false, "error": {"code": "NOT_FOUND", "message": "No such user."}}"#,
            br#"{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "No such user."}}"#,
        );
    FORMAT = Rule::error("returns-format", "A time must be a `date-time`, an address a `uri`.")
        .because("The schemas note these formats; at the level of meaning they hold (RFC 3339, RFC 3986).")
        .shown(
            ReturnValue("OperationStatus"),
            br#"{"operation_id": "op_1", "status": "running", "created_at": "15 February 2026"}"#,
            br#"{"operation_id": "op_1", "status": "running", "created_at": "2026-02-15T10:00:00Z"}"#,
        );
    NEGATIVE = Rule::error("returns-negative", "A size, a duration, a count or a delay must not be negative.")
        .because("`size`, `duration`, `duration_ms`, `count` and `retry`. A minus sign is often a clock that went back.")
        .shown(
            ReturnValue("EventStream"),
            br#"{"event": "message", "retry": -1}"#,
            br#"{"event": "message", "retry": 0}"#,
        );
    OPERATION_RESULT = Rule::error("returns-operation-result", "A completed operation must have a `result`, a failed or pending one must not.")
        .because("It is \"present when status is 'completed'\" (ADL 4.1.3). While an operation runs, there may be part of it.")
        .shown(
            ReturnValue("OperationStatus"),
            br#"{"operation_id": "op_1", "status": "completed", "created_at": "2026-02-15T10:00:00Z"}"#,
            br#"{"operation_id": "op_1", "status": "completed", "result": {"rows": 3}, "created_at": "2026-02-15T10:00:00Z"}"#,
        );
    OPERATION_ERROR = Rule::error("returns-operation-error", "A failed operation must have an `error`, a completed one must not.")
        .because("It is \"present when status is 'failed'\" (ADL 4.1.3).")
        .shown(
            ReturnValue("OperationStatus"),
            br#"{"operation_id": "op_1", "status": "failed", "created_at": "2026-02-15T10:00:00Z"}"#,
            br#"{"operation_id": "op_1", "status": "failed", "error": {"code": "INTERNAL_ERROR", "message": "Disk full."}, "created_at": "2026-02-15T10:00:00Z"}"#,
        );
    OPERATION_STEPS = Rule::error("returns-operation-steps", "The current step of an operation must be one of its steps.")
        .because("`current_step` is at most `total_steps`.")
        .shown(
            ReturnValue("OperationStatus"),
            br#"{"operation_id": "op_1", "status": "running", "progress": {"current_step": 21, "total_steps": 20}, "created_at": "2026-02-15T10:00:00Z"}"#,
            br#"{"operation_id": "op_1", "status": "running", "progress": {"current_step": 20, "total_steps": 20}, "created_at": "2026-02-15T10:00:00Z"}"#,
        );
    OPERATION_TIMES = Rule::error("returns-operation-times", "An operation must be created before it is updated or completed.")
        .because("Times are compared as instants, whatever their zones.")
        .shown(
            ReturnValue("OperationStatus"),
            br#"{"operation_id": "op_1", "status": "running", "created_at": "2026-02-15T10:00:00Z", "updated_at": "2026-02-15T11:30:00+02:00"}"#,
            br#"{"operation_id": "op_1", "status": "running", "created_at": "2026-02-15T10:00:00Z", "updated_at": "2026-02-15T12:30:00+02:00"}"#,
        );
    RELATIONSHIP = Rule::error("returns-relationship", "A relationship must name entities by `id` and `type`.")
        .because("Both are strings. `data` is one such object, or an array of them (ADL 4.1.2).")
        .shown(
            ReturnValue("EntityResult"),
            br#"{"id": "prod_1", "type": "product", "relationships": {"maker": {"data": {"id": "mfg_1"}}}}"#,
            br#"{"id": "prod_1", "type": "product", "relationships": {"maker": {"data": {"id": "mfg_1", "type": "manufacturer"}}}}"#,
        );
    PAGE_COUNT = Rule::error("returns-page-count", "There must be as many pages as it takes for all items.")
        .because("`total_pages` is `total` divided by `per_page`, rounded up; for an empty list, 1 is right, too.")
        .shown(
            ReturnValue("ListResult"),
            br#"{"success": true, "data": [], "pagination": {"per_page": 10, "total": 45, "total_pages": 4}}"#,
            br#"{"success": true, "data": [], "pagination": {"per_page": 10, "total": 45, "total_pages": 5}}"#,
        );
    PAGE_NEIGHBOURS = Rule::error("returns-page-neighbours", "`has_next` and `has_prev` must agree with the number of the page.")
        .because("A caller that goes by them would stop too early or never.")
        .shown(
            ReturnValue("ListResult"),
            br#"{"success": true, "data": [], "pagination": {"page": 5, "total_pages": 5, "has_next": true}}"#,
            br#"{"success": true, "data": [], "pagination": {"page": 5, "total_pages": 5, "has_next": false}}"#,
        );
    PAGE_SIZE = Rule::error("returns-page-size", "A page must not hold more items than it may, nor more than there are.")
        .because(
            "`data` is no longer than `per_page` and `total`, and than what the pages before leave of \
             `total`: page 5 of 41 items at 10 a page holds one item.",
        )
        .shown(
            ReturnValue("ListResult"),
            br#"{"success": true, "data": [{}, {}], "pagination": {"per_page": 1}}"#,
            br#"{"success": true, "data": [{}], "pagination": {"per_page": 1}}"#,
        );
    BATCH_COUNTS = Rule::error("returns-batch-counts", "The counts of a batch must add up.")
        .because("`successful` and `failed` together are at most `total`: items may be left over, skipped or not done yet.")
        .shown(
            ReturnValue("BatchResult"),
            br#"{"success": true, "batch_id": "b1", "total": 3, "successful": 3, "failed": 1}"#,
            br#"{"success": true, "batch_id": "b1", "total": 4, "successful": 3, "failed": 1}"#,
        );
    BATCH_ITEMS = Rule::error("returns-batch-items", "The items of a batch must be among those it counts.")
        .because("Not all have to be listed; but if all are, they are exactly as many of each outcome as counted.")
        .shown(
            ReturnValue("BatchResult"),
            br#"{"success": true, "batch_id": "b1", "total": 2, "failed": 1, "items": [{"id": "1", "success": true}, {"id": "2", "success": true}]}"#,
            br#"{"success": true, "batch_id": "b1", "total": 2, "failed": 0, "items": [{"id": "1", "success": true}, {"id": "2", "success": true}]}"#,
        );
    BATCH_ERRORS = Rule::error("returns-batch-errors", "The errors of a batch must not be more than failed.")
        .because("The `count`s of `errors` add up to at most `failed`.")
        .shown(
            ReturnValue("BatchResult"),
            br#"{"success": true, "batch_id": "b1", "total": 9, "failed": 2, "errors": [{"code": "VALIDATION_FORMAT", "count": 3}]}"#,
            br#"{"success": true, "batch_id": "b1", "total": 9, "failed": 2, "errors": [{"code": "VALIDATION_FORMAT", "count": 2}]}"#,
        );
    BASE64 = Rule::error("returns-base64", "`data` must be Base64.")
        .because("The alphabet of RFC 4648 section 4, filled up with `=`, without line breaks.")
        .shown(
            ReturnValue("FileResult"),
            br#"{"success": true, "file": {"data": "SGVsbG8"}}"#,
            br#"{"success": true, "file": {"data": "SGVsbG8="}}"#,
        );
    SIZE = Rule::error("returns-size", "`size` must be that of the data.")
        .because("In bytes, of what the Base64 stands for.")
        .shown(
            ReturnValue("FileResult"),
            br#"{"success": true, "file": {"data": "SGVsbG8=", "size": 8}}"#,
            br#"{"success": true, "file": {"data": "SGVsbG8=", "size": 5}}"#,
        );
    CHECKSUM = Rule::error("returns-checksum", "A checksum must be that of the data.")
        .because(
            "In hexadecimal, of the bytes that the Base64 stands for. That of a ChunkedData names its \
             algorithm, `md5:8b1a99…`, or has the length of one: 8 digits are crc32, 32 md5, 40 sha1, \
             64 sha256, 96 sha384, 128 sha512. At least the first six digits of the SHA-256 are \
             accepted, too.",
        )
        .shown(
            ReturnValue("FileResult"),
            br#"{"success": true, "file": {"data": "SGVsbG8=", "checksum": {"algorithm": "crc32", "value": "00000000"}}}"#,
            br#"{"success": true, "file": {"data": "SGVsbG8=", "checksum": {"algorithm": "crc32", "value": "f7d18982"}}}"#,
        );
    CHECKSUM_ALGORITHM = Rule::warning("returns-checksum-algorithm", "The algorithm of a checksum should be one that can be checked.")
        .because(
            "sha256, sha384, sha512, sha1, md5 or crc32, with or without hyphens, in any case. Without a \
             name, the number of digits says which it is. Others are accepted, and nobody checks them.",
        )
        .shown(
            ReturnValue("FileResult"),
            br#"{"success": true, "file": {"data": "SGVsbG8=", "checksum": {"algorithm": "xor", "value": "42"}}}"#,
            br#"{"success": true, "file": {"data": "SGVsbG8=", "checksum": {"algorithm": "CRC-32", "value": "F7D18982"}}}"#,
        );
    DIMENSIONS = Rule::error("returns-dimensions", "A medium must be at least one pixel wide and high.")
        .because("Where the dimensions are not known, leave them out.")
        .shown(
            ReturnValue("MediaResult"),
            br#"{"success": true, "media": {"type": "video", "dimensions": {"width": 0, "height": 480}}}"#,
            br#"{"success": true, "media": {"type": "video", "dimensions": {"width": 640, "height": 480}}}"#,
        );
    IMAGE_DIMENSIONS = Rule::error("returns-image-dimensions", "An image must have the dimensions it is said to have.")
        .because("Where the data is there, its header says how wide and high it is.")
        .shown(
            ReturnValue("MediaResult"),
            br#"{"success": true, "media": {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "dimensions": {"width": 2, "height": 1}}}"#,
            br#"{"success": true, "media": {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "dimensions": {"width": 1, "height": 1}}}"#,
        );
    IMAGE_FORMAT = Rule::error("returns-image-format", "An image must have the format it is said to have.")
        .because("Where the data is there, its first bytes say what it is: avif, bmp, gif, heic, jpeg, png, tiff or webp.")
        .shown(
            ReturnValue("MediaResult"),
            br#"{"success": true, "media": {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "format": "png"}}"#,
            br#"{"success": true, "media": {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "format": "GIF"}}"#,
        );
    CHUNK_SEQUENCE = Rule::error("returns-chunk-sequence", "The number of a chunk must be less than the number of chunks.")
        .because("The first chunk is number 0, the last one `total_chunks` - 1.")
        .shown(
            ReturnValue("ChunkedData"),
            br#"{"chunk_id": "c1", "sequence": 2, "total_chunks": 2, "data": "SGVsbG8="}"#,
            br#"{"chunk_id": "c1", "sequence": 1, "total_chunks": 2, "data": "SGVsbG8="}"#,
        );
    CHUNK_LAST = Rule::error("returns-chunk-last", "`is_last` must be true on the last chunk and on no other.")
        .because("The last chunk is number `total_chunks` - 1.")
        .shown(
            ReturnValue("ChunkedData"),
            br#"{"chunk_id": "c1", "sequence": 0, "total_chunks": 2, "data": "SGVsbG8=", "is_last": true}"#,
            br#"{"chunk_id": "c1", "sequence": 1, "total_chunks": 2, "data": "SGVsbG8=", "is_last": true}"#,
        );
}
