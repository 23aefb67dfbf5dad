use super::outline::{Key, Outline};
use super::structure::of_outline;
use super::{Choice, Confidence};
use crate::json::{Kind, Node};
use crate::returns::StandardType;
use crate::schema::{JsonSchema, Resolver, standard_reference};

/// The type for results that a schema describes.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::returns::{StandardType, choose};
/// use toolpact_core::schema::JsonSchema;
///
/// let schema = Value::from_json(r#"{"type": "array", "items": {"type": "object"}}"#)?;
/// let choice = choose::for_schema(&JsonSchema::from_value(&schema)?);
/// assert_eq!(choice.standard(), StandardType::ListResult);
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[must_use]
pub fn for_schema(schema: &JsonSchema) -> Choice {
    let value = schema.to_value();
    let root = value.root();
    if let Some(choice) = standard_itself(root) {
        return choice;
    }
    let resolver = &Resolver::new(root);
    let node = follow(resolver, root);
    let parts: Vec<Node<'_>> = all_of(resolver, node).collect();
    if let Some(choice) = parts.iter().find_map(|part| standard_itself(*part)) {
        return choice;
    }
    if let Some(choice) = of_string(node) {
        return choice;
    }
    match alternatives(resolver, node).as_slice() {
        [] => of_outline(&outline(resolver, &parts)),
        [only] => capped(of_outline(&outline(resolver, &[*only])), Confidence::Likely),
        [first, others @ ..] => {
            let others = others
                .iter()
                .map(|o| of_outline(&outline(resolver, &[*o])).standard);
            capped(
                of_outline(&outline(resolver, &[*first])),
                Confidence::Unsure,
            )
            .or(others)
        }
    }
}

/// A reference to a standard type, or the schema of one.
fn standard_itself(node: Node<'_>) -> Option<Choice> {
    let text = |key| node.get(key).and_then(Node::as_str);
    let by_reference = text("$ref").and_then(|reference| standard_reference(&reference));
    let by_id = || {
        let id = text("$id")?;
        StandardType::all().find(|standard| standard.uri() == id)
    };
    let standard = by_reference.or_else(by_id)?;
    let reason = format!("it refers to `{standard}`");
    Some(Choice::new(standard, Confidence::Certain, reason))
}

/// Strings whose format or content keywords suggest another type.
fn of_string(node: Node<'_>) -> Option<Choice> {
    let text = |key| node.get(key).and_then(Node::as_str);
    let media = text("contentMediaType").unwrap_or_default();
    let is_media = ["image/", "audio/", "video/"]
        .iter()
        .any(|m| media.starts_with(m));
    let (standard, reason) = match (text("format").as_deref(), text("contentEncoding")) {
        (Some("uuid"), _) => (
            StandardType::IdentifierValue,
            "its format is `uuid`".to_owned(),
        ),
        _ if is_media => (
            StandardType::MediaResult,
            format!("its content is `{media}`"),
        ),
        (Some("binary" | "byte"), _) | (_, Some(_)) => {
            (StandardType::FileResult, "its content is binary".to_owned())
        }
        _ => return None,
    };
    Some(Choice::new(standard, Confidence::Likely, reason).or([StandardType::StringValue]))
}

fn outline<'a>(resolver: &Resolver<'a>, parts: &[Node<'a>]) -> Outline {
    let mut outline = Outline::default();
    for part in parts {
        outline.kind = outline.kind.or_else(|| kind(*part));
        outline.keys.extend(keys(resolver, *part));
        let items = part.get("items").map(|items| follow(resolver, items));
        outline.items = outline.items.or_else(|| items.and_then(kind));
    }
    outline
}

fn keys<'a>(resolver: &Resolver<'a>, part: Node<'a>) -> impl Iterator<Item = Key> {
    let properties = part.get("properties").into_iter().flat_map(Node::members);
    properties.map(move |(name, schema)| {
        let mut required = part.get("required").into_iter().flat_map(Node::items);
        Key {
            kind: kind(follow(resolver, schema)),
            required: required.any(|item| item.as_str().is_some_and(|s| s == name)),
            name: name.into_owned(),
        }
    })
}

/// The kind of a schema's values, if there is only one besides null.
fn kind(schema: Node<'_>) -> Option<Kind> {
    if let Some(named) = schema.get("type") {
        let names = named
            .as_str()
            .into_iter()
            .chain(named.items().filter_map(Node::as_str));
        let mut kinds: Vec<Kind> = names.filter_map(|name| kind_named(&name)).collect();
        kinds.dedup();
        if kinds.len() > 1 {
            kinds.retain(|kind| *kind != Kind::Null);
        }
        return (kinds.len() == 1).then(|| kinds[0]);
    }
    let constant = schema.get("const");
    let first = schema.get("enum").and_then(|list| list.items().next());
    match constant.or(first) {
        Some(value) => Some(value.kind()),
        None if schema.get("properties").is_some() => Some(Kind::Object),
        None if schema.get("items").is_some() => Some(Kind::Array),
        None => None,
    }
}

fn kind_named(name: &str) -> Option<Kind> {
    Some(match name {
        "object" => Kind::Object,
        "array" => Kind::Array,
        "string" => Kind::String,
        "number" | "integer" => Kind::Number,
        "boolean" => Kind::Bool,
        "null" => Kind::Null,
        _ => return None,
    })
}

/// The schema and the schemas it includes by `allOf`.
fn all_of<'a>(resolver: &Resolver<'a>, node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    let included = node.get("allOf").into_iter().flat_map(Node::items);
    std::iter::once(node).chain(included.map(move |part| follow(resolver, part)))
}

/// The branches of `oneOf` and `anyOf`, except null.
fn alternatives<'a>(resolver: &Resolver<'a>, node: Node<'a>) -> Vec<Node<'a>> {
    if kind(node).is_some() {
        return Vec::new();
    }
    ["oneOf", "anyOf"]
        .iter()
        .filter_map(|keyword| node.get(keyword))
        .flat_map(Node::items)
        .map(|branch| follow(resolver, branch))
        .filter(|branch| kind(*branch) != Some(Kind::Null))
        .collect()
}

/// Follows references within the schema.
fn follow<'a>(resolver: &Resolver<'a>, mut node: Node<'a>) -> Node<'a> {
    // References may be circular.
    for _ in 0..16 {
        let reference = node.get("$ref").and_then(Node::as_str);
        match reference.and_then(|reference| resolver.resolve(node, &reference)) {
            Some(target) => node = target,
            None => break,
        }
    }
    node
}

fn capped(mut choice: Choice, most: Confidence) -> Choice {
    choice.confidence = choice.confidence.min(most);
    choice
}
