use std::ops::Range;

/// A place in a source text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The bytes concerned; empty where something is missing.
    pub span: Range<usize>,
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Column of the first byte in characters, from 1.
    pub column: usize,
}

impl Location {
    /// A place whose line and column are still to be found.
    pub(crate) fn unresolved(span: Range<usize>) -> Self {
        Self {
            span,
            line: 0,
            column: 0,
        }
    }
}

/// Turns byte offsets into lines and columns. The offsets come in ascending order, so that a
/// text of one enormous line with many places in it is still walked only once.
pub(crate) struct Locator<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Locator<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
            column: 1,
        }
    }

    pub(crate) fn locate(&mut self, span: Range<usize>) -> Location {
        let target = span.start.min(self.text.len());
        if target < self.at {
            *self = Self::new(self.text);
        }
        let passed = self.text.get(self.at..target).unwrap_or_default();
        let last_line = match passed.rsplit_once('\n') {
            Some((before, rest)) => {
                self.line += 1 + before.bytes().filter(|b| *b == b'\n').count();
                self.column = 1;
                rest
            }
            None => passed,
        };
        self.column += last_line.chars().count();
        self.at = target;
        Location {
            span,
            line: self.line,
            column: self.column,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Locator;

    #[test]
    fn counts_lines_and_characters() {
        let mut locator = Locator::new("a\né, b\n\nc");
        let mut place = |at: usize| {
            let l = locator.locate(at..at + 1);
            (l.line, l.column)
        };
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(2), (2, 1));
        assert_eq!(place(6), (2, 4));
        assert_eq!(place(9), (4, 1));
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(99), (4, 2));
    }
}
