use proptest::prelude::*;

use crate::error::{Error, ErrorKind};
use crate::returns::stream::{Event, SseDecoder, sse_comment};

/// The events of a stream, each with the last event id at that time.
pub(super) fn decode(stream: &[u8]) -> Result<Vec<(Event, String)>, Error> {
    decode_pieces(&mut SseDecoder::new(), [stream])
}

fn decode_pieces<'a>(
    decoder: &mut SseDecoder,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<(Event, String)>, Error> {
    let mut events = Vec::new();
    decode_into(&mut events, decoder, pieces)?;
    Ok(events)
}

fn decode_into<'a>(
    events: &mut Vec<(Event, String)>,
    decoder: &mut SseDecoder,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Result<(), Error> {
    for mut bytes in pieces {
        while let Some(event) = decoder.next_event(&mut bytes)? {
            events.push((event, decoder.last_event_id().to_owned()));
        }
        assert!(bytes.is_empty());
    }
    Ok(())
}

#[test]
fn invalid_utf8_is_replaced() {
    let cases: [(&[u8], &str); 5] = [
        (b"\xff", "\u{fffd}"),
        // One for each maximal part of a sequence, as the Encoding Standard has it.
        (b"\xe2\x82x", "\u{fffd}x"),
        (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xf0\x9f\x98", "\u{fffd}"),
        (b"\xc3\xa9", "é"),
    ];
    for (bytes, expected) in cases {
        let stream = [b"data:", bytes, b"\n\n"].concat();
        assert_eq!(decode(&stream).unwrap()[0].0.data(), expected);
    }
}

#[test]
fn retry_is_digits_only() {
    let cases = [
        ("3000", Some(3000)),
        ("007", Some(7)),
        ("", None),
        ("-1", None),
        ("+1", None),
        ("1.5", None),
        ("1e3", None),
        ("1000x", None),
        ("٣", None),
        ("99999999999999999999", Some(Event::LONGEST_RETRY)),
    ];
    for (text, expected) in cases {
        let stream = format!("retry: {text}\ndata: x\n\ndata: y\n\n");
        let mut decoder = SseDecoder::new();
        let events = decode_pieces(&mut decoder, [stream.as_bytes()]).unwrap();
        assert_eq!(events[0].0.retry(), expected, "{text}");
        assert_eq!(events[1].0.retry(), None);
        assert_eq!(decoder.reconnection_time(), expected);
    }
    let mut decoder = SseDecoder::new();
    assert!(
        decode_pieces(&mut decoder, [&b"retry:5\n\n"[..]])
            .unwrap()
            .is_empty()
    );
    assert_eq!(decoder.reconnection_time(), Some(5));
}

#[test]
fn an_unfinished_event_leaves_no_trace() {
    let mut decoder = SseDecoder::new();
    let events = decode_pieces(&mut decoder, [&b"id: 1\ndata: x\n\nid: 2\ndata: y\n"[..]]);
    assert_eq!(events.unwrap().len(), 1);
    assert_eq!(decoder.last_event_id(), "1");
}

#[test]
fn events_too_large_are_refused() {
    // Within the limit: 5 bytes held, and a line of 10.
    let mut decoder = SseDecoder::new().max_event_bytes(15);
    let small = b"data:1234\ndata:56789\n\n".repeat(3);
    assert_eq!(decode_pieces(&mut decoder, [&small[..]]).unwrap().len(), 3);

    let error = decode_pieces(&mut decoder, [&b"data:12345\ndata:67890"[..]]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::EventTooLarge);
    assert_eq!(
        error.to_string(),
        "the event after byte 66 of the stream: expected at most 15 bytes, found more; \
         send large data as ChunkedData, or raise the decoder's `max_event_bytes`"
    );
    // The error is final.
    decode_pieces(&mut decoder, [&b"\n\ndata:1\n\n"[..]]).unwrap_err();
    decoder.next_event(&mut &b""[..]).unwrap_err();
}

#[test]
fn many_small_lines_are_limited_too() {
    let mut decoder = SseDecoder::new().max_event_bytes(100);
    decode_pieces(&mut decoder, [&b":\n".repeat(1000)[..]]).unwrap();
    decode_pieces(&mut decoder, [&b"data\n".repeat(1000)[..]]).unwrap_err();
}

#[test]
fn what_cannot_be_said_is_refused() {
    let event = || Event::new("x");
    for name in ["", "a\nb", "a\rb", "\n"] {
        let error = event().with_name(name).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::EventName, "{name:?}");
    }
    for id in ["a\nb", "a\r", "a\0"] {
        let error = event().with_id(id).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::EventId, "{id:?}");
    }
    assert_eq!(
        event().with_retry(u64::MAX).retry(),
        Some(Event::LONGEST_RETRY)
    );
    assert_eq!(Event::new("a\r\nb\rc\n").data(), "a\nb\nc\n");
}

#[test]
fn comments_disappear() {
    let comment = sse_comment("data: no\r\ndata: event\r\n");
    assert_eq!(comment, ": data: no\n: data: event\n: \n");
    let stream = comment.clone() + &Event::new("x").encode() + &comment;
    assert_eq!(decode(stream.as_bytes()).unwrap().len(), 1);
}

/// Text that is dense in what the format cares about.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"data: x",
        b"data",
        b"id: 1",
        b"id",
        b"event: e",
        b"retry: 10",
        b": c",
        b"\n",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b"\r\n\r\n",
        b"\xef\xbb\xbf",
        b"\xe2\x82",
        b"\xac",
        b"\0",
        b" ",
        b":",
        "é😀".as_bytes(),
    ];
    let piece = prop::sample::select(pieces);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// An event with difficult names, ids and data.
fn event() -> impl Strategy<Value = Event> {
    let parts = (
        "[ :a-c\0é\u{feff}]{1,5}",
        proptest::option::of("[ :0-2é\u{feff}]{0,4}"),
        "[ :a-c\n\r\0é😀\u{feff}]{0,12}",
        proptest::option::of(any::<u64>()),
    );
    parts.prop_map(|(name, id, data, retry)| {
        let mut event = Event::new(data).with_name(name).unwrap();
        if let Some(id) = id {
            event = event.with_id(id).unwrap();
        }
        retry.map_or(event.clone(), |retry| event.with_retry(retry))
    })
}

proptest! {
    #[test]
    fn any_split_gives_the_same_events(
        stream in stream(),
        sizes in proptest::collection::vec(0..5_usize, 1..40),
        limit in 5..200_usize,
    ) {
        let mut pieces = Vec::new();
        let mut rest = &stream[..];
        for size in sizes {
            let (piece, after) = rest.split_at(size.min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
        let results: Vec<_> = [vec![&stream[..]], pieces, stream.chunks(1).collect()]
            .into_iter()
            .map(|pieces| {
                let mut decoder = SseDecoder::new().max_event_bytes(limit);
                let mut events = Vec::new();
                let end = decode_into(&mut events, &mut decoder, pieces);
                (events, end.map_err(|e| e.to_string()), decoder.last_event_id().to_owned(), decoder.reconnection_time())
            })
            .collect();
        prop_assert_eq!(&results[0], &results[1]);
        prop_assert_eq!(&results[0], &results[2]);
    }

    #[test]
    fn what_is_written_is_read(events in proptest::collection::vec(event(), 0..6)) {
        let stream: String = events.iter().map(|e| sse_comment("hi") + &e.encode()).collect();
        let read = decode(stream.as_bytes()).unwrap();
        let read: Vec<Event> = read.into_iter().map(|(event, _)| event).collect();
        prop_assert_eq!(read, events);
    }
}
