//! Schemas whose exports once differed from them without a word.

use super::judged::Seen;
use serde_json::{Value as Json, json};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Export, Loss};
use toolpact_core::json::Value;

/// Holds what every dialect says of a schema to calls, as the contract and as the model write them.
fn hold(parameters: &Json, calls: &[Json]) {
    hold_each(parameters, calls, true);
}

fn hold_each(parameters: &Json, calls: &[Json], as_they_are: bool) {
    for dialect in Dialect::ALL {
        let export = export(*dialect, parameters);
        let Some(tool) = export.tools().first() else {
            continue;
        };
        let seen = Seen::new(&export, tool);
        for call in calls {
            let call = Value::from_json(call.to_string()).unwrap();
            seen.holds_for(&call);
            seen.holds_for_sent(Some(call).filter(|_| as_they_are));
        }
    }
}

fn export(dialect: Dialect, parameters: &Json) -> Export {
    let contract = json!({"name": "t", "description": "d", "parameters": parameters});
    let contract = Contract::from_json(contract.to_string()).unwrap();
    dialect.export([&contract])
}

/// An object with one key of this schema, which is required.
fn with_key(schema: &Json) -> Json {
    json!({
        "type": "object",
        "properties": {"a": schema},
        "required": ["a"],
        "additionalProperties": false,
    })
}

#[test]
fn no_elements_are_fewer_than_five() {
    let schema = json!({"type": "array", "items": false, "maxItems": 5});
    hold(&with_key(&schema), &[json!({"a": []}), json!({"a": ["x"]})]);
}

#[test]
fn null_is_allowed_where_every_rule_allows_it() {
    let string = json!({"type": "string"});
    let calls = [json!({"a": null}), json!({"a": "x"})];
    let nothing = json!({"type": "null"});
    hold(
        &with_key(&json!({"type": "string", "anyOf": [nothing, string]})),
        &calls,
    );
    hold(
        &with_key(&json!({"enum": ["x"], "anyOf": [nothing, string]})),
        &calls,
    );
    let lists = json!({"type": ["string", "null"], "anyOf": [string, {"type": "integer"}]});
    hold(&with_key(&lists), &calls);
    let untyped = json!({"type": ["string", "null"], "anyOf": [{"minLength": 1}, string]});
    hold(&with_key(&untyped), &calls);
}

#[test]
fn a_part_refuses_what_it_does_not_name() {
    let schema = json!({
        "type": "object",
        "properties": {"b": {"type": "string"}},
        "allOf": [{"properties": {"c": {"type": "string"}}, "unevaluatedProperties": false}],
    });
    let calls = [json!({"a": {"b": "x", "c": "x"}}), json!({"a": {"c": "x"}})];
    hold(&with_key(&schema), &calls);
}

#[test]
fn a_rule_for_all_elements_is_for_the_first_ones_too() {
    let schema = json!({
        "type": "object",
        "allOf": [
            {"properties": {"a": {"type": "array", "prefixItems": [{"type": "string"}]}}},
            {"properties": {"a": {"items": {"maxLength": 1}}}},
        ],
    });
    hold(&schema, &[json!({"a": ["xx"]}), json!({"a": ["x"]})]);
}

#[test]
fn patterns_are_for_named_keys_too() {
    let schema = json!({
        "type": "object",
        "properties": {"ab": {"type": "string"}},
        "patternProperties": {"^a": {"minLength": 3}},
        "additionalProperties": false,
    });
    let calls = [json!({"a": {"ab": "x"}}), json!({"a": {"ab": "xxx"}})];
    hold(&with_key(&schema), &calls);
    hold(&schema, &[json!({"ab": "x"}), json!({"ab": "xxx"})]);
}

