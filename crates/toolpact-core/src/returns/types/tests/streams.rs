use super::super::{ChunkedData, EventStream};
use super::*;

#[test]
fn events() {
    built(&EventStream::<Order>::new("ping").unwrap());
    let event = EventStream::new("order").unwrap().with_id("7").unwrap();
    built(&event.with_data(order(1)).with_retry(3000));
    assert!(EventStream::<Order>::new("").is_err());
    assert!(EventStream::<Order>::new("two\nlines").is_err());
    assert!(
        EventStream::<Order>::new("a")
            .unwrap()
            .with_id("b\r")
            .is_err()
    );
    agree::<EventStream<Order>>(
        &[
            r#"{"event": "a", "id": ""}"#,
            r#"{"event": "a", "retry": 0.0}"#,
        ],
        &[
            "{}",
            r#"{"event": ""}"#,
            r#"{"event": "a\n"}"#,
            r#"{"event": "a", "id": 5}"#,
            r#"{"event": "a", "id": "b\r"}"#,
            r#"{"event": "a", "data": {"number": "1"}}"#,
            r#"{"event": "a", "data": null}"#,
            r#"{"event": "a", "retry": -1}"#,
            r#"{"event": "a", "retry": 0.5}"#,
        ],
    );
}

#[test]
fn events_carry_anything() {
    built(&EventStream::new("count").unwrap().with_data(5));
    agree::<EventStream<Option<u8>>>(
        &[r#"{"event": "a", "data": null}"#],
        &[r#"{"event": "a", "data": "5"}"#],
    );
}

#[test]
fn chunks() {
    let chunk = ChunkedData::new("c_1", 0, 2, b"Hello".to_vec()).unwrap();
    assert!(!chunk.is_last());
    assert_eq!(
        chunk.checksum(),
        "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969"
    );
    assert!(built(&chunk).contains(r#""data":"SGVsbG8=","is_last":false,"#));
    built(&ChunkedData::new("c_2", 1, 2, Vec::new()).unwrap());
    built(&ChunkedData::new("c_3", u64::MAX - 1, u64::MAX, Vec::new()).unwrap());
    assert!(ChunkedData::new("", 0, 1, Vec::new()).is_err());
    assert!(ChunkedData::new("c", 0, 0, Vec::new()).is_err());
    assert!(ChunkedData::new("c", 1, 1, Vec::new()).is_err());
}

#[test]
fn chunks_that_are_read() {
    agree::<ChunkedData>(
        &[
            r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": ""}"#,
            r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "SGVsbG8=", "checksum": "185F8D"}"#,
            r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "SGVsbG8=", "checksum": "a1b2c3"}"#,
        ],
        &[
            r#"{"chunk_id": "", "sequence": 0, "total_chunks": 1, "data": ""}"#,
            r#"{"chunk_id": "c", "sequence": -1, "total_chunks": 1, "data": ""}"#,
            r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 0, "data": ""}"#,
            r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1}"#,
            r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "", "is_last": 1}"#,
        ],
    );
    contradictions::<ChunkedData>(&[
        r#"{"chunk_id": "c", "sequence": 1, "total_chunks": 1, "data": ""}"#,
        r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "", "is_last": false}"#,
        r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 2, "data": "", "is_last": true}"#,
        r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "~"}"#,
        r#"{"chunk_id": "c", "sequence": 0, "total_chunks": 1, "data": "SGVsbG8=", "checksum": "00000000"}"#,
    ]);
}
