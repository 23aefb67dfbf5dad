//! Walks through a value and its schemas.

use std::collections::HashSet;

use crate::json::{Kind, Node, Writer};
use crate::text::shorten;
use crate::violation::nearest::nearest;

use super::argument_path::{ArgumentPath, Change};
use super::budget::Budget;
use super::judge::Judge;
use super::schemas::{Ask, Asked, Schemas};
use super::{Repair, RepairKind};

pub(super) struct Fixer<'a> {
    root: Node<'a>,
    pub(super) schemas: Schemas<'a>,
    pub(super) judge: Judge<'a>,
    pub(super) budget: Budget,
}

/// What happens to a member of an object.
enum Member {
    Stays,
    Changes(Change),
    Goes(Repair),
}

impl<'a> Fixer<'a> {
    /// Fixes values for `schema`, with a budget that fits values of the size of `args`.
    pub(super) fn new(schema: Node<'a>, args: Node<'_>) -> Self {
        Self {
            root: schema,
            schemas: Schemas::new(schema),
            judge: Judge::new(schema),
            budget: Budget::of(schema, args),
        }
    }

    /// The fixed value, if anything was fixed.
    pub(super) fn fix(&mut self, value: Node<'_>) -> Option<Change> {
        let ask = Ask {
            schemas: vec![self.root],
            decided: Vec::new(),
        };
        self.at(value, &ask, &ArgumentPath::default())
    }

    /// Whether the budget was exceeded, so that its results do not count.
    pub(super) fn gave_up(&self) -> bool {
        self.budget.is_spent()
    }

    pub(super) fn at(
        &mut self,
        value: Node<'_>,
        ask: &Ask<'a>,
        place: &ArgumentPath,
    ) -> Option<Change> {
        if place.is_too_deep() || ask.schemas.is_empty() {
            return None;
        }
        let asked = self.schemas.asked(ask, &mut self.budget)?;
        if !asked.allows(value) {
            return self.reread(value, ask, &asked, place);
        }
        let chosen = self.choose(value, ask, &asked, place);
        chosen.or_else(|| match value.kind() {
            Kind::Object => self.members(value, &asked, place),
            Kind::Array => self.elements(value, &asked, place),
            _ => None,
        })
    }

    fn elements(
        &mut self,
        array: Node<'_>,
        asked: &Asked<'a>,
        place: &ArgumentPath,
    ) -> Option<Change> {
        let (mut writer, mut repairs) = (Writer::default(), Vec::new());
        writer.begin_array();
        for (i, element) in array.items().enumerate() {
            match self.at(element, &asked.of_element(i), &place.index(i)) {
                None => writer.raw(element.text()),
                Some(change) => {
                    repairs.extend(change.repairs);
                    writer.raw(&change.text)
                }
            };
        }
        writer.end_array();
        changed(writer, repairs)
    }

    fn members(
        &mut self,
        object: Node<'_>,
        asked: &Asked<'a>,
        place: &ArgumentPath,
    ) -> Option<Change> {
        let (mut writer, mut repairs) = (Writer::default(), Vec::new());
        writer.begin_object();
        for (key, value) in object.entries() {
            let name = key.as_str().unwrap_or_default();
            let text = match self.member(object, &name, value, asked, &place.key(&name)) {
                Member::Stays => value.text().to_owned(),
                Member::Changes(change) => {
                    repairs.extend(change.repairs);
                    change.text
                }
                Member::Goes(repair) => {
                    repairs.push(repair);
                    continue;
                }
            };
            writer.raw(key.text()).colon().raw(&text);
        }
        writer.end_object();
        changed(writer, repairs)
    }

    fn member(
        &mut self,
        object: Node<'_>,
        name: &str,
        value: Node<'_>,
        asked: &Asked<'a>,
        place: &ArgumentPath,
    ) -> Member {
        let is_required = asked.requires(name);
        if asked.forbids(name) {
            if is_required || self.is_slip(name, object, asked) {
                return Member::Stays;
            }
            let message = format!("found the unknown key `{}`, left it out", shorten(name));
            return Member::Goes(place.repaired(RepairKind::UnknownKeyDropped, message));
        }
        let ask = asked.of_member(name);
        if value.kind() == Kind::Null && !is_required && self.forbids_null(value, &ask) {
            let message = "found null, left the key out".to_owned();
            return Member::Goes(place.repaired(RepairKind::NullDropped, message));
        }
        match self.at(value, &ask, place) {
            Some(change) => Member::Changes(change),
            None => Member::Stays,
        }
    }

    /// The types nearly always decide, and then no validator has to be compiled.
    fn forbids_null(&mut self, null: Node<'_>, ask: &Ask<'a>) -> bool {
        let asked = self.schemas.asked(ask, &mut self.budget);
        asked.is_some_and(|asked| !asked.allows(null)) || self.accepts(ask, "null") == Some(false)
    }

    /// Whether a JSON text satisfies the schemas; `None` if undecided.
    pub(super) fn accepts(&mut self, ask: &Ask<'a>, json: &str) -> Option<bool> {
        self.judge.all_accept(&ask.schemas, json, &mut self.budget)
    }

    /// Whether an unknown key may be a misspelling of an absent key.
    fn is_slip(&mut self, name: &str, object: Node<'_>, asked: &Asked<'a>) -> bool {
        let known = || {
            asked
                .constraints
                .iter()
                .flat_map(|constraints| constraints.properties.keys())
        };
        let there = object.entries().count();
        if !self.budget.spend(known().count() + there) {
            return true;
        }
        let there: HashSet<_> = object.members().map(|(key, _)| key).collect();
        let absent = known().filter(|key| !there.contains(*key));
        nearest(name, absent.map(|key| &**key)).is_some()
    }
}

fn changed(writer: Writer, repairs: Vec<Repair>) -> Option<Change> {
    let text = writer.finish();
    (!repairs.is_empty()).then_some(Change { text, repairs })
}
