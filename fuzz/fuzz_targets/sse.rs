//! A stream of Server-Sent Events: however it is cut, the events are the same, and what they say
//! survives being written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::returns::stream::{Event, SseDecoder};

/// Events with the last event id at that time, and whether the stream could be read to its end.
type Outcome = (Vec<(Event, String)>, bool, Option<u64>);

fuzz_target!(|data: &[u8]| {
    let Some((first, stream)) = data.split_first() else {
        return;
    };
    // Half of the streams meet the limit.
    let limit = match first % 2 {
        0 => usize::MAX,
        _ => usize::from(first / 2),
    };
    let whole = decode([stream], limit);
    let size = usize::from(first / 16) + 1;
    assert_eq!(decode(stream.chunks(size), limit), whole);
    assert_eq!(decode(stream.chunks(1), limit), whole);

    let events: Vec<Event> = whole.0.into_iter().map(|(event, _)| event).collect();
    let sent: String = events.iter().map(Event::encode).collect();
    let (again, finished, _) = decode([sent.as_bytes()], usize::MAX);
    assert!(finished);
    assert!(again.iter().map(|(event, _)| event).eq(&events));
    events.iter().for_each(value_round_trip);
});

fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, limit: usize) -> Outcome {
    let mut decoder = SseDecoder::new().max_event_bytes(limit);
    let mut events = Vec::new();
    for mut bytes in pieces {
        loop {
            match decoder.next_event(&mut bytes) {
                Ok(Some(event)) => events.push((event, decoder.last_event_id().to_owned())),
                Ok(None) => break,
                Err(_) => return (events, false, decoder.reconnection_time()),
            }
        }
    }
    (events, true, decoder.reconnection_time())
}

fn value_round_trip(event: &Event) {
    let Ok(value) = event.to_value() else {
        return;
    };
    let sent = Event::from_value(&value)
        .expect("made from an event")
        .encode();
    let (read, finished, _) = decode([sent.as_bytes()], usize::MAX);
    assert!(finished && read.len() == 1);
    assert_eq!(read[0].0.to_value().expect("was JSON before"), value);
}
