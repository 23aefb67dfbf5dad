//! JSON that a model wrapped in Markdown.

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    pub(super) text: &'a str,
    /// How many lines are before it.
    pub(super) line: usize,
}

/// The fenced blocks whose text could be a plan: it begins as an object or an array does.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(Fence, usize, usize)> = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let fence = Fence::of(line);
        match (open, fence) {
            (None, Some(fence)) => open = Some((fence, at + line.len(), number + 1)),
            (Some((opened, start, line)), Some(fence)) if fence.closes(opened) => {
                blocks.push(Block {
                    text: &text[start..at],
                    line,
                });
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    // A text that was cut off has no end of its block either.
    if let Some((_, start, line)) = open {
        blocks.push(Block {
            text: &text[start..],
            line,
        });
    }
    blocks.retain(|block| is_like_json(block.text));
    blocks
}

/// Whether a text begins as an object or an array does.
pub(super) fn is_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// A line of three or more backticks or tildes.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// Whether anything follows, such as `json`.
    info: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let line = line.trim();
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        let length = line.len() - info.len();
        (length >= 3 && !info.contains('`')).then_some(Self {
            mark,
            length,
            info: !info.is_empty(),
        })
    }

    fn closes(self, opened: Self) -> bool {
        self.mark == opened.mark && self.length >= opened.length && !self.info
    }
}

#[cfg(test)]
mod tests {
    use super::blocks;

    fn texts(text: &str) -> Vec<&str> {
        blocks(text).into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn finds_blocks_of_json() {
        assert_eq!(texts("Plan:\n```json\n[1]\n```\nDone."), ["[1]\n"]);
        assert_eq!(texts("~~~\n  {}\n~~~"), ["  {}\n"]);
        assert_eq!(
            texts("  ````json\r\n[\"```\"]\r\n```\r\n````"),
            ["[\"```\"]\r\n```\r\n"]
        );
        assert_eq!(texts("```py\nprint()\n```\n```\n[2]\n```"), ["[2]\n"]);
        assert_eq!(texts("```json\n[1"), ["[1"]);
        assert_eq!(texts("no fence [1]"), [""; 0]);
        assert_eq!(texts("```"), [""; 0]);
    }

    #[test]
    fn counts_lines() {
        assert_eq!(blocks("a\nb\n```\n[]\n```")[0].line, 3);
    }
}
