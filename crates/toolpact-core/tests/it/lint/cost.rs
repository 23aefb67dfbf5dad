//! Whatever a text is, it is read to its end, in time that grows with its length only.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;
use toolpact_core::json::{Document, Limits};
use toolpact_core::lint::{self, Selection};

fn look(description: &str, parameter: &str) -> usize {
    let text = json!({"tools": [{
        "name": "add",
        "title": parameter,
        "description": description,
        "inputSchema": {"type": "object", "properties": {parameter: {"type": "string", "description": parameter, "enum": ["one"]}}},
        "annotations": {"readOnlyHint": true},
    }]});
    let document = Document::json(text.to_string().as_bytes(), &Limits::default());
    let found = lint::document(&document, None, &Selection::all());
    // Places are those of the document.
    for finding in &found {
        let place = finding.location().unwrap();
        assert!(
            document.text().get(place.span.clone()).is_some(),
            "{finding}"
        );
    }
    found.len()
}

/// Pieces that the rules look for, in any order: a text of them has many beginnings of phrases.
const PIECES: &[&str] = &[
    "ignore ",
    "all ",
    "previous ",
    "before ",
    "using ",
    "read ",
    "send ",
    "tool ",
    "user ",
    "do ",
    "not ",
    "tell ",
    "the ",
    "<",
    "</",
    "important",
    ">",
    "<!--",
    "-->",
    "<|",
    "&#",
    ";",
    "&lt;",
    ".env",
    ".",
    "@",
    "https://",
    "+123456789",
    "r e a d ",
    "\u{200b}",
    "\u{e0041}",
    "\u{fe0f}",
    "\u{202e}",
    "\u{1b}[8m",
    "é",
    "е",
    "𝐚",
    "\u{301}",
    "日本",
    "\n",
    "\t",
    "aWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM=",
    "readAllFiles",
    "send_email tool ",
    "\u{0}",
    "👩‍👩‍👧",
    "🏴\u{e0067}\u{e0062}\u{e007f}",
];

proptest! {
    #[test]
    fn any_text_is_read(description in any::<String>(), parameter in any::<String>()) {
        look(&description, &parameter);
    }

    #[test]
    fn any_pieces_are_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60), cut in 0_usize..20) {
        let (first, second) = pieces.split_at(cut.min(pieces.len()));
        look(&first.concat(), &second.concat());
    }
}

/// Texts that would be slow to read with patterns that go back: twenty times the text takes not much more than
/// twenty times as long. A square would be four hundred times.
#[test]
fn hostile_texts_cost_their_length() {
    let hostile: Vec<String> = PIECES
        .iter()
        .map(|piece| (*piece).to_owned())
        .chain([
            "read send ".to_owned(),
            "before using read ".to_owned(),
            "r e a d s e n d ".to_owned(),
            "<important <system ".to_owned(),
            "a_b tool ".to_owned(),
            "instructions ignore ".to_owned(),
        ])
        .collect();
    for piece in hostile {
        let text = |bytes: usize| piece.repeat(bytes / piece.len());
        let (short, long) = (text(5_000), text(100_000));
        let time = |text: &str| {
            let started = Instant::now();
            look(text, "a");
            started.elapsed()
        };
        let few = (0..3).map(|_| time(&short)).min().unwrap();
        let many = time(&long);
        // Twenty times the text; the rest is for a machine that is busy.
        let most = (few * 20 * 6).max(Duration::from_secs(2));
        assert!(
            many < most,
            "{piece:?}: {few:?} for 5 kB, {many:?} for 100 kB"
        );
    }
}
