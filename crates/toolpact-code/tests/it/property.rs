//! Random contracts, and random values that keep to them: a value goes through a script and comes
//! back the same.

#[path = "../../../toolpact-core/tests/it/differential/make.rs"]
#[expect(dead_code, reason = "values are not spoiled here")]
mod make;

use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value as Json, json};
use toolpact::core::contract::Contract;
use toolpact::core::json::{Kind, Node, Value, Whole};
use toolpact::core::schema::JsonSchema;

use crate::bench::{Bench, tool};

/// Contracts that are tried with one sandbox.
const TOGETHER: usize = 40;

/// A contract of what is returned, and a value of it.
struct Case {
    schema: String,
    value: Value,
}

/// Bytes by chance, of which a seed is all there is to know.
fn bytes(mut seed: u64) -> impl Iterator<Item = u8> {
    std::iter::repeat_with(move || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 56).to_le_bytes()[0]
    })
}

/// Runs `check` with random seeds, each time others: two, or `PROPTEST_CASES`.
fn with_seeds(check: impl Fn(u64)) {
    let cases = std::env::var("PROPTEST_CASES").ok();
    let config = Config {
        cases: cases.and_then(|cases| cases.parse().ok()).unwrap_or(2),
        failure_persistence: None,
        max_shrink_iters: 0,
        ..Config::default()
    };
    let run = |seed| {
        check(seed);
        Ok(())
    };
    TestRunner::new(config).run(&any::<u64>(), run).unwrap();
}

fn case(bytes: &[u8]) -> Option<Case> {
    let choices = &mut make::Choices(bytes);
    let schema = make::schema(choices);
    let compiled = Value::from_json(&schema)
        .and_then(|value| JsonSchema::from_value(&value))
        .ok()?;
    Contract::from_json(returning("get", &schema)).ok()?;
    let parsed = serde_json::from_str(&schema).ok()?;
    let checker = compiled.checker();
    let mut values = (0..8).map(|_| make::value_for(&parsed, &parsed, choices, 5));
    let value = values.find_map(|text| {
        let value = Value::from_json(text).ok()?;
        (checker.is_valid(value.text().as_bytes()) && fits(value.root())).then_some(value)
    })?;
    Some(Case { schema, value })
}

/// Whether scripts can have it: no integer is beyond 64 bits.
fn fits(node: Node<'_>) -> bool {
    match node.kind() {
        Kind::Number => node.as_number().is_some_and(|number| {
            let is_integer = !number.text().contains(['.', 'e', 'E']);
            !is_integer || number.whole() != Whole::TooLarge || number.text().parse::<u64>().is_ok()
        }),
        Kind::Array => node.items().all(fits),
        Kind::Object => node.members().all(|(_, value)| fits(value)),
        _ => true,
    }
}

fn returning(name: &str, schema: &str) -> String {
    format!(
        r#"{{"name": "{name}", "description": "Gets it.", "parameters": {{"type": "object"}}, "returns": {{"type": "Custom", "schema": {schema}}}}}"#
    )
}

/// Schemas of every kind, whatever they ask for.
#[test]
fn what_a_tool_returns_comes_back_the_same() {
    with_seeds(|seed| {
        let all: Vec<u8> = bytes(seed).take(400 * TOGETHER * 4).collect();
        let cases: Vec<Case> = all.chunks(400).filter_map(case).take(TOGETHER).collect();
        assert!(cases.len() > TOGETHER / 2, "{}", cases.len());
        let tools = cases.iter().enumerate().map(|(number, case)| {
            let value = case.value.clone();
            tool(
                &returning(&format!("get_{number}"), &case.schema),
                move |_| Ok(value.clone()),
            )
        });
        let bench = Bench::with(tools);
        for (number, case) in cases.iter().enumerate() {
            let got = bench.value(&format!("result = get_{number}()\nresult"));
            let same = crate::bench::json(&got).to_canonical() == case.value.to_canonical();
            assert!(same, "{}\n{}\n{got}", case.schema, case.value);
        }
    });
}

/// Schemas that say what declarations can say: the checker takes every value of them.
#[test]
fn what_a_script_passes_arrives_the_same() {
    with_seeds(|seed| {
        let mut typed = Typed(Box::new(bytes(seed)));
        let schemas: Vec<Json> = (0..TOGETHER).map(|_| typed.schema(3)).collect();
        let echo = |args: &Value| Ok(args.root().get("value").unwrap().to_value());
        let tools = schemas.iter().enumerate().map(|(number, schema)| {
            let parameters =
                json!({"type": "object", "properties": {"value": schema}, "required": ["value"]});
            let contract = json!({
                "name": format!("take_{number}"),
                "description": "Takes it.",
                "parameters": parameters,
                "returns": {"type": "Custom", "schema": schema},
            });
            tool(&contract.to_string(), echo)
        });
        let bench = Bench::with(tools);
        for (number, schema) in schemas.iter().enumerate() {
            let value = crate::bench::json(typed.value(schema).to_string());
            let literal = python(value.root());
            let got = bench.value(&format!(
                "value = take_{number}({literal})\ntake_{number}(value)"
            ));
            let same = crate::bench::json(&got).to_canonical() == value.to_canonical();
            assert!(same, "{schema}\n{value}\n{got}");
        }
    });
}

