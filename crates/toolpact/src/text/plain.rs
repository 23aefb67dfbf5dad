//! Text as it is, cut between lines, or between words where there are no lines.

use super::Cut;
use super::page::Page;

pub(super) fn write(page: &mut Page, text: &str) -> Option<Cut> {
    let Some((room, _)) = text.char_indices().nth(page.left()) else {
        page.raw(text);
        return None;
    };
    let (kept, cut) = shortened(text, room);
    if !kept.is_empty() {
        page.raw(kept);
    }
    Some(cut)
}

/// As much of a text as there is room for, in bytes, and what that leaves out.
fn shortened(text: &str, room: usize) -> (&str, Cut) {
    let before = |end: usize| text.get(..end).unwrap_or_default();
    // A line that ends exactly where the room does is whole.
    let fitting = before(room + usize::from(text.as_bytes().get(room) == Some(&b'\n')));
    if let Some(end) = fitting
        .rfind('\n')
        .filter(|end| !before(*end).trim().is_empty())
    {
        let kept = before(end);
        return (kept, counted(lines(kept), lines(text), "lines"));
    }
    let end = fitting.rfind(char::is_whitespace).unwrap_or(0);
    let kept = before(end).trim_end();
    let characters = |text: &str| text.chars().count();
    (
        kept,
        counted(characters(kept), characters(text), "characters"),
    )
}

fn lines(text: &str) -> usize {
    text.lines().count()
}

fn counted(shown: usize, total: usize, unit: &'static str) -> Cut {
    Cut { shown, total, unit }
}
