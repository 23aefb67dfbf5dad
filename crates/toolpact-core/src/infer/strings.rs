use indexmap::IndexMap;

use super::place::Lengths;
use crate::check::TextFormat;

/// The strings at one place.
#[derive(Debug, Clone)]
pub(super) struct Strings {
    pub(super) count: u64,
    /// Each with how often it was seen; `None` if they are too many, or too long, to be the words of an enum.
    pub(super) distinct: Option<IndexMap<Box<str>, u64>>,
    /// Those that every one of them has.
    formats: u16,
    /// In characters.
    pub(super) lengths: Lengths,
}

/// The most words of an enum.
pub(super) const MOST_WORDS: usize = 32;
/// The longest word of an enum, in bytes.
pub(super) const LONGEST_WORD: usize = 64;

impl Default for Strings {
    fn default() -> Self {
        Self {
            count: 0,
            distinct: Some(IndexMap::new()),
            formats: (1 << TextFormat::ALL.len()) - 1,
            lengths: Lengths::default(),
        }
    }
}

impl Strings {
    pub(super) fn add(&mut self, text: &str) {
        self.count += 1;
        self.add_word(text, 1);
        self.lengths.add(text.chars().count());
        if self.formats != 0 {
            for (bit, format) in TextFormat::ALL.iter().enumerate() {
                if self.formats & 1 << bit != 0 && !format.holds(text) {
                    self.formats &= !(1 << bit);
                }
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.formats &= other.formats;
        self.lengths.merge(other.lengths);
        match other.distinct {
            Some(words) => words.iter().for_each(|(word, n)| self.add_word(word, *n)),
            None => self.distinct = None,
        }
    }

    /// The format that all of them have.
    pub(super) fn format(&self) -> Option<TextFormat> {
        let all = TextFormat::ALL.iter().enumerate();
        let mut held = all.filter(|(bit, _)| self.formats & 1 << bit != 0);
        held.next().map(|(_, format)| *format)
    }

    /// The words, if they are all that there seem to be: few, each seen several times.
    pub(super) fn words(&self) -> Option<&IndexMap<Box<str>, u64>> {
        /// How often each word has to be seen.
        const SEVERAL: u64 = 3;
        /// How many strings there have to be at least.
        const ENOUGH: u64 = 10;
        /// And if all of them are the same.
        const ENOUGH_OF_ONE: u64 = 20;
        let words = self.distinct.as_ref()?;
        let enough = if words.len() == 1 {
            ENOUGH_OF_ONE
        } else {
            ENOUGH
        };
        let is_known = self.count >= enough && words.values().all(|n| *n >= SEVERAL);
        (is_known && self.format().is_none()).then_some(words)
    }

    fn add_word(&mut self, word: &str, times: u64) {
        let Some(words) = &mut self.distinct else {
            return;
        };
        if let Some(n) = words.get_mut(word) {
            *n += times;
        } else if words.len() < MOST_WORDS && word.len() <= LONGEST_WORD {
            words.insert(word.into(), times);
        } else {
            self.distinct = None;
        }
    }
}
