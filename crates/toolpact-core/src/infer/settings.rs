/// What a schema says, where there is a choice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Settings {
    /// Whether numbers have to be within the range of those that were seen.
    pub ranges: bool,
    /// Whether strings and arrays have to be as long as those that were seen.
    pub lengths: bool,
    /// Whether objects may have keys that were never seen.
    pub open: bool,
    /// Whether each schema has a `$comment` that says from how many examples it is.
    pub annotate: bool,
}

impl Settings {
    /// The same, with ranges of numbers.
    #[must_use]
    pub fn ranges(self, ranges: bool) -> Self {
        Self { ranges, ..self }
    }

    /// The same, with lengths of strings and arrays.
    #[must_use]
    pub fn lengths(self, lengths: bool) -> Self {
        Self { lengths, ..self }
    }

    /// The same, with objects that may have further keys.
    #[must_use]
    pub fn open(self, open: bool) -> Self {
        Self { open, ..self }
    }

    /// The same, with comments.
    #[must_use]
    pub fn annotate(self, annotate: bool) -> Self {
        Self { annotate, ..self }
    }
}
