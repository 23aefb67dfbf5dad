//! Turns edits of entries into edits of the source text.
//!
//! Each edit is valid alone, and all are valid together: they do not overlap, except where all
//! members of an object are removed. A caller that applies several skips those that overlap and
//! checks the result again.

use std::collections::HashSet;
use std::ops::Range;

use super::document::YamlSource;
use super::index::{Index, NodeId};
use crate::json::report::{Edit, Removal};
use crate::violation::Fix;

pub(super) fn in_json(index: &Index, edit: Edit, removed: &HashSet<NodeId>) -> Option<Fix> {
    let (span, replacement) = match edit {
        Edit::Replace(id, json) => (span(index, id)?, json),
        Edit::Remove(removal) => (removal_span(index, removal, removed)?, String::new()),
        Edit::AddMember(id, key, json) => {
            let end = span(index, id)?.end;
            (end..end, format!(", \"{key}\": {json}"))
        }
        Edit::Cut(span) => (span, String::new()),
    };
    Some(Fix { span, replacement })
}

/// In YAML only values are replaced. What else to remove with a line (comments, the last member of
/// a block) is for a person to decide.
pub(super) fn in_yaml(source: &YamlSource, edit: Edit) -> Option<Fix> {
    let Edit::Replace(id, json) = edit else {
        return None;
    };
    let (start, end) = *source.spans.get(id as usize)?;
    let written = source.text.get(start as usize..end as usize)?;
    let scalar = without_properties(written);
    let start = start as usize + written.len() - scalar.len();
    // The span of a block scalar extends to the next line.
    let scalar = scalar.trim_end();
    let marks = ['"', '\''];
    let word = json.trim_matches('"');
    // Only the case may change. Where the text differs in more than case, it is an alias, which
    // stands for the whole anchored node, or it has escapes.
    if !scalar.trim_matches(marks).eq_ignore_ascii_case(word) {
        return None;
    }
    let quoted = scalar.starts_with(marks);
    Some(Fix {
        span: start..start + scalar.len(),
        replacement: if quoted { json } else { word.to_owned() },
    })
}

/// A YAML node without the anchor and tag before it.
fn without_properties(node: &str) -> &str {
    let mut rest = node;
    while rest.starts_with(['&', '!']) {
        rest = rest
            .trim_start_matches(|c: char| !c.is_whitespace())
            .trim_start();
    }
    rest
}

fn span(index: &Index, id: NodeId) -> Option<Range<usize>> {
    let entry = index.entries.get(id as usize)?;
    Some(entry.start as usize..entry.end as usize)
}

/// The span of an element or member with one comma. For an element it is the comma before: a
/// duplicate element is never the first. For a member it is the comma after, unless no later member
/// stays. `None` if a comment is in between, which is removed by an edit of its own.
fn removal_span(
    index: &Index,
    removal: Removal,
    removed: &HashSet<NodeId>,
) -> Option<Range<usize>> {
    let text = &*index.text;
    let start = span(index, removal.first)?.start;
    let end = span(index, removal.last)?.end;
    let is_member = removal.first != removal.last;
    if let Some(comma) = comma_after(text, end).filter(|_| is_member)
        && (removal.previous.is_none() || something_stays_after(index, removal.last, removed))
    {
        return is_space(&text[end..comma]).then(|| with_line(text, start..comma + 1));
    }
    let Some(previous) = removal.previous else {
        return Some(start..end);
    };
    let comma = comma_after(text, span(index, previous)?.end)?;
    is_space(&text[comma + 1..start]).then_some(comma..end)
}

/// Whether a later member of the same object is kept.
fn something_stays_after(index: &Index, mut value: NodeId, removed: &HashSet<NodeId>) -> bool {
    let text = &*index.text;
    while let Some(entry) = index.entries.get(value as usize) {
        let Some(comma) = comma_after(text, entry.end as usize) else {
            return false;
        };
        // A trailing comma, which is removed by an edit of its own.
        if text[skip_space(text, comma + 1)..].starts_with([']', '}']) {
            return false;
        }
        if !removed.contains(&entry.next) {
            return true;
        }
        value = entry.next + 1;
    }
    false
}

/// The comma after a value that ends at `at`, if there is one.
fn comma_after(text: &str, at: usize) -> Option<usize> {
    let comma = skip_space(text, at);
    text[comma..].starts_with(',').then_some(comma)
}

/// The end of the white space and comments at `at`.
fn skip_space(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        at += match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            [b'/', b'*', ..] => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => return at,
        };
    }
}

fn is_space(text: &str) -> bool {
    text.trim_start().is_empty()
}

/// Extends a span that ends with a comma to the whole line, if nothing else is on it.
fn with_line(text: &str, span: Range<usize>) -> Range<usize> {
    let rest = &text[span.end..];
    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let line_start = text[..span.start].trim_end_matches([' ', '\t']).len();
    let alone = text[..line_start].ends_with('\n') && rest[spaces..].starts_with(['\n', '\r']);
    if alone {
        let line_break = rest.find('\n').map_or(rest.len(), |at| at + 1);
        return line_start..span.end + line_break;
    }
    span.start..span.end + spaces
}
