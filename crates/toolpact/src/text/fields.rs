//! The fields of an object, one after the other, nested ones indented.

use std::borrow::Cow;
use std::ops::AddAssign;

use toolpact_core::json::{Kind, Node};

use super::Cut;
use super::compact::one_line;
use super::items::{self, Marker};
use super::page::{NOTE, Page, counted};
use super::scalar::{self, is_block, is_empty};

pub(super) type Field<'a> = (Cow<'a, str>, Node<'a>);

/// How many fields there are, and how many of them are shown whole.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    pub(super) whole: usize,
    pub(super) total: usize,
}

/// A field of a few lines that comes later gets this much room.
const LATER: usize = 100;

/// The members of an object.
pub(super) fn of(node: Node<'_>) -> Vec<Field<'_>> {
    node.members().collect()
}

/// The members of an object but those that have been shown in another way.
pub(super) fn but<'a>(node: Node<'a>, known: &[&str]) -> Vec<Field<'a>> {
    let members = node.members();
    members
        .filter(|(key, _)| !known.contains(&&**key))
        .collect()
}

/// Writes as many fields as there is room for. A field that is too long for it is replaced by its
/// size, so that those after it are seen.
pub(super) fn write(page: &mut Page, fields: &[Field<'_>]) -> Shown {
    let mut whole = 0;
    let mut later: usize = fields.iter().map(room).sum();
    let shown = page.within(NOTE, |page| {
        let written = |field: &&Field<'_>| {
            later -= room(field);
            let before = page.tally().short;
            let written = write_one(page, field, later);
            whole += usize::from(written && page.tally().short == before);
            written
        };
        fields.iter().take_while(written).count()
    });
    if shown < fields.len() {
        page.rest(fields.len() - shown, "fields");
    }
    let total = fields.len();
    Shown { whole, total }
}

/// Writes a scalar after its key, or how long it is.
fn keyed(page: &mut Page, key: &str, node: Node<'_>) -> bool {
    labelled(page, [key, ": "], node)
}

/// Writes a scalar, or how long it is.
pub(super) fn scalar(page: &mut Page, node: Node<'_>) -> bool {
    labelled(page, [""; 2], node)
}

fn labelled(page: &mut Page, [key, colon]: [&str; 2], node: Node<'_>) -> bool {
    let text = node.as_str().filter(|text| is_block(text));
    let whole = match text {
        Some(text) => page.attempt(|page| {
            page.line_of(&[key, colon, "|"]);
            page.indented(|page| text.lines().all(|line| page.line(line)));
        }),
        None => page.line_of(&[key, colon, &scalar::word(node)]),
    };
    let written = whole || page.line_of(&[key, colon, "(", &scalar::size(node), ", left out)"]);
    page.count_value(whole);
    written
}

impl Shown {
    pub(super) fn cut(self) -> Option<Cut> {
        (self.whole < self.total).then_some(Cut {
            shown: self.whole,
            total: self.total,
            unit: "fields",
        })
    }
}

impl AddAssign for Shown {
    fn add_assign(&mut self, other: Self) {
        self.whole += other.whole;
        self.total += other.total;
    }
}

fn room((key, node): &Field<'_>) -> usize {
    (key.len() + node.text().len() + 4).min(LATER)
}

fn write_one(page: &mut Page, (key, node): &Field<'_>, later: usize) -> bool {
    let key = scalar::key(key);
    // A short one does no harm to those after it.
    let later = match node.text().len() {
        0..LATER => 0,
        _ => later,
    };
    page.within(later, |page| match node.kind() {
        Kind::Array | Kind::Object => nested(page, &key, *node),
        _ => keyed(page, &key, *node),
    })
}

fn nested(page: &mut Page, key: &str, node: Node<'_>) -> bool {
    let is_array = node.kind() == Kind::Array;
    let line = match is_array {
        true => items::on_one_line(node),
        false => is_empty(node).then(|| "{}".to_owned()),
    };
    if let Some(line) = line.filter(|line| page.line_of(&[key, ": ", line])) {
        page.count_value(!line.is_empty());
        return true;
    }
    let header = match is_array {
        true => format!(" ({}):", counted(node.items().count(), "", "items")).into(),
        false => Cow::Borrowed(":"),
    };
    if !page.has_room() || !page.line_of(&[key, &header]) {
        return shortened(page, key, node);
    }
    page.indented(|page| match is_array {
        true => list(page, node),
        false => {
            write(page, &of(node));
        }
    });
    true
}

fn list(page: &mut Page, array: Node<'_>) {
    let listed = page.within(NOTE, |page| items::write(page, array, Marker::Dash));
    let more = array.items().skip(listed.shown).count();
    if more > 0 {
        page.rest(more, "items");
    }
}

fn shortened(page: &mut Page, key: &str, node: Node<'_>) -> bool {
    let room = page.left().saturating_sub(key.len() + NOTE);
    let compact = one_line(node, room);
    page.count_value(compact.whole);
    page.line_of(&[key, ": ", &compact.text])
}
