//! Gemini: `parameters` and `response` in the words of OpenAPI 3.0, or both in JSON Schema.

use crate::json::Node;

use super::draft::top_down;
use super::found::Found;
use super::layout::{Layout, Output, Parts, list_under};
use super::profile::{KeyRule, Profile};
use super::references::References;
use super::transform as step;
use super::tree::{Map, Tree};

pub(super) const LAYOUT: Layout = Layout {
    input: &INPUT,
    output: Some(Output {
        profile: &OUTPUT,
        objects_only: false,
        in_our_words: false,
    }),
    effects: false,
    text: false,
    timeout: false,
    tool: |parts| tool(parts, "parameters", "response"),
    list: |tools| list_under("functionDeclarations", tools),
};

pub(super) const LAYOUT_JSON: Layout = Layout {
    input: &Profile {
        references: References::Alone,
        steps: &[step::ROOT_REFERENCE, step::OBJECT_TYPE, step::KEYS],
        keys: Some(KeyRule {
            top_only: true,
            ..KEYS
        }),
        ..Profile::ANYTHING
    },
    output: Some(Output {
        profile: &Profile {
            references: References::Alone,
            ..Profile::ANYTHING
        },
        objects_only: false,
        in_our_words: false,
    }),
    tool: |parts| tool(parts, "parametersJsonSchema", "responseJsonSchema"),
    ..LAYOUT
};

const KEYS: KeyRule = KeyRule {
    others: b"",
    any_first: false,
    longest: 64,
    top_only: false,
};

const INPUT: Profile = Profile {
    references: References::Inline,
    steps: &[
        step::BOOLEANS,
        step::ALL_OF,
        step::UNEVALUATED,
        step::CONDITIONS,
        step::ONE_OF,
        step::OBJECT_ROOT,
        step::CONSTS,
        step::TUPLES,
        step::NULLABLE,
        step::STRING_ENUMS,
        step::NO_EMPTY_CHOICE,
        step::LIST_TYPES,
        step::DISTRIBUTE,
        step::ONE_TYPE,
        step::NO_EFFECT,
        step::REQUIRED_NAMED,
        step::ANY_VALUE,
        step::EXCLUSIVE,
        step::FLOAT_LIMITS,
        step::FORMATS,
        step::KEYS,
        step::NO_ARGUMENTS,
        step::UNSUPPORTED,
        step::UPPER_CASE,
    ],
    keywords: Some(&[
        "type",
        "title",
        "description",
        "properties",
        "required",
        "items",
        "anyOf",
        "nullable",
        "enum",
        "default",
        "format",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    ]),
    formats: Some(&[
        "float",
        "double",
        "int32",
        "int64",
        "email",
        "byte",
        "date",
        "date-time",
        "password",
        "enum",
    ]),
    keys: Some(KEYS),
    tells: true,
};

const OUTPUT: Profile = Profile {
    steps: &[
        step::BOOLEANS,
        step::ALL_OF,
        step::UNEVALUATED,
        step::CONDITIONS,
        step::ONE_OF,
        step::CONSTS,
        step::TUPLES,
        step::NULLABLE,
        step::STRING_ENUMS,
        step::NO_EMPTY_CHOICE,
        step::LIST_TYPES,
        step::DISTRIBUTE,
        step::ONE_TYPE,
        step::NO_EFFECT,
        step::REQUIRED_NAMED,
        step::ANY_VALUE,
        step::EXCLUSIVE,
        step::FLOAT_LIMITS,
        step::FORMATS,
        step::UNSUPPORTED,
        step::UPPER_CASE,
    ],
    keys: None,
    ..INPUT
};

fn tool(parts: Parts<'_>, parameters: &str, response: &str) -> Tree {
    let mut tool = parts.named();
    // An object without keys is refused; a tool without arguments has none of it.
    let empty = |map: &Map| map.map("properties").is_none_or(Map::is_empty);
    if parameters != "parameters" || !parts.input.as_map().is_some_and(empty) {
        tool.set(parameters, parts.input);
    }
    if let Some(output) = parts.output {
        tool.set(response, output);
    }
    Tree::Object(tool)
}

/// Both forms, in the spelling of the interface or of Python.
pub(super) fn read(node: Node<'_>) -> Found<'_> {
    let known = [
        "name",
        "description",
        "parameters",
        "response",
        "parametersJsonSchema",
        "parameters_json_schema",
        "responseJsonSchema",
        "response_json_schema",
    ];
    let mut found = Found::of(node, &known);
    let first = |names: [&str; 2]| names.into_iter().find_map(|name| node.get(name));
    match first(["parametersJsonSchema", "parameters_json_schema"]) {
        Some(schema) => found.parameters(Some(schema)),
        None => found.parameters_from(node.get("parameters"), to_json_schema),
    }
    match first(["responseJsonSchema", "response_json_schema"]) {
        Some(schema) => found.returns(Some(schema)),
        None => found.returns_from(node.get("response"), to_json_schema),
    }
    found
}

/// From the words of OpenAPI 3.0, as this interface has them, to JSON Schema.
fn to_json_schema(tree: &mut Tree) {
    for (from, to) in [("defs", "$defs"), ("any_of", "anyOf")] {
        rename(tree, from, to);
    }
    top_down(tree, &mut |map| {
        for (from, to) in SPELLINGS {
            if let Some(value) = map.take(from) {
                map.set(to, value);
            }
        }
        if let Some(reference) = map.take("ref").as_ref().and_then(Tree::as_str) {
            map.set(
                "$ref",
                Tree::string(reference.replace("#/defs/", "#/$defs/")),
            );
        }
        if let Some(name) = map.text("type").map(str::to_ascii_lowercase) {
            match name.as_str() {
                "type_unspecified" => drop(map.take("type")),
                _ => drop(map.set("type", Tree::string(name))),
            }
        }
        numbers(map);
        super::openapi_schema::nullable(map);
        if let Some(example) = map.take("example") {
            map.set("examples", Tree::Array(vec![example]));
        }
        // In which order the model writes the keys is none of a contract's business.
        map.take("propertyOrdering");
    });
}

/// The spelling of Python, which some documents keep.
const SPELLINGS: [(&str, &str); 10] = [
    ("any_of", "anyOf"),
    ("max_items", "maxItems"),
    ("min_items", "minItems"),
    ("max_length", "maxLength"),
    ("min_length", "minLength"),
    ("max_properties", "maxProperties"),
    ("min_properties", "minProperties"),
    ("additional_properties", "additionalProperties"),
    ("property_ordering", "propertyOrdering"),
    ("defs", "$defs"),
];

fn rename(tree: &mut Tree, from: &str, to: &str) {
    if let Tree::Object(map) = tree
        && let Some(value) = map.take(from)
    {
        map.set(to, value);
    }
}

/// 64-bit integers may be written as texts in this interface.
fn numbers(map: &mut Map) {
    for keyword in [
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "minProperties",
        "maxProperties",
    ] {
        let number = map.text(keyword).and_then(|text| text.parse::<u64>().ok());
        if let Some(number) = number {
            map.set(keyword, Tree::Number(number.to_string().into()));
        }
    }
}
