//! Does again what repairs say was done, by what they say alone.

use toolpact_core::json::{Node, Value};
use toolpact_core::repair::{Repair, RepairKind};
use toolpact_core::violation::Token;

pub(super) fn replay(args: &Value, repairs: &[Repair]) -> Value {
    repairs.iter().fold(args.clone(), |value, repair| {
        let text = edit(value.root(), &repair.pointer.tokens(), repair.kind);
        Value::from_json(text.unwrap()).unwrap()
    })
}

/// The text of a value after one repair; `None` if it goes.
fn edit(node: Node<'_>, way: &[&Token], kind: RepairKind) -> Option<String> {
    let Some((step, rest)) = way.split_first() else {
        return apply(node, kind);
    };
    match step {
        Token::Key(key) => {
            assert!(node.get(key).is_some(), "{key} in {node:?}");
            let members = node.members().filter_map(|(name, value)| {
                let text = match name == **key {
                    true => edit(value, rest, kind)?,
                    false => value.text().to_owned(),
                };
                Some(format!("{}:{text}", serde_json::to_string(&name).unwrap()))
            });
            Some(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
        }
        Token::Index(index) => {
            assert!(node.items().nth(*index).is_some(), "{index} in {node:?}");
            let elements = node
                .items()
                .enumerate()
                .map(|(i, value)| match i == *index {
                    true => edit(value, rest, kind).unwrap(),
                    false => value.text().to_owned(),
                });
            Some(format!("[{}]", elements.collect::<Vec<_>>().join(",")))
        }
    }
}

fn apply(node: Node<'_>, kind: RepairKind) -> Option<String> {
    let held = || {
        let text = node.as_str().unwrap().into_owned();
        let parsed = Value::from_json(&text).unwrap();
        (text, parsed)
    };
    match kind {
        RepairKind::NullDropped => {
            assert_eq!(node.text(), "null");
            None
        }
        RepairKind::UnknownKeyDropped => None,
        RepairKind::NumberFromString => {
            let (text, parsed) = held();
            assert!(parsed.root().as_number().is_some() && parsed.text() == text);
            Some(text)
        }
        RepairKind::BooleanFromString => {
            let (text, parsed) = held();
            assert!(parsed.root().as_bool().is_some() && parsed.text() == text);
            Some(text)
        }
        RepairKind::JsonFromString => {
            let (_, parsed) = held();
            assert!(parsed.text().starts_with(['{', '[']));
            Some(parsed.text().to_owned())
        }
        RepairKind::ListFromSingle => Some(format!("[{}]", node.text())),
        other => panic!("{other} is not known here"),
    }
}
