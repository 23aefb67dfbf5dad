//! Gemini: `parameters` and `response` as OpenAPI 3.0 schemas, or both as JSON Schema.

use crate::json::Node;
use crate::schema::keyword_names;
use crate::text::words;
use crate::violation::nearest::nearest;

use super::import_draft::ImportDraft;
use super::layout::{Layout, Output, Parts};
use super::message::gemini as message;
use super::profile::{KeyRule, Profile};
use super::references::References;
use super::shape::Spelling;
use super::spec::{Candidate, Claim, Evidence, Limits, List, PLAIN_NAME, Spec};
use super::transform::steps;
use super::tree::{Map, Tree};
use super::walk::top_down;

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::Between(r#"{"functionDeclarations":["#, "]}"),
    read: |node, name, losses| read(node).contract(name, losses),
    claims: claim,
    list_keys: &["functionDeclarations", "function_declarations"],
    input_keys: &["parameters"],
    output_keys: &["response"],
    messages: Some(&message::FORM),
    any_name: false,
    limits: Some(LIMITS),
};

const LIMITS: Limits = Limits {
    name: KeyRule {
        others: b"-.:",
        any_first: false,
        ..PLAIN_NAME
    },
    refuses_names: true,
    description: None,
    tools: None,
    keywords: OWN_KEYWORDS,
    to_json_schema,
    refuses_formats: false,
};

pub(super) const SPEC_JSON: Spec = Spec {
    layout: Some(&LAYOUT_JSON),
    claims: |one| one.owns(&JSON_INPUT),
    input_keys: &JSON_INPUT,
    output_keys: &JSON_OUTPUT,
    limits: Some(Limits {
        keywords: &[],
        to_json_schema: |_| {},
        ..LIMITS
    }),
    ..SPEC
};

/// As the REST API and the Python SDK spell them.
const JSON_INPUT: [&str; 2] = ["parametersJsonSchema", "parameters_json_schema"];
const JSON_OUTPUT: [&str; 2] = ["responseJsonSchema", "response_json_schema"];

/// A declaration has no distinctive field, but the key of its list may be distinctive.
fn claim(one: Candidate<'_>) -> Option<Claim> {
    let in_list = one.is_declaration();
    let Some(parameters) = one.tool.get("parameters") else {
        let is_one = is_bare(one.tool) || in_list && one.is_named();
        return is_one.then_some(Claim {
            by: Evidence::Parameters,
            is_certain: in_list,
        });
    };
    let is_upper = Spelling::of(parameters).upper;
    let is_adm = super::adm::claims(one).is_some();
    (!is_adm && (is_upper || in_list && one.is_named())).then_some(Claim {
        by: Evidence::Parameters,
        is_certain: true,
    })
}

/// A tool without arguments: a name, a description and no other fields, except a misspelt one.
fn is_bare(tool: Node<'_>) -> bool {
    let has = |field: &str| tool.get(field).is_some();
    let known = |key: &str| {
        let fields = ["name", "description", "response"];
        fields.contains(&key) || nearest(key, ["parameters"]).is_some()
    };
    has("name") && has("description") && tool.members().all(|(key, _)| known(&key))
}

const LAYOUT: Layout = Layout {
    input: &INPUT,
    output: Some(Output::schema(&OUTPUT)),
    effects: false,
    text: false,
    timeout: false,
    tool: |parts| tool(parts, "parameters", "response"),
};

const LAYOUT_JSON: Layout = Layout {
    input: &Profile {
        references: References::Alone,
        steps: steps![ROOT_REFERENCE OBJECT_TYPE KEYS],
        keys: Some(KeyRule {
            top_only: true,
            ..KEYS
        }),
        ..Profile::ANYTHING
    },
    output: Some(Output::schema(&Profile {
        references: References::Alone,
        ..Profile::ANYTHING
    })),
    tool: |parts| tool(parts, "parametersJsonSchema", "responseJsonSchema"),
    ..LAYOUT
};

