//! The member that says how it went, and what must and must not stand beside it.

use crate::json::{Kind, Node};
use crate::model::describe;
use crate::violation::Rule;
use crate::violation::report::{Place, Report};

/// `success: true`, `status: "failed"`.
#[derive(Clone, Copy)]
pub(super) struct Outcome<'a> {
    pub(super) object: Node<'a>,
    pub(super) key: &'static str,
    pub(super) value: Node<'a>,
}

impl<'a> Outcome<'a> {
    pub(super) fn of(object: Node<'a>, key: &'static str) -> Option<Self> {
        let value = object.get(key)?;
        Some(Self { object, key, value })
    }

    /// The member `name` must be there.
    pub(super) fn demand(&self, name: &str, rule: &'static Rule, report: &mut Report) {
        if self.object.get(name).is_some() {
            return;
        }
        report.add(rule, Place::Node(self.value.id()), |finding| {
            finding.say(format!(
                "expected `{name}` beside `{}: {}`, found none",
                self.key,
                self.value.text()
            ));
        });
    }

    /// The member `name` must not be there. About null, the schema complains.
    pub(super) fn forbid(&self, name: &str, rule: &'static Rule, report: &mut Report) {
        let mut entries = self.object.entries();
        let found = entries.find(|(key, value)| {
            value.kind() != Kind::Null && key.as_str().is_some_and(|key| key == name)
        });
        let Some((key, value)) = found else {
            return;
        };
        report.add(rule, Place::Key(key.id()), |finding| {
            finding
                .say(format!(
                    "expected no `{name}` beside `{}: {}`, found {}",
                    self.key,
                    self.value.text(),
                    describe(value)
                ))
                .advise(format!("leave it out, or change `{}`", self.key));
        });
    }
}
