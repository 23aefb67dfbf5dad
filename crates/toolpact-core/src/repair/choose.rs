//! Alternatives: `anyOf` and `oneOf`.

use crate::json::Node;

use super::argument_path::{ArgumentPath, Change};
use super::fix::Fixer;
use super::schemas::{Ask, Asked, Choice};

impl<'a> Fixer<'a> {
    /// The value fixed for an alternative, if it satisfies none and there is exactly one way.
    pub(super) fn choose(
        &mut self,
        value: Node<'_>,
        ask: &Ask<'a>,
        asked: &Asked<'a>,
        place: &ArgumentPath,
    ) -> Option<Change> {
        let choices = asked
            .constraints
            .iter()
            .flat_map(|constraints| &constraints.choices);
        let mut open = choices.filter(|choice| !ask.decided.contains(&choice.id));
        open.find_map(|choice| self.choose_among(choice, value, ask, place))
    }

    fn choose_among(
        &mut self,
        choice: &Choice<'a>,
        value: Node<'_>,
        ask: &Ask<'a>,
        place: &ArgumentPath,
    ) -> Option<Change> {
        if self.accepting(choice, value.text())? > 0 {
            return None;
        }
        let mut found: Option<Change> = None;
        for alternative in &choice.alternatives {
            let mut ask = ask.clone();
            ask.schemas.push(*alternative);
            ask.decided.push(choice.id);
            let Some(change) = self.at(value, &ask, &place.again()) else {
                continue;
            };
            let budget = &mut self.budget;
            let verdict = self.judge.accepts(*alternative, &change.text, budget);
            match &found {
                _ if !verdict? => {}
                // Two alternatives with the same outcome are not ambiguous.
                Some(other) if other.text == change.text => {}
                Some(_) => return None,
                None => found = Some(change),
            }
        }
        let found = found?;
        let accepting = self.accepting(choice, &found.text)?;
        (accepting == 1 || !choice.is_exclusive).then_some(found)
    }

    /// How many alternatives accept a JSON text; `None` if undecided.
    fn accepting(&mut self, choice: &Choice<'a>, json: &str) -> Option<usize> {
        choice
            .alternatives
            .iter()
            .try_fold(0, |count, alternative| {
                let verdict = self.judge.accepts(*alternative, json, &mut self.budget);
                Some(count + usize::from(verdict?))
            })
    }
}
