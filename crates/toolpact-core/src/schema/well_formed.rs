//! The fast path of the meta-schema check: accepts most well-formed schemas.
//!
//! The meta-schema decides, but it is slow, because it needs a tree and covers every dialect at
//! once. What is accepted here is valid there; everything else falls back to it.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::json::{Kind, Node};

use super::json_type::JsonType;
use super::keyword::{Form, Keyword, keywords};

/// Whether the fast path sees that a schema satisfies the meta-schema. `false` decides nothing.
pub(super) fn is_plainly_well_formed(root: Node<'_>) -> bool {
    let mut todo = vec![root];
    while let Some(schema) = todo.pop() {
        match schema.kind() {
            Kind::Bool => continue,
            Kind::Object => {}
            _ => return false,
        }
        for (keyword, value) in keywords(schema) {
            if !is_plain(keyword, value, &mut todo) {
                return false;
            }
        }
    }
    true
}

fn is_plain<'a>(keyword: Keyword, value: Node<'a>, todo: &mut Vec<Node<'a>>) -> bool {
    match keyword.form() {
        Form::Text => value.kind() == Kind::String,
        Form::Number => value.kind() == Kind::Number,
        Form::Positive => is_positive(value),
        Form::Count => is_count(value),
        Form::Flag => value.kind() == Kind::Bool,
        Form::Values => value.kind() == Kind::Array,
        Form::TypeNames => is_type(value),
        Form::Names => are_different_strings(value),
        Form::NamesByKey => {
            value.kind() == Kind::Object && value.members().all(|(_, v)| are_different_strings(v))
        }
        Form::Anchor => value.as_str().is_some_and(|name| is_anchor(&name)),
        Form::SchemaMap(_) => {
            todo.extend(value.members().map(|(_, schema)| schema));
            value.kind() == Kind::Object
        }
        Form::Schemas(_) => {
            let before = todo.len();
            todo.extend(value.items());
            todo.len() > before
        }
        Form::Schema(_) => {
            todo.push(value);
            true
        }
        Form::Value | Form::Ignored => true,
        // Left to the meta-schema.
        Form::Dependencies | Form::Rare => false,
    }
}

/// A non-negative integer that every reader parses alike.
fn is_count(value: Node<'_>) -> bool {
    let text = value.text();
    value.kind() == Kind::Number && text.len() < 16 && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_positive(value: Node<'_>) -> bool {
    let text = value.text();
    let plain = |b: u8| b.is_ascii_digit() || b == b'.';
    value.kind() == Kind::Number
        && text.len() < 16
        && text.bytes().all(plain)
        && text.bytes().any(|b| matches!(b, b'1'..=b'9'))
}

fn is_type(value: Node<'_>) -> bool {
    let known = |node: Node<'_>| node.as_str().is_some_and(|n| JsonType::named(&n).is_some());
    match value.kind() {
        Kind::String => known(value),
        Kind::Array => {
            are_different_strings(value)
                && value.items().next().is_some()
                && value.items().all(known)
        }
        _ => false,
    }
}

fn are_different_strings(value: Node<'_>) -> bool {
    let mut seen: HashSet<Cow<'_, str>> = HashSet::new();
    let mut strings = value.items().map(Node::as_str);
    let all_new = strings.all(|text| text.is_some_and(|text| seen.insert(text)));
    all_new && value.kind() == Kind::Array
}

fn is_anchor(name: &str) -> bool {
    let first = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    let rest = |b: u8| first(b) || b.is_ascii_digit() || b == b'-' || b == b'.';
    name.bytes().next().is_some_and(first) && name.bytes().all(rest)
}

#[cfg(test)]
mod tests {
    use super::is_plainly_well_formed;
    use crate::json::Value;
    use crate::schema::keyword::Keyword;

    const VALUES: [&str; 34] = [
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "-0",
        "0.5",
        "0.0",
        "1.0",
        "1e3",
        "1e-400",
        "9007199254740993",
        "99999999999999999999999",
        r#""""#,
        r#""a""#,
        r##""#""##,
        r##""#a""##,
        r#""1a""#,
        r#""object""#,
        r#""[""#,
        r#""http://[""#,
        r#""https://json-schema.org/draft/2020-12/schema""#,
        "[]",
        r#"["a"]"#,
        r#"["a","a"]"#,
        r#"["object","null"]"#,
        r#"["object","\u006fbject"]"#,
        "[1]",
        "[{}]",
        "{}",
        r#"{"a":{}}"#,
        r#"{"a":["b"]}"#,
        r#"{"type":1}"#,
    ];

    /// What the fast path accepts is well-formed, and the `jsonschema` crate can compile it.
    #[test]
    fn is_never_more_generous_than_the_meta_schema() {
        let mut plain = 0;
        let known = Keyword::ALL.iter().map(|keyword| keyword.name());
        for keyword in known.chain(["unknown"]) {
            for value in VALUES {
                let text = format!(r#"{{"{keyword}": {value}}}"#);
                if !is_plainly_well_formed(Value::from_json(&text).unwrap().root()) {
                    continue;
                }
                plain += 1;
                let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert!(jsonschema::draft202012::meta::is_valid(&schema), "{text}");
                // These are checked elsewhere.
                let elsewhere = ["$dynamicRef", "$ref", "$schema", "pattern"];
                let built = jsonschema::draft202012::new(&schema);
                assert!(built.is_ok() || elsewhere.contains(&keyword), "{text}");
            }
        }
        assert!(plain > 300, "{plain}");
    }
}
