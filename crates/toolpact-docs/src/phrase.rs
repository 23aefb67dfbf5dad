use std::fmt;

/// A few words on one line, some of which are code.
///
/// A phrase may contain any text of a contract, so nothing in it is markup: each format escapes it
/// in its own way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Phrase(Vec<Span>);

/// A piece of a phrase.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Span {
    /// Words.
    Words(String),
    /// A name, a value or a pattern.
    Code(String),
}

impl Phrase {
    /// The pieces.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.0
    }

    pub(super) fn words(words: impl Into<String>) -> Self {
        Self(vec![Span::Words(words.into())])
    }

    pub(super) fn code(code: impl Into<String>) -> Self {
        Self(vec![Span::Code(code.into())])
    }

    /// Appends words.
    pub(super) fn then(mut self, words: impl Into<String>) -> Self {
        self.0.push(Span::Words(words.into()));
        self
    }

    /// Appends code.
    pub(super) fn then_code(mut self, code: impl Into<String>) -> Self {
        self.0.push(Span::Code(code.into()));
        self
    }

    /// Appends another phrase.
    pub(super) fn and(mut self, other: Phrase) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Joins phrases, with words between them.
    pub(super) fn join(phrases: impl IntoIterator<Item = Phrase>, between: &str) -> Self {
        let mut joined = Phrase::default();
        for (i, phrase) in phrases.into_iter().enumerate() {
            if i > 0 {
                joined = joined.then(between);
            }
            joined = joined.and(phrase);
        }
        joined
    }

    /// Text of an author on one line; pairs of backticks make code.
    pub(super) fn written(line: &str) -> Self {
        let (mut phrase, mut rest) = (Phrase::default(), line);
        while let Some((before, code, after)) = code_in(rest) {
            if !before.is_empty() {
                phrase = phrase.then(before);
            }
            phrase = phrase.then_code(code);
            rest = after;
        }
        if !rest.is_empty() {
            phrase = phrase.then(rest);
        }
        phrase
    }
}

/// The first code of a line, with the text before and after it. Only single backticks count: double
/// or unpaired ones are literal.
fn code_in(line: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = line.split_once('`')?;
    let (code, after) = rest.split_once('`')?;
    let is_code = !code.trim().is_empty() && !after.starts_with('`');
    is_code.then_some((before, code, after))
}

/// Without any markup.
impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|span| match span {
            Span::Words(text) | Span::Code(text) => f.write_str(text),
        })
    }
}
