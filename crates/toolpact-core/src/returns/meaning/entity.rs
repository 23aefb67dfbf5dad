//! `EntityResult`.

use crate::json::{Kind, Node};
use crate::model::describe;
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

/// Relationships name entities, by `id` and `type`.
pub(super) fn check(value: Node<'_>, report: &mut Report) {
    let Some(relationships) = value.get("relationships") else {
        return;
    };
    for (_, relationship) in relationships.entries() {
        let Some(data) = relationship.get("data") else {
            continue;
        };
        match data.kind() {
            Kind::Object => reference(data, report),
            Kind::Array => data.items().for_each(|item| reference(item, report)),
            _ => {}
        }
    }
}

fn reference(node: Node<'_>, report: &mut Report) {
    if node.kind() != Kind::Object {
        report.add(&rules::RELATIONSHIP, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected an object with `id` and `type`, found {}",
                describe(node)
            ));
        });
        return;
    }
    for key in ["id", "type"] {
        let member = node.get(key);
        if member.is_some_and(|member| member.kind() == Kind::String) {
            continue;
        }
        let place = member.unwrap_or(node);
        report.add(&rules::RELATIONSHIP, Place::Node(place.id()), |finding| {
            finding.say(format!(
                "expected `{key}` to be a string, found {}",
                member.map_or("none".to_owned(), describe)
            ));
        });
    }
}