#[test]
fn keys_with_new_names_keep_their_rules() {
    let keys = json!({"a b": {"type": "string"}, "c": {"type": "string"}});
    let calls = [
        json!({"a b": "x"}),
        json!({"a b": "x", "c": "x"}),
        json!({}),
    ];
    let rules = [
        json!({"dependentRequired": {"a b": ["c"]}}),
        json!({"dependentRequired": {"c": ["a b"]}}),
        json!({"anyOf": [{"required": ["a b"]}, {"required": ["c"]}]}),
        json!({"not": {"required": ["a b"]}}),
        json!({"if": {"required": ["a b"]}, "then": {"required": ["c"]}}),
        json!({"allOf": [{"properties": {"a b": {"maxLength": 0}}}]}),
        json!({"patternProperties": {" ": {"minLength": 3}}}),
        json!({"propertyNames": {"enum": ["a b", "c"]}}),
        json!({"enum": [{"a b": "x"}]}),
        json!({"$defs": {"d": {"required": ["a b"]}}, "oneOf": [{"$ref": "#/$defs/d"}]}),
    ];
    for rule in rules {
        let mut schema = json!({"type": "object", "properties": keys});
        let rule = rule.as_object().unwrap().clone();
        schema.as_object_mut().unwrap().extend(rule);
        // The model is told of the new names only.
        hold_each(&schema, &calls, false);
    }
}

#[test]
fn a_new_name_is_nobody_elses() {
    let once = export(
        Dialect::Gemini,
        &json!({"type": "object", "properties": {"a b": {}}}),
    );
    let once: Json = once.tools()[0].definition().deserialize().unwrap();
    let names = once["parameters"]["properties"].as_object().unwrap();
    let taken = names.keys().next().unwrap().clone();
    let inner = json!({"type": "object", "properties": {"a b": {"type": "string"}}});
    let mut properties = json!({"inner": inner, "a b": {"type": "string"}});
    properties[&taken] = json!({"type": "integer"});
    let parameters = json!({"type": "object", "properties": properties});
    let export = export(Dialect::Gemini, &parameters);
    let definition: Json = export.tools()[0].definition().deserialize().unwrap();
    let properties = &definition["parameters"]["properties"];
    assert_eq!(properties.as_object().unwrap().len(), 3, "{properties}");
}

#[test]
fn alternatives_inside_of_alternatives_can_be_sent() {
    let alternative =
        |key: &str| json!({"properties": {key: {"type": "string"}}, "required": [key]});
    let schema = json!({
        "type": "object",
        "properties": {"own": {"type": "string"}},
        "anyOf": [{"anyOf": [alternative("x"), alternative("y")]}, alternative("z")],
    });
    let call = Value::from_json(r#"{"a": {"own": "1", "x": "1"}}"#).unwrap();
    for dialect in [
        Dialect::OpenAiStrict,
        Dialect::AnthropicStrict,
        Dialect::Gemini,
    ] {
        let export = export(dialect, &with_key(&schema));
        let tool = &export.tools()[0];
        let seen = Seen::new(&export, tool);
        assert!(
            seen.says(&tool.write_args(&call)),
            "{dialect} {}",
            tool.definition()
        );
    }
}

#[test]
fn our_names_for_shared_schemas_may_be_theirs() {
    let keys: Vec<String> = (0..9)
        .map(|n| format!("a_key_of_some_length_{n}"))
        .collect();
    let keys = keys
        .iter()
        .map(|key| (key.clone(), json!({"type": "string"})));
    let large = json!({"type": "object", "properties": keys.collect::<serde_json::Map<_, _>>()});
    let schema = json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/toolpact_shared_1"}, "a": large, "b": large},
        "$defs": {"toolpact_shared_1": {"type": "integer"}},
    });
    hold(&schema, &[json!({"x": 1}), json!({"x": {}})]);
}

#[test]
fn what_is_refused_is_not_allowed_by_describing_it() {
    let refused = json!({"additionalProperties": false, "required": ["b"]});
    let schema = json!({"type": "object", "not": refused});
    hold(
        &with_key(&schema),
        &[json!({"a": {}}), json!({"a": {"b": 1}})],
    );

    let rest = json!({"required": ["b"], "unevaluatedProperties": {"type": "integer"}});
    let calls = [json!({"a": {"b": true}}), json!({"a": {"b": 1}})];
    hold(&with_key(&rest), &calls);
}

