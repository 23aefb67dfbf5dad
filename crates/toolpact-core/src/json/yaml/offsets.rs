/// Converts the character offsets of the YAML parser to byte offsets.
pub(super) struct Offsets<'a> {
    text: &'a str,
    /// The byte offset of every n-th character; empty if the text is ASCII.
    marks: Vec<usize>,
}

const STEP: usize = 256;

impl<'a> Offsets<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let marks = match text.is_ascii() {
            true => Vec::new(),
            false => text
                .char_indices()
                .step_by(STEP)
                .map(|(at, _)| at)
                .collect(),
        };
        Self { text, marks }
    }

    pub(super) fn byte(&self, character: usize) -> usize {
        if self.marks.is_empty() {
            return character.min(self.text.len());
        }
        let Some(mark) = self.marks.get(character / STEP) else {
            return self.text.len();
        };
        let rest = &self.text[*mark..];
        rest.char_indices()
            .nth(character % STEP)
            .map_or(self.text.len(), |(at, _)| mark + at)
    }
}

#[cfg(test)]
mod tests {
    use super::Offsets;

    #[test]
    fn agrees_with_counting() {
        let text: String = "aé漢😀".repeat(300);
        let offsets = Offsets::new(&text);
        for (i, (byte, _)) in text.char_indices().enumerate() {
            assert_eq!(offsets.byte(i), byte);
        }
        assert_eq!(offsets.byte(1_000_000), text.len());
        assert_eq!(Offsets::new("abc").byte(2), 2);
    }
}
