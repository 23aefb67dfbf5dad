//! The mistakes that repair is for, made in a value.

use toolpact_core::json::{Kind, Node};

use crate::differential::Choices;

/// A value with a few mistakes in it.
pub(super) fn muddle(node: Node<'_>, choices: &mut Choices<'_>) -> String {
    let text = match node.kind() {
        Kind::Array => array(node, choices),
        Kind::Object => object(node, choices),
        _ => node.text().to_owned(),
    };
    match byte(choices) % 8 {
        0 => serde_json::to_string(&text).unwrap(),
        1 if node.kind() == Kind::String => {
            let text = node.as_str().unwrap();
            serde_json::to_string(&format!(" {text}")).unwrap()
        }
        _ => text,
    }
}

fn array(node: Node<'_>, choices: &mut Choices<'_>) -> String {
    let elements: Vec<String> = node.items().map(|item| muddle(item, choices)).collect();
    match &*elements {
        [single] if !byte(choices).is_multiple_of(3) => single.clone(),
        _ => format!("[{}]", elements.join(",")),
    }
}

fn object(node: Node<'_>, choices: &mut Choices<'_>) -> String {
    let mut members: Vec<String> = Vec::new();
    for (key, value) in node.members() {
        let value = match byte(choices) % 10 {
            0 => "null".to_owned(),
            _ => muddle(value, choices),
        };
        members.push(format!("{}:{value}", serde_json::to_string(&key).unwrap()));
    }
    if byte(choices).is_multiple_of(4) {
        members.push(r#""nobody asked for this":[{}]"#.to_owned());
    }
    format!("{{{}}}", members.join(","))
}

fn byte(choices: &mut Choices<'_>) -> u8 {
    let (first, rest) = choices.0.split_first().unwrap_or((&1, &[]));
    choices.0 = rest;
    *first
}
