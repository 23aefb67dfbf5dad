//! Results put together from parts of the output.

use crate::Pointer;
use crate::json::{Node, Value, Writer};
use crate::returns::StandardType;

/// One part: where it is put, and where it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) to: Vec<Box<str>>,
    pub(super) from: Pointer,
}

impl Move {
    pub(super) fn new<'k>(to: impl IntoIterator<Item = &'k str>, from: Pointer) -> Self {
        let to = to.into_iter().map(Box::from).collect();
        Self { to, from }
    }
}

/// The object with these parts of the output. Parts that are not there are left out. An envelope
/// that nothing is said about is one of success.
pub(super) fn assemble(standard: Option<StandardType>, output: Node<'_>, moves: &[Move]) -> Value {
    let has_success = standard.is_some_and(|standard| standard.envelope().has_success());
    let is_said = moves.iter().any(|moved| &*moved.to[0] == "success");
    let found = moves.iter();
    let found = found.filter_map(|moved| Some((&*moved.to, output.at(&moved.from)?)));
    let mut writer = Writer::default();
    writer.begin_object();
    if has_success && !is_said {
        writer.key("success").raw("true");
    }
    write(&found.collect::<Vec<_>>(), &mut writer);
    writer.end_object();
    Value::trusted(writer)
}

/// Writes the members, those of the same first key together.
fn write(parts: &[(&[Box<str>], Node<'_>)], writer: &mut Writer) {
    let mut rest = parts.to_vec();
    while let Some((path, node)) = rest.first().copied() {
        let [key, inside @ ..] = path else { return };
        writer.key(key);
        if inside.is_empty() {
            writer.raw(node.text());
            rest.remove(0);
            continue;
        }
        let (same, other): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|(path, _)| path[0] == *key);
        let same: Vec<_> = same
            .iter()
            .map(|(path, node)| (&path[1..], *node))
            .collect();
        writer.begin_object();
        write(&same, writer);
        writer.end_object();
        rest = other;
    }
}
