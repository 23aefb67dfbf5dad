//! What texts tell a model to do: the phrases of all rules, looked for at once.

mod classes;
mod orders;
mod persuasion;
mod secrets;
mod takeover;

use std::collections::HashSet;
use std::sync::LazyLock;

use super::phrases::Phrases;
use super::texts::Text;
use super::words::{Word, Words};
use crate::json::report::Report;
use crate::lint::Selection;
use crate::text::shorten_to;
use crate::violation::Rule;

/// Phrases that say the same, and the rule against it.
struct Told {
    rule: &'static Rule,
    /// What the text does, after "it".
    says: &'static str,
    phrases: &'static [&'static str],
}

static ALL: LazyLock<Vec<&'static Told>> = LazyLock::new(|| {
    let all = [orders::ALL, secrets::ALL, takeover::ALL, persuasion::ALL];
    all.into_iter().flatten().collect()
});

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases = Phrases::default();
    for (of, told) in ALL.iter().enumerate() {
        for phrase in told.phrases {
            phrases.add(of, phrase, classes::ALL);
        }
    }
    phrases
});

/// Longest part of a text that a message shows.
const SHOWN: usize = 100;

/// The words of the texts of a tool, in the order in which a model reads them.
pub(super) fn words(texts: &[Text<'_>]) -> Words {
    let mut words = Words::default();
    for text in texts {
        if text.is_apart {
            words.break_off();
        }
        words.add(&text.value, &*PHRASES);
    }
    words
}

/// Looks for phrases in the texts of a tool. Each rule is reported once for a text.
pub(super) fn check(texts: &[Text<'_>], words: &Words, selection: &Selection, report: &mut Report) {
    let mut told: HashSet<(&'static str, u32)> = HashSet::new();
    for hit in PHRASES.find(&words.list) {
        let (Some(found), Some(first)) = (ALL.get(hit.of), words.list.get(hit.first)) else {
            continue;
        };
        let key = (found.rule.code, first.text);
        let Some(text) = texts.get(first.text as usize) else {
            continue;
        };
        if !selection.has(found.rule) || !told.insert(key) {
            continue;
        }
        let run = words.list.get(hit.first..=hit.last).unwrap_or_default();
        report.add(found.rule, text.place(), |finding| {
            finding.say(format!(
                "{} {}: “{}”",
                text.describe(),
                found.says,
                quote(words, run)
            ));
        });
    }
}

/// What the words say, as they read without their disguise.
fn quote(words: &Words, run: &[Word]) -> String {
    let mut quoted = String::new();
    for part in run.chunk_by(|a, b| a.text == b.text) {
        let (Some(first), Some(last)) = (part.first(), part.last()) else {
            continue;
        };
        let all = Word {
            place: first.place.start..last.place.end,
            ..first.clone()
        };
        if !quoted.is_empty() {
            quoted.push_str(" … ");
        }
        let spaces = |c: char| c.is_whitespace();
        let apart = words.slice(&all).split(spaces).filter(|w| !w.is_empty());
        quoted.push_str(&apart.collect::<Vec<_>>().join(" "));
    }
    shorten_to(&quoted, SHOWN)
}
