//! Phrases: what is looked for in texts, word by word.
//!
//! Every word of a text may begin a phrase, and a phrase looks at no more than the next [`WINDOW`] words, so
//! the work is linear in the text, whatever the text is.

use std::collections::HashMap;

use super::words::{Vocabulary, Word};

/// How many words a phrase may be long, with what is between its words.
const WINDOW: usize = 40;

/// Words that stand for each other in phrases: `@name` in a phrase.
pub(super) type Class = (&'static str, &'static str);

/// A phrase, in words that are apart by spaces:
///
/// - `read|open` is one word or the other, `@take` one of a class.
/// - `the?` may be there.
/// - `..` is up to three words of any kind, `...` up to ten.
///
/// A phrase does not go beyond its sentence.
#[derive(Debug)]
struct Phrase {
    /// What it belongs to.
    of: usize,
    steps: Vec<Step>,
}

#[derive(Debug)]
struct Step {
    words: Set,
    /// How many words may be before it.
    gap: u32,
    optional: bool,
}

/// A set of words of the vocabulary.
#[derive(Debug, Clone, Default)]
struct Set(Vec<u64>);

impl Set {
    fn add(&mut self, id: u16) {
        let (at, bit) = (usize::from(id) / 64, id % 64);
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        if let Some(bits) = self.0.get_mut(at) {
            *bits |= 1 << bit;
        }
    }

    fn has(&self, id: u16) -> bool {
        let bits = self.0.get(usize::from(id) / 64);
        id != 0 && bits.is_some_and(|bits| bits & (1 << (id % 64)) != 0)
    }
}

/// All phrases, ready to be looked for.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    ids: HashMap<&'static str, u16>,
    /// How long words are that begin with two letters.
    longest: HashMap<[u8; 2], usize>,
    all: Vec<Phrase>,
    /// The phrases that begin with each word.
    by_first: Vec<Vec<usize>>,
}

/// A phrase that was found: what it belongs to, and its first and its last word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) of: usize,
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Phrases {
    /// Adds a phrase.
    pub(super) fn add(&mut self, of: usize, phrase: &'static str, classes: &[Class]) {
        let mut steps = Vec::new();
        let mut gap = 0;
        for word in phrase.split_ascii_whitespace() {
            match word {
                ".." => gap += 3,
                "..." => gap += 10,
                _ => {
                    let (word, optional) = match word.strip_suffix('?') {
                        Some(word) => (word, true),
                        None => (word, false),
                    };
                    let mut words = Set::default();
                    self.collect(word, classes, &mut words);
                    steps.push(Step {
                        words,
                        gap: std::mem::take(&mut gap),
                        optional,
                    });
                }
            }
        }
        let number = self.all.len();
        let ids = self.ids.values().copied();
        let begins = |id: &u16| steps.first().is_some_and(|first| first.words.has(*id));
        for id in ids.filter(begins) {
            let at = usize::from(id);
            if self.by_first.len() <= at {
                self.by_first.resize_with(at + 1, Vec::new);
            }
            if let Some(list) = self.by_first.get_mut(at) {
                list.push(number);
            }
        }
        self.all.push(Phrase { of, steps });
    }

    fn collect(&mut self, words: &'static str, classes: &[Class], set: &mut Set) {
        for word in words.split('|') {
            match word.strip_prefix('@').filter(|name| !name.is_empty()) {
                Some(name) => {
                    let class = classes.iter().find(|(class, _)| *class == name);
                    debug_assert!(class.is_some(), "no class @{name}");
                    let members = class.map_or("", |(_, members)| members);
                    for member in members.split_ascii_whitespace() {
                        set.add(self.number(member));
                    }
                }
                None => set.add(self.number(word)),
            }
        }
    }

    fn number(&mut self, word: &'static str) -> u16 {
        let next = u16::try_from(self.ids.len() + 1).unwrap_or(u16::MAX);
        if let [first, second, ..] = word.as_bytes() {
            let longest = self.longest.entry([*first, *second]).or_default();
            *longest = word.len().max(*longest);
        }
        *self.ids.entry(word).or_insert(next)
    }

    /// Every phrase in the words, each once for a word that it begins with.
    pub(super) fn find<'w>(&'w self, words: &'w [Word]) -> impl Iterator<Item = Hit> + 'w {
        (0..words.len()).flat_map(move |first| {
            let id = words.get(first).map_or(0, |word| usize::from(word.id));
            let may_begin = self.by_first.get(id).map_or(&[][..], Vec::as_slice);
            may_begin.iter().filter_map(move |number| {
                let phrase = self.all.get(*number)?;
                let last = phrase.end(words, first)?;
                Some(Hit {
                    of: phrase.of,
                    first,
                    last,
                })
            })
        })
    }
}

impl Phrase {
    /// The last word of the phrase if it begins at this one. `reached` has a bit for each word that the
    /// phrase may have come to, so that no way is tried twice.
    fn end(&self, words: &[Word], first: usize) -> Option<usize> {
        let sentence = words.iter().skip(first + 1).take(WINDOW - 1);
        let length = 1 + sentence.take_while(|word| !word.begins).count();
        let mut reached: u64 = 1;
        // How far the words that were left out could have come.
        let mut spare = 0;
        for step in self.steps.iter().skip(1) {
            let gap = step.gap + spare;
            let near =
                (1..=gap + 1).fold(0, |near, by| near | reached.checked_shl(by).unwrap_or(0));
            let mut next = 0;
            let mut candidates = near;
            while candidates != 0 {
                let at = candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                if at >= length {
                    break;
                }
                let is_one = words
                    .get(first + at)
                    .is_some_and(|word| step.words.has(word.id));
                next |= u64::from(is_one) << at;
            }
            match (next, step.optional) {
                (0, true) => spare = gap,
                (0, false) => return None,
                (next, true) => (reached, spare) = (reached | next, gap),
                (next, false) => (reached, spare) = (next, 0),
            }
        }
        Some(first + reached.trailing_zeros() as usize)
    }
}

impl Vocabulary for Phrases {
    fn id(&self, word: &str) -> Option<u16> {
        self.ids.get(word).copied()
    }

    fn longest(&self, first: u8, second: u8) -> usize {
        self.longest.get(&[first, second]).copied().unwrap_or(0)
    }
}
