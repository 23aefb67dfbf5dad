//! `EntityResult`: what it is, its attributes, then what it is related to.

use toolpact_core::json::{Kind, Node};

use super::fields::{self, Field, Shown};
use super::page::{NOTE, Page};
use super::primitive::identity;
use super::{Cut, any, scalar};

/// Room kept for the relationships.
const RELATED: usize = 1_000;
/// The related things on one line.
const ONE_LINE: usize = 200;

pub(super) fn write(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let attributes = value.get("attributes").map(fields::of).unwrap_or_default();
    let names = ["id", "type", "attributes", "relationships", "meta"];
    // Where an attribute is called `id`, it must be seen which is which.
    let clash = attributes.iter().any(|(key, _)| names.contains(&&**key));
    let identity = identity(value).filter(|identity| !clash && page.line(identity));
    if identity.is_none() {
        return any::write(page, value);
    }
    let relationships = value.get("relationships");
    let related = relationships.map(fields::of).unwrap_or_default();
    let mut shown = page.within(RELATED, |page| fields::write(page, &attributes));
    shown += page.within(RELATED / 2, |page| relations(page, &related));
    shown += fields::write(page, &fields::but(value, &names[..4]));
    shown.cut()
}

fn relations(page: &mut Page, related: &[Field<'_>]) -> Shown {
    let total = related.len();
    if related.is_empty() || !page.line("relationships:") {
        return Shown { whole: 0, total };
    }
    let mut whole = 0;
    let shown = page.within(NOTE, |page| {
        let written = |field: &&Field<'_>| {
            let before = page.tally().short;
            let written = page.indented(|page| relation(page, field));
            whole += usize::from(written && page.tally().short == before);
            written
        };
        related.iter().take_while(written).count()
    });
    if shown < total {
        page.rest(total - shown, "relationships");
    }
    Shown { whole, total }
}

/// `reviews: rev_1 (review), rev_2 (review)`
fn relation(page: &mut Page, (key, node): &Field<'_>) -> bool {
    let data = node.get("data").filter(|_| node.members().count() == 1);
    let Some((line, more)) = data.and_then(references) else {
        let field = (key.clone(), data.unwrap_or(*node));
        return fields::write(page, &[field]).whole == 1 || page.left() > NOTE;
    };
    page.count_value(more == 0);
    let rest = match more {
        0 => String::new(),
        _ => format!(", … {more} more"),
    };
    page.line(&format!("{}: {line}{rest}", scalar::key(key)))
}

/// References to other entities on one line, and how many more there are.
fn references(data: Node<'_>) -> Option<(String, usize)> {
    if data.kind() == Kind::Object {
        return Some((reference(data)?, 0));
    }
    let mut items = data.items().peekable();
    items.peek()?;
    let mut line = String::new();
    while let Some(item) = items.next_if(|_| line.len() < ONE_LINE) {
        line.push_str(if line.is_empty() { "" } else { ", " });
        line.push_str(&reference(item)?);
    }
    Some((line, items.count()))
}

fn reference(node: Node<'_>) -> Option<String> {
    let text = |key| {
        let value: Node<'_> = node.get(key)?;
        (value.text().len() <= ONE_LINE).then(|| value.as_str())?
    };
    let is_reference = node.members().count() == 2;
    is_reference.then(|| Some(format!("{} ({})", text("id")?, text("type")?)))?
}
