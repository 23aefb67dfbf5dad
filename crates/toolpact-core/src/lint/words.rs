//! The words of texts, as phrases are looked for in them.

use std::ops::Range;

use super::fold::{Folded, fold};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// What it is in the vocabulary; 0 if nothing.
    pub(super) id: u16,
    /// Which text of the tool it is in.
    pub(super) text: u32,
    /// Where in that text, as it was folded.
    pub(super) place: Range<u32>,
    /// Whether a sentence ended before it.
    pub(super) begins: bool,
}

/// What words mean something to the phrases.
pub(super) trait Vocabulary {
    /// Its number, from 1.
    fn id(&self, word: &str) -> Option<u16>;

    /// The length of the longest word that begins with these bytes; 0 if none does.
    fn longest(&self, first: u8, second: u8) -> usize;
}

/// The words of several texts in a row: a phrase may begin in one and go on in the next.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) list: Vec<Word>,
    /// The texts as they read.
    pub(super) texts: Vec<String>,
    /// Whether a sentence has ended since the last word.
    ended: bool,
}

/// A run of letters and digits that is being read.
#[derive(Default)]
struct Run {
    start: usize,
    /// Where it is in parts by its capitals: `readFile`.
    humps: Vec<usize>,
    was_lower: bool,
    dotted: bool,
    phone: bool,
}

/// Fewer letters with spaces between them are abbreviations or lists.
const SPELLED: usize = 6;

impl Words {
    /// Reads a further text.
    pub(super) fn add(&mut self, text: &str, vocabulary: &impl Vocabulary) {
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let first = self.list.len();
        let mut reader = Reader {
            out: String::with_capacity(text.len().min(1 << 20)),
            words: self,
            number,
            run: None,
            before: ' ',
            stopped: false,
            vocabulary,
        };
        fold(text).for_each(|folded| reader.read(folded));
        reader.end_run();
        let (out, stopped) = (reader.out, reader.stopped);
        self.ended |= stopped;
        self.texts.push(out);
        self.join_spelled(first, vocabulary);
    }

    /// From here on, no phrase goes on.
    pub(super) fn break_off(&mut self) {
        self.ended = true;
    }

    fn push(&mut self, id: u16, number: u32, place: Range<usize>) {
        let short = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let begins = std::mem::take(&mut self.ended) || self.list.is_empty();
        self.list.push(Word {
            id,
            text: number,
            place: short(place.start)..short(place.end),
            begins,
        });
    }

    /// `r e a d` is a word with its letters apart.
    fn join_spelled(&mut self, first: usize, vocabulary: &impl Vocabulary) {
        let is_letter = |word: &Word| word.place.end - word.place.start == 1;
        let mut joined: Vec<Word> = Vec::new();
        let mut rest = self.list.get(first..).unwrap_or_default();
        while let Some(word) = rest.first() {
            let letters = rest.iter().take_while(|word| is_letter(word)).count();
            let (run, after) = rest.split_at(letters.max(1));
            match letters >= SPELLED {
                true => joined.extend(self.spelled(run, vocabulary)),
                false => joined.extend_from_slice(run),
            }
            debug_assert!(!run.is_empty(), "{word:?}");
            rest = after;
        }
        self.list.truncate(first);
        self.list.append(&mut joined);
    }

    fn spelled(&self, run: &[Word], vocabulary: &impl Vocabulary) -> Vec<Word> {
        // The letters, and for each byte of them which of the words it is.
        let mut blob = String::new();
        let mut owners: Vec<usize> = Vec::new();
        for (at, word) in run.iter().enumerate() {
            if self.is_dotted(word) {
                blob.push('.');
            }
            blob.push_str(self.slice(word));
            owners.resize(blob.len(), at);
        }
        let parts = segments(&blob, vocabulary);
        let covered: usize = parts.iter().map(|(_, place)| place.len()).sum();
        if covered * 2 < blob.len() {
            return run.to_vec();
        }
        let words = parts.into_iter().filter_map(|(id, place)| {
            let owner = |at: usize| run.get(*owners.get(at)?);
            let (first, last) = (owner(place.start)?, owner(place.end - 1)?);
            Some(Word {
                id,
                place: first.place.start..last.place.end,
                begins: first.begins && place.start == 0,
                ..first.clone()
            })
        });
        words.collect()
    }

    /// Whether a dot is before a word that no other word is before: `~/.ssh`.
    fn is_dotted(&self, word: &Word) -> bool {
        let text = self.texts.get(word.text as usize);
        let before = text.and_then(|text| text.get(..word.place.start as usize));
        let mut before = before.unwrap_or_default().chars().rev();
        before.next() == Some('.') && !before.next().is_some_and(char::is_alphanumeric)
    }

    /// A word as it reads.
    pub(super) fn slice(&self, word: &Word) -> &str {
        let text = self.texts.get(word.text as usize);
        let place = word.place.start as usize..word.place.end as usize;
        text.and_then(|text| text.get(place)).unwrap_or_default()
    }
}

/// The best way to read the letters from a place on: how many are left over, in how many words, and the first of
/// them with its length.
type Reading = (usize, usize, Option<(u16, usize)>);