#[test]
fn a_recursion_that_is_refused_is_cut_off_the_other_way() {
    let list = json!({
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/list"}},
        "required": ["next"],
    });
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "object", "not": {"$ref": "#/$defs/list"}}},
        "$defs": {"list": list},
    });
    let calls = [
        json!({"a": {}}),
        json!({"a": {"next": {}}}),
        json!({"a": {"next": {"next": {"next": 1}}}}),
    ];
    hold(&schema, &calls);
}

#[test]
fn a_choice_may_be_there_twice() {
    let schema = json!({"type": "string", "enum": ["x", "x", "y"]});
    hold(&with_key(&schema), &[json!({"a": "x"}), json!({"a": "z"})]);
}

#[test]
fn null_is_said_beside_a_reference_with_rules() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/root", "type": "integer"}, "b": {"$ref": "#"}},
        "$defs": {"root": {"$ref": "#"}},
        "additionalProperties": false,
    });
    hold(&schema, &[json!({}), json!({"b": {}}), json!({"a": 1})]);
}

#[test]
fn under_its_old_name_a_key_is_one_like_others() {
    let schema = json!({"type": "object", "properties": {"a b": {"type": "array"}}});
    let calls = [json!({"a b": 1}), json!({"a b": [], "a_b_c8687a": []})];
    hold(&schema, &calls);
}

#[test]
fn a_constant_tells_alternatives_apart() {
    let one = |kind: &str, key: &str| {
        json!({
            "type": "object",
            "properties": {"kind": {"const": kind}, key: {"type": "string"}},
            "required": ["kind"],
            "additionalProperties": false,
        })
    };
    let schema = json!({"anyOf": [one("circle", "radius"), one("square", "side")]});
    let calls = [
        json!({"a": {"kind": "circle"}}),
        json!({"a": {"kind": "square", "side": "1"}}),
    ];
    hold(&with_key(&schema), &calls);
}

#[test]
fn of_two_limits_the_stricter_one_stays() {
    let limit = |n: u64| json!({"type": "integer", "maximum": n});
    let schema = json!({"allOf": [limit(9_007_199_254_740_992), limit(9_007_199_254_740_993)]});
    let calls = [json!({"a": 9_007_199_254_740_993_u64}), json!({"a": 1})];
    hold(&with_key(&schema), &calls);
}

/// In one alternative null is a value, in the other it stands for nothing.
#[test]
fn null_is_what_the_alternative_says() {
    let kind = |kind: &str, a: &serde_json::Value, required: &serde_json::Value| {
        json!({
            "type": "object",
            "properties": {"kind": {"const": kind}, "a": a},
            "required": required,
            "additionalProperties": false,
        })
    };
    let red = kind("red", &json!({"type": "object"}), &json!(["kind"]));
    let green = kind(
        "green",
        &json!({"type": ["null", "string"]}),
        &json!(["kind", "a"]),
    );
    let schema = json!({"oneOf": [red, green]});
    let calls = [
        json!({"a": {"kind": "red", "a": null}}),
        json!({"a": {"kind": "red"}}),
        json!({"a": {"kind": "green", "a": null}}),
    ];
    hold(&with_key(&schema), &calls);
}

/// What ADM says by itself, Gemini need not say in words.
#[test]
fn a_tool_of_adm_gains_no_sentence_in_gemini() {
    let contract = json!({"name": "t", "description": "d", "parameters": {
        "type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]
    }});
    let contract = Contract::from_json(contract.to_string()).unwrap();
    let export = Dialect::Gemini.export([&contract]);
    let tool = &export.tools()[0];
    let definition: Json = tool.definition().deserialize().unwrap();
    let expected =
        json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    assert_eq!(definition["parameters"], expected);
    let losses: Vec<String> = tool
        .losses()
        .iter()
        .map(|loss| loss.kind().to_string())
        .collect();
    assert_eq!(losses, ["rewritten", "unknown-keys"]);
    let json = Dialect::GeminiJson.export([&contract]);
    assert!(!json.tools()[0].losses().iter().any(Loss::changes_calls));
}