/// Makes schemas in which every type is said, and values of them.
struct Typed(Box<dyn Iterator<Item = u8>>);

impl Typed {
    fn below(&mut self, n: usize) -> usize {
        usize::from(self.0.next().unwrap()) % n
    }

    fn schema(&mut self, depth: usize) -> Json {
        let kinds = if depth == 0 { 8 } else { 13 };
        match self.below(kinds) {
            0 => json!({"type": "string"}),
            1 => json!({"type": "integer"}),
            2 => json!({"type": "number"}),
            3 => json!({"type": "boolean"}),
            4 => json!({"type": ["string", "null"]}),
            5 => json!({"enum": ["a", "from", 3, true, null]}),
            6 => json!({"const": "x \\ \" y"}),
            7 => json!({"type": ["integer", "boolean"]}),
            8 => json!({"type": "array", "items": self.schema(depth - 1)}),
            9 => json!({"type": "object", "additionalProperties": self.schema(depth - 1)}),
            10 => {
                json!({"anyOf": [self.schema(0), {"type": "array", "items": self.schema(depth - 1)}]})
            }
            _ => {
                let names = ["a", "from", "a-b", "list", "ä", "", "_x", "items"];
                let first = self.below(names.len());
                let names: Vec<&str> = names.iter().cycle().skip(first).take(3).copied().collect();
                let members: Map<String, Json> = names
                    .iter()
                    .map(|name| ((*name).to_owned(), self.schema(depth - 1)))
                    .collect();
                json!({"type": "object", "properties": members, "required": [names[0]]})
            }
        }
    }

    fn value(&mut self, schema: &Json) -> Json {
        if let Some(values) = schema["enum"].as_array() {
            return values[self.below(values.len())].clone();
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(schemas) = schema["anyOf"].as_array() {
            let one = self.below(schemas.len());
            return self.value(&schemas[one]);
        }
        let kind = match &schema["type"] {
            Json::Array(kinds) => kinds[self.below(kinds.len())].as_str().unwrap(),
            kind => kind.as_str().unwrap(),
        };
        match kind {
            "string" => ["", "a", "\u{0}\n\t\"'\\", "äöü😀", "{x}"][self.below(5)].into(),
            "integer" => [0, -1, 7, i64::MAX, i64::MIN + 1, 1 << 53][self.below(6)].into(),
            "number" => [0.5, -1.25e-7, 3.0, 1e300, 0.1][self.below(5)].into(),
            "boolean" => (self.below(2) == 0).into(),
            "null" => Json::Null,
            "array" => (0..self.below(4))
                .map(|_| self.value(&schema["items"]))
                .collect(),
            _ => self.object(schema),
        }
    }

    fn object(&mut self, schema: &Json) -> Json {
        let Some(members) = schema["properties"].as_object() else {
            let keys = ["k", "ключ", "a b"].iter().take(self.below(4));
            let members = keys.map(|key| {
                (
                    (*key).to_owned(),
                    self.value(&schema["additionalProperties"]),
                )
            });
            return Json::Object(members.collect());
        };
        let required = schema["required"][0].as_str().unwrap();
        let mut out = Map::new();
        for (name, schema) in members {
            if name == required || self.below(2) == 0 {
                out.insert(name.clone(), self.value(schema));
            }
        }
        Json::Object(out)
    }
}

/// A value as Python writes it.
fn python(node: Node<'_>) -> String {
    let join = |parts: Vec<String>| parts.join(", ");
    match node.kind() {
        Kind::Null => "None".to_owned(),
        Kind::Bool if node.as_bool() == Some(true) => "True".to_owned(),
        Kind::Bool => "False".to_owned(),
        Kind::Number => node.text().to_owned(),
        Kind::String => quoted(&node.as_str().unwrap()),
        Kind::Array => format!("[{}]", join(node.items().map(python).collect())),
        Kind::Object => {
            let members = node
                .members()
                .map(|(key, value)| format!("{}: {}", quoted(&key), python(value)));
            format!("{{{}}}", join(members.collect()))
        }
    }
}

fn quoted(text: &str) -> String {
    let chars = text.chars().map(|c| match c {
        ' ' | '!' | '#'..='[' | ']'..='~' => c.to_string(),
        other => format!("\\U{:08x}", u32::from(other)),
    });
    format!("\"{}\"", chars.collect::<String>())
}
