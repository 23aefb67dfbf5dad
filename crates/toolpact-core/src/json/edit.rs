//! From a change in terms of entries to a change of the source text.

use std::ops::Range;

use super::document::YamlSource;
use super::index::{Index, NodeId};
use crate::violation::Fix;
use crate::violation::report::Edit;

pub(super) fn in_json(index: &Index, edit: Edit) -> Option<Fix> {
    let entry = |id: NodeId| index.entries.get(id as usize);
    let (span, replacement) = match edit {
        Edit::Replace(id, json) => (span(index, id)?, json),
        Edit::RemoveItem(id) => (with_comma(&index.text, span(index, id)?), String::new()),
        Edit::RemoveMember(key) => {
            let member = entry(key)?.start as usize..entry(key + 1)?.end as usize;
            (with_comma(&index.text, member), String::new())
        }
        Edit::Cut(span) => (span, String::new()),
    };
    Some(Fix { span, replacement })
}

/// In YAML only values are replaced. What a removed line takes with it (comments, the last member
/// of a block) is for a person to decide.
pub(super) fn in_yaml(source: &YamlSource, edit: Edit) -> Option<Fix> {
    let Edit::Replace(id, json) = edit else {
        return None;
    };
    let (start, end) = *source.spans.get(id as usize)?;
    let span = start as usize..end as usize;
    let quoted = source.text.get(span.clone())?.starts_with(['"', '\'']);
    let word = json.trim_matches('"');
    let plain = !quoted && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let replacement = if plain { word.to_owned() } else { json };
    Some(Fix { span, replacement })
}

fn span(index: &Index, id: NodeId) -> Option<Range<usize>> {
    let entry = index.entries.get(id as usize)?;
    Some(entry.start as usize..entry.end as usize)
}

/// Widens the span of an element or member by the comma that goes with it, and by the line if
/// nothing else is on it.
fn with_comma(text: &str, span: Range<usize>) -> Range<usize> {
    let (before, after) = (&text[..span.start], &text[span.end..]);
    let gap = after.len() - after.trim_start().len();
    if after[gap..].starts_with(',') {
        let mut end = span.end + gap + 1;
        let rest = &text[end..];
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let line_start = before.trim_end_matches([' ', '\t']).len();
        let alone = text[..line_start].ends_with('\n') && rest[spaces..].starts_with(['\n', '\r']);
        if alone {
            end += spaces + rest[spaces..].find('\n').map_or(0, |at| at + 1);
            return line_start..end;
        }
        return span.start..end + spaces;
    }
    let trimmed = before.trim_end();
    let start = if trimmed.ends_with(',') {
        trimmed.len() - 1
    } else {
        span.start
    };
    start..span.end
}
