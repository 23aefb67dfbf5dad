//! Checks many texts on several threads.

mod in_order;

use std::convert::Infallible;
use std::num::NonZeroUsize;

pub use in_order::in_order;

/// About how many bytes of lines a thread takes at a time.
const BLOCK: usize = 1 << 16;

/// Checks every line of a text, and returns the result of `check` for each with the line number,
/// counted from 1. Blank lines are skipped.
///
/// ```
/// use std::num::NonZeroUsize;
/// use toolpact_core::check::batch::check_lines;
/// use toolpact_core::json::Value;
/// use toolpact_core::schema::JsonSchema;
///
/// let schema = Value::from_json(r#"{"type": "integer"}"#)?;
/// let checker = JsonSchema::from_value(&schema)?.checker();
/// let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
/// let verdicts = check_lines(b"1\n\n2.5\n3", threads, |line| checker.is_valid(line));
/// assert_eq!(verdicts, [(1, true), (3, false), (4, true)]);
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
pub fn check_lines<T: Send>(
    text: &[u8],
    threads: NonZeroUsize,
    check: impl Fn(&[u8]) -> T + Sync,
) -> Vec<(usize, T)> {
    let mut all = Vec::new();
    let mut before = 0;
    let Ok(()) = in_order(
        Blocks(text),
        threads,
        |block| check_block(block, &check),
        |(lines, found)| {
            all.extend(found.into_iter().map(|(line, it)| (before + line, it)));
            before += lines;
            Ok::<(), Infallible>(())
        },
    );
    all
}

/// The number of lines, and the results for those that are not blank.
fn check_block<T>(block: &[u8], check: impl Fn(&[u8]) -> T) -> (usize, Vec<(usize, T)>) {
    let mut lines = 0;
    let mut found = Vec::new();
    // A final line break ends a line and does not begin another.
    for line in block
        .strip_suffix(b"\n")
        .unwrap_or(block)
        .split(|b| *b == b'\n')
    {
        lines += 1;
        if !line.iter().all(u8::is_ascii_whitespace) {
            found.push((lines, check(line)));
        }
    }
    (lines, found)
}

/// Splits a text into blocks of whole lines.
struct Blocks<'a>(&'a [u8]);

impl<'a> Iterator for Blocks<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.0.is_empty() {
            return None;
        }
        let rest = self.0.get(BLOCK..).unwrap_or_default();
        let end = rest.iter().position(|b| *b == b'\n');
        let (block, rest) = self
            .0
            .split_at(end.map_or(self.0.len(), |at| BLOCK + at + 1));
        self.0 = rest;
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::{BLOCK, check_lines};

    #[test]
    fn lines_are_told_apart_wherever_blocks_end() {
        let text = |lines: &[usize], end: &str| {
            let lines: Vec<String> = lines.iter().map(|n| "x".repeat(*n)).collect();
            lines.join("\n") + end
        };
        for end in ["", "\n", "\n\n", " \r\n"] {
            for size in [BLOCK - 1, BLOCK, BLOCK + 1] {
                let text = text(&[size, 0, 3, size, 1, 2], end);
                let expected: Vec<(usize, usize)> = text
                    .split('\n')
                    .enumerate()
                    .filter(|(_, line)| !line.trim().is_empty())
                    .map(|(i, line)| (i + 1, line.len()))
                    .collect();
                for threads in [1, 2, 7] {
                    let threads = NonZeroUsize::new(threads).unwrap();
                    let found = check_lines(text.as_bytes(), threads, <[u8]>::len);
                    assert_eq!(found, expected, "{threads} threads, {size} bytes, {end:?}");
                }
            }
        }
        assert_eq!(check_lines(b"", NonZeroUsize::MIN, <[u8]>::len), []);
    }
}
