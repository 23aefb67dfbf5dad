//! Reinterprets a value of a kind that is not allowed.

use crate::json::{Kind, Limits, Node, Value};
use crate::model::describe;

use super::RepairKind;
use super::argument_path::{ArgumentPath, Change};
use super::fix::Fixer;
use super::schemas::{Ask, Asked};

impl<'a> Fixer<'a> {
    /// The value as another kind, if there is exactly one that it can be.
    pub(super) fn reread(
        &mut self,
        value: Node<'_>,
        ask: &Ask<'a>,
        asked: &Asked<'a>,
        place: &ArgumentPath,
    ) -> Option<Change> {
        let held = self
            .held(value, place)
            .filter(|held| asked.allows_kind(held.kind()));
        let unwrapped = held
            .as_ref()
            .and_then(|held| self.unwrap(value, held, ask, place));
        // A list in a string can only be a list.
        let is_list = held.is_some_and(|held| held.kind() == Kind::Array);
        let wrapped = if is_list || !asked.allows_kind(Kind::Array) {
            None
        } else {
            self.wrap(value, ask, place)
        };
        match (unwrapped, wrapped) {
            (Some(change), None) | (None, Some(change)) => Some(change),
            _ => None,
        }
    }

    /// The value in a string, if it is written unambiguously.
    fn held(&mut self, value: Node<'_>, place: &ArgumentPath) -> Option<Value> {
        let text = value.as_str()?;
        if !self.budget.spend(text.len()) {
            return None;
        }
        let limits = Limits::default().depth(place.levels_left());
        let held = Value::from_json_within(&*text, &limits).ok()?;
        let is_plain = held.text() == text;
        let is_clear = match held.kind() {
            Kind::Number => is_plain && !text.contains(['e', 'E']),
            Kind::Bool => is_plain,
            Kind::Array | Kind::Object => true,
            Kind::Null | Kind::String => false,
        };
        is_clear.then_some(held)
    }

    fn unwrap(
        &mut self,
        value: Node<'_>,
        held: &Value,
        ask: &Ask<'a>,
        place: &ArgumentPath,
    ) -> Option<Change> {
        let kind = match held.kind() {
            Kind::Number => RepairKind::NumberFromString,
            Kind::Bool => RepairKind::BooleanFromString,
            _ => RepairKind::JsonFromString,
        };
        let became = match held.kind() {
            Kind::Array => "the array in it".to_owned(),
            Kind::Object => "the object in it".to_owned(),
            _ => describe(held.root()),
        };
        let message = format!("found {}, took it for {became}", describe(value));
        let mut repairs = vec![place.repaired(kind, message)];
        let mut text = held.text().to_owned();
        if let Some(inner) = self.at(held.root(), ask, &place.again()) {
            repairs.extend(inner.repairs);
            text = inner.text;
        }
        self.if_accepted(Change { text, repairs }, ask)
    }

    /// The value as a list of one. Null is not wrapped.
    fn wrap(&mut self, value: Node<'_>, ask: &Ask<'a>, place: &ArgumentPath) -> Option<Change> {
        if matches!(value.kind(), Kind::Array | Kind::Null) {
            return None;
        }
        let message = format!("found {}, made it a list of one", describe(value));
        let change = Change {
            text: format!("[{}]", value.text()),
            repairs: vec![place.repaired(RepairKind::ListFromSingle, message)],
        };
        self.if_accepted(change, ask)
    }

    fn if_accepted(&mut self, change: Change, ask: &Ask<'a>) -> Option<Change> {
        (self.accepts(ask, &change.text) == Some(true)).then_some(change)
    }
}
