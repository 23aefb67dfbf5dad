//! The fourteen types: first the example of the specification, then what else they can say.

use StandardType as T;
use toolpact_core::returns::StandardType;

use super::text;

/// The examples of the specification, under one another.
#[test]
fn examples_of_the_specification() {
    let examples = T::all().map(|standard| {
        let texts = standard
            .examples()
            .into_iter()
            .map(|example| text(standard, example.text()));
        let texts: Vec<String> = texts.collect();
        format!("== {standard} ==\n{}\n", texts.join("\n-- or --\n"))
    });
    insta::assert_snapshot!(examples.collect::<Vec<_>>().join("\n"));
}

#[test]
fn objects() {
    let json = r#"{"success": true, "data": {
        "order": {"id": "ord_1", "customer": {"name": "Ada", "vip": true}},
        "note": "first line\nsecond line",
        "lines": [{"sku": "A-1", "qty": 2, "price": 9.90}, {"sku": "B-2", "qty": 1, "price": 100}],
        "tags": ["new", "1", "a, b"], "coupons": [], "extra": {}, "shipped_at": null, "zip": "01234"
    }, "metadata": {"request_id": "r1", "next_cursor": "abc"}, "warnings": ["slow"]}"#;
    insta::assert_snapshot!(text(T::ObjectResult, json), @r#"
    order:
      id: ord_1
      customer:
        name: Ada
        vip: true
    note: |
      first line
      second line
    lines (2 items):
      | sku | qty | price |
      |---|---|---|
      | A-1 | 2 | 9.90 |
      | B-2 | 1 | 100 |
    tags: [new, "1", "a, b"]
    coupons: []
    extra: {}
    shipped_at: null
    zip: "01234"
    warnings: [slow]
    next_cursor: abc
    "#);
    insta::assert_snapshot!(text(T::ObjectResult, r#"{"success": true, "data": {}}"#), @"Done. The tool returned no data.");
}

#[test]
fn entities() {
    let json = r#"{"id": "1", "type": "user", "relationships": {
        "none": {"data": []}, "own": {"data": {"id": "t1", "type": "team", "meta": {"since": 2020}}},
        "links": {"data": {"id": "x", "type": "y"}, "links": {"self": "/x"}}
    }, "meta": {}, "links": {"self": "/users/1"}}"#;
    insta::assert_snapshot!(text(T::EntityResult, json), @r#"
    id: "1" (user)
    relationships:
      none: []
      own:
        id: t1
        type: team
        meta:
          since: 2020
      links:
        data:
          id: x
          type: y
        links:
          self: /x
    meta: {}
    links:
      self: /users/1
    "#);
    let clash = r#"{"id": "1", "type": "user", "attributes": {"id": "other"}}"#;
    insta::assert_snapshot!(text(T::EntityResult, clash), @r#"
    id: "1"
    type: user
    attributes:
      id: other
    "#);
}

#[test]
fn operations() {
    let of = |rest: &str| {
        let json = r#"{"operation_id": "op_1", "created_at": "2026-02-15T10:00:00Z", REST}"#;
        text(T::OperationStatus, &json.replace("REST", rest))
    };
    insta::assert_snapshot!(of(r#""status": "pending""#), @"
    Operation op_1 is pending
    created 2026-02-15T10:00:00Z
    What to do: it is not finished. Ask for its status again later.
    ");
    insta::assert_snapshot!(of(r#""status": "completed", "completed_at": "2026-02-15T10:09:00Z",
        "result": {"rows": 120, "file": "out.csv"}"#), @"
    Operation op_1 is completed
    created 2026-02-15T10:00:00Z, completed 2026-02-15T10:09:00Z
    result:
      rows: 120
      file: out.csv
    ");
    insta::assert_snapshot!(of(r#""status": "failed", "progress": {"percent": 40},
        "error": {"code": "EXTERNAL_TIMEOUT", "message": "The database did not answer", "stack_trace": "secret"}"#), @"
    Operation op_1 failed: 40% done
    created 2026-02-15T10:00:00Z
    Error EXTERNAL_TIMEOUT: The database did not answer
    What to do: the operation has ended, and may have taken effect. Start it again only if doing it twice does no harm; otherwise check first whether it was done.
    ");
    insta::assert_snapshot!(of(r#""status": "cancelled""#), @"
    Operation op_1 was cancelled
    created 2026-02-15T10:00:00Z
    ");
}

#[test]
fn values() {
    insta::assert_snapshot!(text(T::NumberValue, r#"{"success": true, "value": 1.50e2}"#), @"1.50e2");
    insta::assert_snapshot!(text(T::StringValue, r#"{"success": true, "value": "a\nb", "lang": "en"}"#), @"
    a
    b
    lang: en
    ");
    insta::assert_snapshot!(text(T::StringValue, r#"{"success": true}"#), @"The tool succeeded, but its result has no value.");
    insta::assert_snapshot!(text(T::BooleanValue, "false"), @"false");
    insta::assert_snapshot!(text(T::IdentifierValue, r#"{"success": true, "id": "42"}"#), @r#"id: "42""#);
    insta::assert_snapshot!(text(T::VoidResult, r#"{"success": true}"#), @"Done. The tool succeeded and returns no value.");
    insta::assert_snapshot!(text(T::VoidResult, r#"{"success": false, "message": "Locked by another user"}"#), @"
    Error INTERNAL_ERROR: Locked by another user
    What to do: the same call will probably fail again. Try another way, or tell the user.
    ");
}

#[test]
fn files_and_media() {
    let file = r#"{"success": true, "file": {"name": "a.txt", "data": "SGVsbG8gV29ybGQ=", "size": 11,
        "content_type": "text/plain", "expires": "2026-03-01"}}"#;
    insta::assert_snapshot!(text(T::FileResult, file), @"
    File a.txt: type text/plain, 11 bytes
    expires: 2026-03-01
    [The content, 11 bytes in base64, is not shown.]
    ");
    insta::assert_snapshot!(text(T::FileResult, r#"{"success": true}"#), @"The tool succeeded, but its result has no file.");
    let video = r#"{"success": true, "media": {"type": "video", "duration": 12.5, "format": "mp4",
        "dimensions": {"width": 1920, "height": 1080}, "size": 7340032, "url": "https://x.org/v.mp4"}}"#;
    insta::assert_snapshot!(text(T::MediaResult, video), @"
    A video: format mp4, 1920 x 1080 pixels, 12.5 seconds, 7340032 bytes (7.0 MiB)
    url: https://x.org/v.mp4
    ");
    insta::assert_snapshot!(text(T::MediaResult, r#"{"success": true, "media": {"type": "audio"}}"#), @"An audio recording");
}

#[test]
fn streams() {
    let chunk = r#"{"chunk_id": "c", "sequence": 1, "total_chunks": 2, "data": "AAAA"}"#;
    insta::assert_snapshot!(text(T::ChunkedData, chunk), @"
    Chunk c: 2 of 2, the last one
    [The content, 3 bytes in base64, is not shown.]
    ");
    let event = r#"{"data": "tick", "event": "heartbeat", "retry": 3000}"#;
    insta::assert_snapshot!(text(T::EventStream, event), @"
    event: heartbeat
    retry: 3000
    data: tick
    ");
}
