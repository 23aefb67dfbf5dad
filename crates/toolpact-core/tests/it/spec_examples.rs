//! Every example of the specification is valid, and says the same after any round trip.

use std::collections::HashMap;

use serde_json::Value as Json;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::model::{FunctionCall, FunctionDeclaration, Schema, ToolDocument, ToolResult};

const EXAMPLES: &str = include_str!("../../../../vectors/adm_examples.json");

/// 3 tools, 4 declarations, 11 schemas, 9 calls and 9 results.
const COUNT: usize = 36;

struct Example {
    title: String,
    kind: DocumentKind,
    text: String,
}

#[test]
fn all_are_valid_without_a_warning() {
    for example in examples() {
        let document = Document::json(example.text.as_bytes(), &Limits::default());
        let named = AnyDocument::check(&document, Some(example.kind));
        assert!(
            named.violations.is_empty(),
            "{}: {}",
            example.title,
            named.violations
        );
        let found_out = AnyDocument::check(&document, None).into_result().unwrap();
        assert_eq!(found_out.kind(), example.kind, "{}", example.title);
        assert_eq!(Some(found_out), named.value, "{}", example.title);
    }
}

#[test]
fn all_round_trip() {
    for Example { title, kind, text } in examples() {
        match kind {
            DocumentKind::Tool => round_trip!(ToolDocument, &text, &title),
            DocumentKind::Declaration => round_trip!(FunctionDeclaration, &text, &title),
            DocumentKind::Schema => round_trip!(Schema, &text, &title),
            DocumentKind::Call => round_trip!(FunctionCall, &text, &title),
            DocumentKind::Result => round_trip!(ToolResult, &text, &title),
            other => panic!("no round trip for {other}"),
        }
    }
}

/// Five of the calls are of functions that the specification declares elsewhere.
#[test]
fn calls_keep_to_the_declarations() {
    let mut declared: HashMap<String, FunctionDeclaration> = HashMap::new();
    for example in examples() {
        let functions = match example.kind {
            DocumentKind::Tool => ToolDocument::from_json(&example.text)
                .unwrap()
                .declarations()
                .cloned()
                .collect(),
            DocumentKind::Declaration => {
                vec![FunctionDeclaration::from_json(&example.text).unwrap()]
            }
            _ => continue,
        };
        declared.extend(functions.into_iter().map(|f| (f.name().to_string(), f)));
    }
    let mut checked = 0;
    for example in examples()
        .into_iter()
        .filter(|e| e.kind == DocumentKind::Call)
    {
        let call = FunctionCall::from_json(&example.text).unwrap();
        let Some(declaration) = declared.get(call.name().as_str()) else {
            continue;
        };
        let tool = ToolDocument::builder()
            .function(declaration.clone())
            .build()
            .unwrap();
        let outcome = tool.check_call(&call);
        assert!(
            outcome.is_ok(),
            "{}: {}",
            example.title,
            outcome.unwrap_err()
        );
        checked += 1;
    }
    assert_eq!(checked, 5);
}

fn examples() -> Vec<Example> {
    let file: Json = serde_json::from_str(EXAMPLES).unwrap();
    let field = |example: &Json, key: &str| example[key].as_str().unwrap().to_owned();
    let examples: Vec<Example> = file["examples"]
        .as_array()
        .unwrap()
        .iter()
        .map(|example| Example {
            title: format!("{} {}", field(example, "section"), field(example, "title")),
            kind: kind(&field(example, "kind")),
            text: field(example, "text"),
        })
        .collect();
    assert_eq!(examples.len(), COUNT);
    examples
}

fn kind(name: &str) -> DocumentKind {
    let known = DocumentKind::STRUCTURES
        .into_iter()
        .find(|kind| kind.as_str() == name);
    known.unwrap_or_else(|| panic!("no kind {name}"))
}

/// Text, value, serde and YAML (of which JSON is nearly a part) all lead to the same document.
macro_rules! round_trip {
    ($type:ty, $text:expr, $title:expr) => {{
        let (text, title): (&str, &str) = ($text, $title);
        let first = <$type>::from_json(text).unwrap();
        let same = |again: &$type, by: &str| {
            assert_eq!(
                again.to_canonical(),
                first.to_canonical(),
                "{title} by {by}"
            );
            assert_eq!(again.digest(), first.digest(), "{title} by {by}");
            assert!(*again == first, "{title} by {by}");
        };
        let written = first.to_json();
        same(&<$type>::from_json(&written).unwrap(), "JSON");
        same(
            &<$type>::from_json(first.to_canonical()).unwrap(),
            "canonical form",
        );
        same(&<$type>::from_value(&first.to_value()).unwrap(), "value");
        let by_serde = serde_json::to_string(&first).unwrap();
        same(&serde_json::from_str(&by_serde).unwrap(), "serde");
        let tree = serde_json::to_value(&first).unwrap();
        same(&serde_json::from_value(tree).unwrap(), "a serde_json value");
        let yaml = Document::yaml(text.as_bytes(), &Limits::default());
        same(&<$type>::check(&yaml).into_result().unwrap(), "YAML");
        // Nothing is dropped or added on the way, an empty `required` included.
        assert_eq!(
            Value::from_json(&written).unwrap(),
            Value::from_json(text).unwrap()
        );
    }};
}
use round_trip;
