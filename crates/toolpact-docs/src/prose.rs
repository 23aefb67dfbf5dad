use super::Phrase;

/// A long text: paragraphs of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose(Vec<Vec<Phrase>>);

impl Prose {
    /// Splits a text at blank lines into paragraphs. Wrapped lines are joined; lists, indented
    /// lines and lines after a colon stay separate.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut paragraphs = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            if line.trim().is_empty() {
                paragraphs.extend(take_paragraph(&mut lines));
                continue;
            }
            match lines.last_mut() {
                Some(last) if !begins_anew(last, line) => {
                    last.push(' ');
                    last.push_str(line.trim());
                }
                _ => lines.push(line.trim().to_owned()),
            }
        }
        paragraphs.extend(take_paragraph(&mut lines));
        Self(paragraphs)
    }

    /// The paragraphs, each of one or more lines.
    pub fn paragraphs(&self) -> impl ExactSizeIterator<Item = &[Phrase]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first sentence, for lists.
    #[must_use]
    pub fn summary(&self) -> Phrase {
        let line = self.0.first().and_then(|lines| lines.first());
        let line = line.map(as_written).unwrap_or_default();
        Phrase::written(first_sentence(&line))
    }
}

fn take_paragraph(lines: &mut Vec<String>) -> Option<Vec<Phrase>> {
    let lines = std::mem::take(lines);
    let phrases = lines.iter().map(|line| Phrase::written(line));
    (!lines.is_empty()).then(|| phrases.collect())
}

fn begins_anew(before: &str, line: &str) -> bool {
    before.ends_with(':') || line.starts_with([' ', '\t']) || is_listed(line)
}

/// `- one`, `* one`, `• one`, `1. one` and `1) one`.
fn is_listed(line: &str) -> bool {
    let Some((marker, _)) = line.split_once(' ') else {
        return false;
    };
    let number = marker.strip_suffix(['.', ')']);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    matches!(marker, "-" | "*" | "+" | "•" | "–") || number.is_some_and(is_number)
}

fn as_written(line: &Phrase) -> String {
    let spans = line.spans().iter();
    spans
        .map(|span| match span {
            super::Span::Words(words) => words.clone(),
            super::Span::Code(code) => format!("`{code}`"),
        })
        .collect()
}

/// Up to a full stop followed by a capital, so that `e.g. this` does not end it.
fn first_sentence(line: &str) -> &str {
    let ends = line.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
    let is_end = |end: &usize| {
        let mut after = line.get(*end..).unwrap_or_default().chars();
        after.next() == Some(' ') && after.next().is_some_and(char::is_uppercase)
    };
    let end = ends.into_iter().find(is_end);
    end.and_then(|end| line.get(..end)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::Prose;

    fn shown(text: &str) -> Vec<Vec<String>> {
        let prose = Prose::of(text);
        let paragraphs = prose.paragraphs();
        paragraphs
            .map(|lines| lines.iter().map(ToString::to_string).collect())
            .collect()
    }

    #[test]
    fn lines_that_are_merely_narrow_are_put_together() {
        assert_eq!(
            shown("one\ntwo\n\n\nthree"),
            [vec!["one two"], vec!["three"]]
        );
        assert_eq!(shown("\n \n"), Vec::<Vec<String>>::new());
    }

    #[test]
    fn lists_keep_their_lines() {
        assert_eq!(
            shown("Give:\none\n- two\n  three\n4. four\nof four"),
            [vec!["Give:", "one", "- two", "three", "4. four of four"]]
        );
    }

    #[test]
    fn a_summary_is_a_sentence() {
        let summary = |text: &str| Prose::of(text).summary().to_string();
        assert_eq!(summary("Takes `a.B c`. Gives it."), "Takes a.B c.");
        assert_eq!(
            summary("Takes one, e.g. this. No more."),
            "Takes one, e.g. this."
        );
        assert_eq!(summary("No stop"), "No stop");
        assert_eq!(summary(""), "");
    }
}
