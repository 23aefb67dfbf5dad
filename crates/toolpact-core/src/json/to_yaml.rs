//! Writes values as YAML that people like to read and edit.

use std::fmt::Write as _;

use super::{Kind, Node, Value};

/// Containers up to this width stay on one line.
const WIDTH: usize = 70;
/// What is nested deeper stays on one line, too, so that recursion is bounded.
const DEEPEST: usize = 40;
/// Words that YAML, or a reader of an older one, takes for something else.
const WORDS: [&str; 12] = [
    "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "~",
];

/// The value as block YAML, with a line break at the end.
pub(super) fn to_yaml(value: &Value) -> String {
    let mut out = String::new();
    let root = value.root();
    match is_block(root, 0) {
        true => block(root, 0, &mut out),
        false => flow(root, &mut out),
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// The members or items of a container, each on lines of its own.
fn block(node: Node<'_>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for item in node.items() {
        out.push_str(&indent);
        out.push_str("- ");
        match is_block(item, depth + 1) {
            // Its first member goes beside the dash.
            true => {
                let mut inner = String::new();
                block(item, depth + 1, &mut inner);
                out.push_str(inner.trim_start_matches(' '));
            }
            false => {
                flow(item, out);
                out.push('\n');
            }
        }
    }
    for (key, value) in node.members() {
        out.push_str(&indent);
        string(&key, false, out);
        out.push(':');
        match is_block(value, depth + 1) {
            true => {
                out.push('\n');
                block(value, depth + 1, out);
            }
            false => {
                out.push(' ');
                scalar_or_flow(value, out);
                out.push('\n');
            }
        }
    }
}

fn is_block(node: Node<'_>, depth: usize) -> bool {
    let is_empty = node.items().next().is_none() && node.members().next().is_none();
    if is_empty || depth >= DEEPEST {
        return false;
    }
    // Much text is wide without being written.
    if depth == 0 || node.text().len() > 2 * WIDTH {
        return true;
    }
    let mut line = String::new();
    flow(node, &mut line);
    line.chars().count() > WIDTH
}

fn scalar_or_flow(node: Node<'_>, out: &mut String) {
    match node.as_str() {
        Some(text) => string(&text, false, out),
        None => flow(node, out),
    }
}

/// On one line. What is nested too deeply is written as JSON, which is YAML, too.
fn flow(node: Node<'_>, out: &mut String) {
    flow_within(node, DEEPEST, out);
}

fn flow_within(node: Node<'_>, levels: usize, out: &mut String) {
    match node.kind() {
        Kind::Null | Kind::Bool | Kind::Number => out.push_str(node.text()),
        Kind::String => string(&node.as_str().unwrap_or_default(), true, out),
        Kind::Array | Kind::Object if levels == 0 => out.push_str(node.text()),
        Kind::Array => {
            out.push('[');
            for (n, item) in node.items().enumerate() {
                out.push_str(if n > 0 { ", " } else { "" });
                flow_within(item, levels - 1, out);
            }
            out.push(']');
        }
        Kind::Object => {
            let mut is_empty = true;
            for (key, value) in node.members() {
                out.push_str(if is_empty { "{ " } else { ", " });
                is_empty = false;
                string(&key, true, out);
                out.push_str(": ");
                flow_within(value, levels - 1, out);
            }
            out.push_str(if is_empty { "{}" } else { " }" });
        }
    }
}

/// Without quotes where nothing else could be meant.
fn string(text: &str, in_flow: bool, out: &mut String) {
    if is_plain(text, in_flow) {
        out.push_str(text);
        return;
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ if is_printable(c) => out.push(c),
            _ => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
        }
    }
    out.push('"');
}

fn is_plain(text: &str, in_flow: bool) -> bool {
    let is_first = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '/');
    let is_usual = |c: char| {
        let is_mark = matches!(c, '_' | '$' | '/' | '-' | '.' | ' ' | '(' | ')');
        c.is_ascii_alphanumeric() || is_mark || !in_flow && matches!(c, ',' | ';' | '\'')
    };
    let is_word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(text));
    text.starts_with(is_first) && text.chars().all(is_usual) && !text.ends_with(' ') && !is_word
}

/// Characters that YAML allows as they are, and that end no line. All others are below U+10000.
fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::json::{Document, Limits, Value};

    fn yaml(json: &str) -> String {
        Value::from_json(json).unwrap().to_yaml()
    }

    #[test]
    fn as_people_write_it() {
        let json = r##"{"toolpact":1,"tools":[{"name":"find","description":"Finds: all, or some.","parameters":
            {"type":"object","properties":{"a":{"type":"string"},"is it":{"enum":["no","1","x"]},"7":{"$ref":"#/a"}},
            "required":["a"]}},{"name":"b","list":[[],{},[1,-2.5e3,null,true]]}]}"##;
        assert_eq!(
            yaml(json),
            "toolpact: 1
tools:
  - name: find
    description: \"Finds: all, or some.\"
    parameters:
      type: object
      properties:
        a: { type: string }
        is it: { enum: [\"no\", \"1\", x] }
        \"7\": { $ref: \"#/a\" }
      required: [a]
  - { name: b, list: [[], {}, [1, -2.5e3, null, true]] }
"
        );
        assert_eq!(
            yaml("\"a\\u0085\\u2028\\ud83d\\ude00\""),
            "\"a\\u0085\\u2028\u{1f600}\"\n"
        );
        assert_eq!(yaml("{}"), "{}\n");
    }

    fn value() -> BoxedStrategy<String> {
        let text = prop_oneof![
            "\\PC{0,8}",
            "[a-z:#,\\-\\[\\]{} \"'\\n]{0,90}",
            any::<String>()
        ];
        let text = text
            .prop_map(|text| serde_json::to_string(&text).unwrap())
            .boxed();
        let leaf = prop_oneof![
            text.clone(),
            proptest::sample::select(vec![
                "null", "true", "-0.5e-7", "12", "\"~\"", "\"Yes\"", "\"0x1\"", "\"1\""
            ])
            .prop_map(str::to_owned),
        ];
        leaf.prop_recursive(6, 60, 5, move |inner| {
            let members = proptest::collection::btree_map(text.clone(), inner.clone(), 0..4);
            prop_oneof![
                proptest::collection::vec(inner, 0..4)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                members.prop_map(|members| {
                    let members = members.iter().map(|(key, value)| format!("{key}:{value}"));
                    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
                }),
            ]
        })
        .boxed()
    }

    proptest! {
        #[test]
        fn it_is_still_the_same_value(json in value()) {
            let value = Value::from_json(&json).unwrap();
            let yaml = value.to_yaml();
            let read = Document::yaml(yaml.as_bytes(), &Limits::default()).into_value();
            prop_assert_eq!(read.map_err(|wrong| format!("{yaml}{wrong}")), Ok(value));
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let limits = Limits::default().depth(100_000);
        let deep = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
        let value = Value::from_json_within(&deep, &limits).unwrap();
        assert!(value.to_yaml().len() < 200_000);
    }
}
