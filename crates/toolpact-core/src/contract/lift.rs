//! The field `lift`.

use crate::Pointer;
use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Writer};
use crate::model::{Fields, describe};
use crate::returns::{Lift, LiftMapping, Returns, StandardType};
use crate::text::shorten;
use crate::violation::nearest::nearest;
use crate::violation::rules::contract as rules;

/// Only structure can be made of parts: without a promise of it, `lift` is wrong, whatever it says.
pub(super) fn read(
    fields: &Fields<'_>,
    returns: Option<&Returns>,
    report: &mut Report,
) -> Option<Lift> {
    let node = fields.optional("lift", report)?;
    let standard = match returns {
        Some(Returns::Standard { standard, .. }) => Some(*standard),
        Some(Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared) => {
            let expected = "no `lift` where `returns` promises no structure";
            wrong(node, expected, "one", report);
            return None;
        }
        Some(Returns::Custom(_)) | None => None,
    };
    match (node.kind(), node.as_str().as_deref()) {
        (_, Some("never")) => Some(Lift::Never),
        (Kind::Object, _) => read_mapping(node, standard, report).map(Lift::Mapping),
        _ => {
            let expected = "`lift` to be `never` or a mapping such as {\"data\": \"/items\"}";
            wrong(node, expected, &describe(node), report);
            None
        }
    }
}

/// Writes the field with its key, unless nothing is said.
pub(super) fn write(lift: &Lift, writer: &mut Writer) {
    match lift {
        Lift::Natural => {}
        Lift::Never => drop(writer.key("lift").string("never")),
        Lift::Mapping(mapping) => {
            writer.key("lift").begin_object();
            for (to, from) in mapping.iter() {
                writer.key(&to).string(&from.to_string());
            }
            writer.end_object();
        }
    }
}

fn read_mapping(
    node: Node<'_>,
    standard: Option<StandardType>,
    report: &mut Report,
) -> Option<LiftMapping> {
    let mut mapping = LiftMapping::default();
    let before = report.errors();
    for (key, from) in node.members() {
        let path: Vec<&str> = key.split('.').collect();
        if path.iter().any(|step| step.is_empty()) {
            let found = format!("`{}`", shorten(&key));
            wrong(from, "keys with a `.` between them", &found, report);
            continue;
        }
        if let Some(standard) = standard.filter(|standard| !standard.has_property(&path)) {
            unknown(from, &key, standard, report);
            continue;
        }
        match from.as_str().and_then(|from| Pointer::parse(&from)) {
            Some(from) if mapping.add(path, from.clone()) => {}
            Some(_) => {
                let found = format!("`{}` inside of another, or around it", shorten(&key));
                wrong(from, "parts that do not overlap", &found, report);
            }
            None => {
                let expected = "a JSON Pointer into the output, which is empty or begins with `/`";
                wrong(from, expected, &describe(from), report);
            }
        }
    }
    (report.errors() == before).then_some(mapping)
}

fn wrong(node: Node<'_>, expected: &str, found: &str, report: &mut Report) {
    report.add(&rules::LIFT, Place::Node(node.id()), |finding| {
        finding.say(format!("expected {expected}, found {found}"));
    });
}

fn unknown(node: Node<'_>, key: &str, standard: StandardType, report: &mut Report) {
    report.add(&rules::LIFT, Place::Node(node.id()), |finding| {
        let found = shorten(key);
        finding.say(format!("expected a key of {standard}, found `{found}`"));
        if let Some(meant) = nearest(key, standard.properties().iter().map(|key| &**key)) {
            finding.advise(format!("did you mean `{meant}`?"));
        }
    });
}
