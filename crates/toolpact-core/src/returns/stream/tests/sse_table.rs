//! Streams and how the WHATWG standard interprets them: its own examples, and the cases of the web
//! platform tests (`eventsource/format-*`).

use super::sse::decode;

/// The name, the data, and the last event id at that time.
type Row = (
    &'static str,
    &'static [(&'static str, &'static str, &'static str)],
);

#[test]
fn streams_of_the_standard() {
    for (stream, expected) in EXAMPLES.iter().chain(LINES).chain(FIELDS) {
        let events = decode(stream.as_bytes()).unwrap();
        let found: Vec<_> = events
            .iter()
            .map(|(event, id)| (event.name(), event.data(), &**id))
            .collect();
        assert_eq!(found, *expected, "{stream:?}");
    }
}

/// From the section on interpreting an event stream.
const EXAMPLES: &[Row] = &[
    (
        "data: This is the first message.\n\n\
         data: This is the second message, it\ndata: has two lines.\n\n\
         data: This is the third message.\n\n",
        &[
            ("message", "This is the first message.", ""),
            (
                "message",
                "This is the second message, it\nhas two lines.",
                "",
            ),
            ("message", "This is the third message.", ""),
        ],
    ),
    (
        "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
        &[
            ("add", "73857293", ""),
            ("remove", "2153", ""),
            ("add", "113411", ""),
        ],
    ),
    (
        "data: YHOO\ndata: +2\ndata: 10\n\n",
        &[("message", "YHOO\n+2\n10", "")],
    ),
    (
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        &[
            ("message", "first event", "1"),
            ("message", "second event", ""),
            ("message", " third event", ""),
        ],
    ),
    // The last block has no blank line after it.
    (
        "data\n\ndata\ndata\n\ndata:",
        &[("message", "", ""), ("message", "\n", "")],
    ),
    (
        "data:test\n\ndata: test\n\n",
        &[("message", "test", ""), ("message", "test", "")],
    ),
];

const LINES: &[Row] = &[
    ("", &[]),
    ("\n\n\r\r\r\n", &[]),
    ("data:1\r\r", &[("message", "1", "")]),
    ("data:1\r\n\r\n", &[("message", "1", "")]),
    (
        "data:1\r\ndata:2\ndata:3\r\n\n",
        &[("message", "1\n2\n3", "")],
    ),
    ("data:1\n\r", &[("message", "1", "")]),
    ("data:1\n", &[]),
    ("data:1\r\n", &[]),
    // One byte order mark, at the very start only.
    (
        "\u{feff}data:1\n\n\u{feff}data:2\n\ndata:3\n\n",
        &[("message", "1", ""), ("message", "3", "")],
    ),
    (
        "\u{feff}\u{feff}data:1\n\ndata:2\n\n",
        &[("message", "2", "")],
    ),
    ("\u{feff}\n\ndata:1\n\n", &[("message", "1", "")]),
    // Comments, long ones too, and other line breaks of Unicode, which do not count.
    (
        "data:1\r:\0\n:\r\ndata:2\n:x\rdata:3\n\n",
        &[("message", "1\n2\n3", "")],
    ),
    (
        "data:a\u{85}b\u{2028}c\u{b}d\n\n",
        &[("message", "a\u{85}b\u{2028}c\u{b}d", "")],
    ),
];

const FIELDS: &[Row] = &[
    (
        "data:test\n\ndata\n\n",
        &[("message", "test", ""), ("message", "", "")],
    ),
    // One leading space is removed, no other.
    (
        "data:\ttest\rdata: \ndata:test\n\n",
        &[("message", "\ttest\n\ntest", "")],
    ),
    ("data:  :x: \n\n", &[("message", " :x: ", "")]),
    // Names are compared exactly.
    (
        "Data:1\ndata\0:2\n data:3\ndata :4\ndata:5\n\n",
        &[("message", "5", "")],
    ),
    ("data:te\0st\n\n", &[("message", "te\0st", "")]),
    (
        "event: a\nevent: b\ndata:1\n\ndata:2\n\n",
        &[("b", "1", ""), ("message", "2", "")],
    ),
    ("event: a\nevent\ndata:1\n\n", &[("message", "1", "")]),
    ("event:  a\ndata:1\n\n", &[(" a", "1", "")]),
    // An event without data is dropped, but its id counts from its blank line on.
    ("event: a\n\ndata:1\n\n", &[("message", "1", "")]),
    ("id: 7\n\ndata:1\n\n", &[("message", "1", "7")]),
    (
        "id: 7\ndata:1\n\ndata:2\n\nid\ndata:3\n\n",
        &[
            ("message", "1", "7"),
            ("message", "2", "7"),
            ("message", "3", ""),
        ],
    ),
    (
        "id: 7\ndata:1\n\nid: a\0b\ndata:2\n\n",
        &[("message", "1", "7"), ("message", "2", "7")],
    ),
    ("data:1\nid: 1\nid: 2\n\n", &[("message", "1", "2")]),
];