const KEYS: KeyRule = KeyRule {
    others: b"",
    any_first: false,
    longest: 64,
    top_only: false,
};

/// Types are written in lower case, as ADM says of Gemini; its SDK reads either case.
const INPUT: Profile = Profile {
    references: References::Inline,
    steps: steps![
        NO_NULLABLE BOOLEANS ALL_OF UNEVALUATED CONDITIONS ONE_OF OBJECT_ROOT CONSTS TUPLES NULLABLE
        STRING_ENUMS NO_EMPTY_CHOICE LIST_TYPES DISTRIBUTE STRING_ENUMS ONE_TYPE NO_EFFECT REQUIRED_NAMED
        ANY_VALUE EXCLUSIVE FLOAT_LIMITS FORMATS KEYS NO_ARGUMENTS UNSUPPORTED
    ],
    keywords: Some(keyword_names!(
        "type title description properties required items anyOf nullable enum default format \
         pattern minLength maxLength minimum maximum minItems maxItems minProperties maxProperties"
    )),
    formats: Some(words!(
        "float double int32 int64 email byte date date-time password enum"
    )),
    keys: Some(KEYS),
    tells: true,
};

const OUTPUT: Profile = Profile {
    steps: steps![
        NO_NULLABLE BOOLEANS ALL_OF UNEVALUATED CONDITIONS ONE_OF CONSTS TUPLES NULLABLE STRING_ENUMS
        NO_EMPTY_CHOICE LIST_TYPES DISTRIBUTE STRING_ENUMS ONE_TYPE NO_EFFECT REQUIRED_NAMED ANY_VALUE EXCLUSIVE
        FLOAT_LIMITS FORMATS UNSUPPORTED
    ],
    keys: None,
    ..INPUT
};

fn tool(parts: Parts<'_>, parameters: &str, response: &str) -> Tree {
    let mut tool = parts.named();
    // Gemini refuses an object without properties, so a tool without arguments has no schema.
    let empty = |map: &Map| map.map("properties").is_none_or(Map::is_empty);
    if parameters != "parameters" || !parts.input.as_map().is_some_and(empty) {
        tool.set(parameters, parts.input);
    }
    if let Some(output) = parts.output {
        tool.set(response, output);
    }
    Tree::Object(tool)
}

/// Reads both forms, in the spelling of the REST API or of the Python SDK.
fn read(node: Node<'_>) -> ImportDraft<'_> {
    let own = ["name", "description", "parameters", "response"];
    let known = [&own[..], &JSON_INPUT, &JSON_OUTPUT].concat();
    let mut found = ImportDraft::of(node, &known);
    let first = |names: [&str; 2]| names.into_iter().find_map(|name| node.get(name));
    match first(JSON_INPUT) {
        Some(schema) => found.parameters(Some(schema)),
        None => found.parameters_from(node.get("parameters"), to_json_schema),
    }
    match first(JSON_OUTPUT) {
        Some(schema) => found.returns(Some(schema)),
        None => found.returns_from(node.get("response"), to_json_schema),
    }
    found
}

/// Converts Gemini's variant of OpenAPI 3.0 schemas to JSON Schema.
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
        // A contract does not define the order in which the model writes keys.
        map.take("propertyOrdering");
    });
}

/// The spelling of the Python SDK, which some documents use.
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

/// Keywords that JSON Schema spells differently or does not have, including recent ones.
const OWN_KEYWORDS: &[&str] = words!(
    "any_of max_items min_items max_length min_length max_properties min_properties \
     additional_properties additionalProperties property_ordering propertyOrdering defs ref \
     example nullable"
);

fn rename(tree: &mut Tree, from: &str, to: &str) {
    if let Tree::Object(map) = tree
        && let Some(value) = map.take(from)
    {
        map.set(to, value);
    }
}

/// The API allows 64-bit integers as strings.
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
