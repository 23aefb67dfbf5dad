use std::ops::Range;

use crate::json::{Node, Value, Writer};

/// A copy of a part of a value with some spans of its text replaced. The spans are offsets in the
/// whole text and do not overlap, and the result must be JSON.
pub(crate) fn splice(root: Node<'_>, mut changes: Vec<(Range<usize>, String)>) -> Value {
    let (text, offset) = (root.text(), root.span().start);
    changes.sort_by_key(|(span, _)| span.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (span, replacement) in &changes {
        out.push_str(&text[at..span.start - offset]);
        out.push_str(replacement);
        at = span.end - offset;
    }
    out.push_str(&text[at..]);
    let mut writer = Writer::default();
    writer.raw(&out);
    Value::trusted(writer)
}