/// The words of a vocabulary in letters that are not apart: those that leave the fewest letters over.
fn segments(blob: &str, vocabulary: &impl Vocabulary) -> Vec<(u16, Range<usize>)> {
    let mut best: Vec<Reading> = vec![(0, 0, None); blob.len() + 1];
    for at in (0..blob.len()).rev() {
        let skipped = best
            .get(at + 1)
            .map_or((0, 0), |(left, words, _)| (left + 1, *words));
        let mut chosen = (skipped.0, skipped.1, None);
        let letters = blob.as_bytes().get(at).zip(blob.as_bytes().get(at + 1));
        let longest = letters.map_or(0, |(first, second)| vocabulary.longest(*first, *second));
        for length in 2..=longest.min(blob.len() - at) {
            let word = blob
                .get(at..at + length)
                .and_then(|word| vocabulary.id(word));
            let (Some(id), Some((left, words, _))) = (word, best.get(at + length)) else {
                continue;
            };
            if (*left, words + 1) <= (chosen.0, chosen.1) {
                chosen = (*left, words + 1, Some((id, length)));
            }
        }
        if let Some(place) = best.get_mut(at) {
            *place = chosen;
        }
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((_, _, word)) = best.get(at).filter(|_| at < blob.len()) {
        match word {
            Some((id, length)) => {
                found.push((*id, at..at + length));
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

struct Reader<'w, V> {
    words: &'w mut Words,
    /// The text so far, as it reads.
    out: String,
    number: u32,
    run: Option<Run>,
    before: char,
    /// Whether the last thing was the end of a sentence.
    stopped: bool,
    vocabulary: &'w V,
}

impl<V: Vocabulary> Reader<'_, V> {
    fn read(&mut self, Folded { c, is_upper }: Folded) {
        if c.is_alphanumeric() {
            self.stopped = false;
            let (start, before) = (self.out.len(), self.before);
            let run = self.run.get_or_insert_with(|| Run {
                start,
                dotted: before == '.',
                phone: before == '+',
                ..Run::default()
            });
            if is_upper && run.was_lower {
                run.humps.push(start);
            }
            run.was_lower = !is_upper && c.is_alphabetic();
            self.out.push(c);
            self.before = c;
            return;
        }
        let was_in_run = self.run.is_some();
        self.end_run();
        match c {
            '@' if was_in_run => self.mark("@", c),
            '.' | '!' | '?' | '。' => self.stopped = true,
            c if c.is_whitespace() && self.stopped => {
                self.words.ended = true;
                self.stopped = false;
            }
            _ => self.stopped = false,
        }
        if c == '.' && was_in_run {
            // A dot inside of a name hides nothing.
            self.before = ',';
        } else {
            self.before = c;
        }
        self.out.push(c);
    }

    /// A sign that means something to the phrases.
    fn mark(&mut self, sign: &str, c: char) {
        if let Some(id) = self.vocabulary.id(sign) {
            let start = self.out.len();
            self.words
                .push(id, self.number, start..start + c.len_utf8());
        }
    }

    fn end_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        let end = self.out.len();
        let is_number = |text: &str| text.len() >= 6 && text.bytes().all(|b| b.is_ascii_digit());
        let whole = self.out.get(run.start..end).unwrap_or_default();
        if run.phone && is_number(whole) {
            let id = self.vocabulary.id("+").unwrap_or(0);
            return self.words.push(id, self.number, run.start..end);
        }
        // `rEaD` has its capitals for another reason.
        let is_known = self.known(whole, run.dotted).is_some();
        let humps = if is_known { &[][..] } else { &run.humps[..] };
        let starts = std::iter::once(run.start).chain(humps.iter().copied());
        let ends = humps.iter().copied().chain([end]);
        for (at, (start, end)) in starts.zip(ends).enumerate() {
            self.piece(start..end, run.dotted && at == 0);
        }
    }

    fn known(&self, word: &str, dotted: bool) -> Option<u16> {
        let file = dotted.then(|| self.vocabulary.id(&format!(".{word}")));
        file.flatten().or_else(|| self.vocabulary.id(word))
    }

    fn piece(&mut self, place: Range<usize>, dotted: bool) {
        let word = self.out.get(place.clone()).unwrap_or_default();
        if let Some(id) = self.known(word, dotted) {
            return self.words.push(id, self.number, place);
        }
        // `ignorepreviousinstructions`
        let parts = match word.len() >= 6 && word.bytes().all(|b| b.is_ascii_lowercase()) {
            true => segments(word, self.vocabulary),
            false => Vec::new(),
        };
        let is_whole = parts.iter().map(|(_, part)| part.len()).sum::<usize>() == word.len();
        let is_clear = parts.iter().all(|(_, part)| part.len() >= 3);
        if !(is_whole && is_clear && parts.len() > 1) {
            return self.words.push(0, self.number, place);
        }
        for (id, part) in parts {
            let part = place.start + part.start..place.start + part.end;
            self.words.push(id, self.number, part);
        }
    }
}
