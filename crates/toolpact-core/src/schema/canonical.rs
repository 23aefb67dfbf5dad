//! The canonical spelling of a schema.

use std::ops::Range;

use crate::json::{Kind, Node, Writer, utf16_order};

use super::JsonSchema;
use super::refs::standard_reference;
use super::splice::splice;
use super::walk::subschemas;

impl JsonSchema {
    /// The canonical text, which is the same for all spellings: RFC 8785, integers exact, an empty
    /// `required` removed and others sorted, standard return types referred to by URI.
    ///
    /// Schemas that are equivalent in other ways, such as `const` and an `enum` of one value, have
    /// different canonical texts.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::schema::JsonSchema;
    ///
    /// let canonical = |text: &str| {
    ///     JsonSchema::from_value(&Value::from_json(text)?).map(|schema| schema.to_canonical())
    /// };
    /// assert_eq!(canonical(r##"{"$ref": "#/$defs/VoidResultSchema"}"##)?, canonical(r#"{"$ref": "VoidResult"}"#)?);
    /// assert_eq!(canonical(r#"{"type": "object", "required": []}"#)?, r#"{"type":"object"}"#);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn to_canonical(&self) -> String {
        let source = self.to_value();
        let root = source.root();
        let changes = subschemas(root).into_iter().flat_map(changes).collect();
        splice(root, changes).to_canonical()
    }
}

fn changes(schema: Node<'_>) -> impl Iterator<Item = (Range<usize>, String)> {
    reference(schema).into_iter().chain(required(schema))
}

fn reference(schema: Node<'_>) -> Option<(Range<usize>, String)> {
    let node = schema.get("$ref")?;
    let standard = standard_reference(&node.as_str()?)?;
    Some((node.span(), format!("\"{}\"", standard.uri())))
}

fn required(schema: Node<'_>) -> Option<(Range<usize>, String)> {
    let node = schema
        .get("required")
        .filter(|node| node.kind() == Kind::Array)?;
    let names: Option<Vec<_>> = node.items().map(Node::as_str).collect();
    let mut names = names?;
    if names.is_empty() {
        return Some((member_span(schema, node), String::new()));
    }
    names.sort_by(|a, b| utf16_order(a, b));
    let mut writer = Writer::default();
    writer.begin_array();
    for name in &names {
        writer.string(name);
    }
    writer.end_array();
    Some((node.span(), writer.finish()))
}

/// The span of a member with the comma after it, or with the one before it if it is the last.
fn member_span(object: Node<'_>, value: Node<'_>) -> Range<usize> {
    let (mut start, mut previous) = (value.span().start, None);
    let mut members = object.entries();
    for (key, member) in members.by_ref() {
        if member.id() == value.id() {
            start = key.span().start;
            break;
        }
        previous = Some(member.span().end);
    }
    match (members.next(), previous) {
        (Some((next, _)), _) => start..next.span().start,
        (None, Some(previous)) => previous..value.span().end,
        (None, None) => start..value.span().end,
    }
}
