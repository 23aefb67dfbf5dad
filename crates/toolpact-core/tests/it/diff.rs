//! What the diff of two contracts claims, judged by a validator that is not ours.

mod adm;
mod mutate;
mod pairs;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use serde_json::Value as Json;
use toolpact_core::contract::Contract;
use toolpact_core::diff::{Change, ToolDiff, Verdict, WitnessKind};
use toolpact_core::sample::{Random, Sampler};

use crate::differential::{Choices, make, with_bytes};

/// Two contracts of a tool, and what the other validator says of both schemas.
struct Case {
    old: Contract,
    new: Contract,
    schemas: [Json; 2],
    is_arguments: bool,
}

impl Case {
    /// `None` if one of the schemas cannot be used.
    fn new(old: &Json, new: &Json, is_arguments: bool) -> Option<Self> {
        let contract = |schema: &Json| {
            let text = match is_arguments {
                true => format!(
                    r#"{{"name":"f","description":"Does it.","parameters":{schema},"returns":"opaque"}}"#
                ),
                false => format!(
                    r#"{{"name":"f","description":"Does it.","parameters":{{"type":"object"}},"returns":{{"type":"Custom","schema":{schema}}}}}"#
                ),
            };
            Contract::from_json(text).ok()
        };
        Some(Self {
            old: contract(old)?,
            new: contract(new)?,
            schemas: [old.clone(), new.clone()],
            is_arguments,
        })
    }

    /// Two contracts with parameters of ADM. `None` if one of the schemas cannot be used.
    fn of_adm(old: &Json, new: &Json) -> Option<Self> {
        let contract = |schema: &Json| {
            Contract::from_json(format!(
                r#"{{"name":"f","description":"Does it.","parameters":{schema},"returns":"opaque"}}"#
            ))
            .ok()
        };
        let (old, new) = (contract(old)?, contract(new)?);
        let schemas = [&old, &new].map(|one| {
            let schema = one.parameters().to_json_schema();
            serde_json::from_str(schema.text()).unwrap()
        });
        Some(Self {
            old,
            new,
            schemas,
            is_arguments: true,
        })
    }

    /// From what is possible to what must accept it.
    fn judges(&self) -> [jsonschema::Validator; 2] {
        let [old, new] = self.schemas.each_ref().map(|schema| {
            jsonschema::options()
                .should_validate_formats(true)
                .build(schema)
                .unwrap()
        });
        if self.is_arguments {
            [old, new]
        } else {
            [new, old]
        }
    }

    /// Names of keys that one schema has more often than the other. Where nothing is said of a key, another
    /// version may come to name it (decision 411), so values with them show nothing.
    fn new_names(&self) -> Vec<String> {
        let [old, new] = self.schemas.each_ref().map(|schema| {
            let mut counts = BTreeMap::new();
            count_names(schema, &mut counts);
            counts
        });
        let [from, to] = if self.is_arguments {
            [old, new]
        } else {
            [new, old]
        };
        let is_new = |(name, count): &(String, u32)| from.get(name).unwrap_or(&0) < count;
        to.into_iter()
            .filter(is_new)
            .map(|(name, _)| name)
            .collect()
    }

    /// Whether a value was accepted and is refused, or is possible and was not.
    fn breaks(&self, judges: &[jsonschema::Validator; 2], value: &Json) -> bool {
        let is_asked = match self.is_arguments {
            true => value.is_object(),
            false => !is_failure(value),
        };
        is_asked && judges[0].is_valid(value) && !judges[1].is_valid(value)
    }

    fn diff(&self) -> ToolDiff {
        ToolDiff::between(&self.old, &self.new)
    }

    /// Values that must be accepted, as far as they can be made.
    fn possible(&self, choices: &mut Choices<'_>) -> Vec<Json> {
        let sampler = match self.is_arguments {
            true => Sampler::of_arguments(&self.old),
            false => Sampler::of_result(&self.new),
        };
        let made = (0..40).flat_map(|seed| [sampler.nth(seed), sampler.unusual(seed)]);
        let made = made
            .flatten()
            .filter_map(|value| serde_json::from_str(value.text()).ok());
        let mut values: Vec<Json> = made.collect();
        let from = &self.schemas[usize::from(!self.is_arguments)];
        for _ in 0..60 {
            let text = make::value_for(from, from, choices, 5);
            values.extend(serde_json::from_str::<Json>(&text).ok());
        }
        values
    }
}

/// How often each name is one of `properties`.
fn count_names(schema: &Json, counts: &mut BTreeMap<String, u32>) {
    if let Some(Json::Object(named)) = schema.get("properties") {
        named
            .keys()
            .for_each(|name| *counts.entry(name.clone()).or_default() += 1);
    }
    match schema {
        Json::Object(members) => members.values().for_each(|one| count_names(one, counts)),
        Json::Array(items) => items.iter().for_each(|one| count_names(one, counts)),
        _ => {}
    }
}

fn has_key(value: &Json, names: &[String]) -> bool {
    match value {
        Json::Object(members) => {
            let mut members = members.iter();
            members.any(|(key, one)| names.contains(key) || has_key(one, names))
        }
        Json::Array(items) => items.iter().any(|one| has_key(one, names)),
        _ => false,
    }
}

fn is_failure(value: &Json) -> bool {
    value.get("success") == Some(&Json::Bool(false))
        && value.get("error").is_some_and(Json::is_object)
}

/// Whether floats hold all numbers of a JSON text. The other validator has no others; ours compares integers
/// exactly, which `large_integers` tests.
pub(crate) fn is_rounded(json: &str) -> bool {
    let mut numbers = json.split(|c: char| !c.is_ascii_digit());
    numbers.any(|digits| digits.len() > 15) || json.contains("e3") || json.contains("E3")
}

/// A random schema and a changed one: of parameters if that is wanted, of results if not.
fn pair(bytes: &[u8]) -> Option<Case> {
    let choices = &mut Choices(bytes);
    let mut random = Random::new(bytes.iter().fold(7, |sum: u64, byte| {
        sum.wrapping_mul(31).wrapping_add(u64::from(*byte))
    }));
    if random.chance(20) {
        let (old, new) = adm::pair(&mut random);
        return (old != new).then(|| Case::of_adm(&old, &new))?;
    }
    let is_arguments = random.chance(50);
    let mut old: Json = serde_json::from_str(&make::schema(choices)).ok()?;
    if is_arguments {
        let definitions = old.as_object_mut()?.remove("$defs");
        let required: &[&str] = if random.chance(50) { &["value"] } else { &[] };
        old = serde_json::json!({
            "type": "object", "properties": {"value": old}, "required": required, "$defs": definitions
        });
    }
    let mut new = old.clone();
    for _ in 0..=random.below(2) {
        mutate::mutate(&mut new, &mut random);
    }
    let is_judged = old != new && !is_rounded(&old.to_string()) && !is_rounded(&new.to_string());
    is_judged.then(|| Case::new(&old, &new, is_arguments))?
}

/// The witness of every breaking change is one by another validator, and for what is compatible nobody
/// finds one.
#[test]
fn random_pairs() {
    let counts = RefCell::new(BTreeMap::<Verdict, u32>::new());
    let unknown = RefCell::new(Vec::new());
    let (witnesses, rounded) = (Cell::new(0), Cell::new(0));
    with_bytes(11_000, |bytes| {
        let Some(case) = pair(bytes) else { return };
        let diff = case.diff();
        let shown = || {
            format!(
                "{}\n{}\n{:#?}",
                case.schemas[0],
                case.schemas[1],
                diff.changes()
            )
        };
        let judges = case.judges();
        for change in diff.changes() {
            let is_breaking = change.verdict() == Verdict::Breaking;
            assert_eq!(change.witness().is_some(), is_breaking, "{}", shown());
            let Some(witness) = change.witness() else {
                continue;
            };
            let text = witness.value().text();
            let value: Json = serde_json::from_str(text).unwrap();
            let value = match witness.kind() {
                WitnessKind::Call => value["args"].clone(),
                WitnessKind::Result => value,
                WitnessKind::Promise => panic!("{}", shown()),
            };
            if is_rounded(text) {
                rounded.set(rounded.get() + 1);
                continue;
            }
            witnesses.set(witnesses.get() + 1);
            assert!(
                case.breaks(&judges, &value),
                "{value} is no witness:\n{}",
                shown()
            );
        }
        match diff.verdict() {
            Verdict::Breaking => {}
            Verdict::Unknown => unknown.borrow_mut().push(shown()),
            _ => {
                let possible = case.possible(&mut Choices(bytes));
                let names = case.new_names();
                let is_judged = |one: &Json| !is_rounded(&one.to_string()) && !has_key(one, &names);
                for value in possible.into_iter().filter(is_judged) {
                    assert!(
                        !case.breaks(&judges, &value),
                        "{value} breaks:\n{}",
                        shown()
                    );
                }
            }
        }
        *counts.borrow_mut().entry(diff.verdict()).or_default() += 1;
    });
    let counts = counts.into_inner();
    let all: u32 = counts.values().sum();
    let (witnesses, rounded) = (witnesses.get(), rounded.get());
    eprintln!(
        "{all} pairs: {counts:?}; {witnesses} witnesses, {rounded} more that the other validator would round"
    );
    // Integers of ADM have bounds of 19 digits.
    assert!(rounded * 20 < witnesses, "{rounded} of {witnesses}");
    for case in unknown.into_inner().iter().take(15) {
        eprintln!("unknown:\n{case}");
    }
    let of = |verdict| counts.get(&verdict).copied().unwrap_or(0);
    assert!(all >= 5_000, "{all} pairs");
    assert!(of(Verdict::Unknown) * 20 < all, "{counts:?}");
    // The test would say nothing if one side were empty.
    assert!(
        of(Verdict::Breaking) * 10 > all && of(Verdict::Compatible) * 10 > all,
        "{counts:?}"
    );
}

fn contract(text: &str) -> Contract {
    Contract::from_json(text).unwrap()
}

/// A contract with these parameters and returns.
fn tool(name: &str, parameters: &str, returns: &str) -> Contract {
    contract(&format!(
        r#"{{"name":"{name}","description":"Finds orders of one customer.","parameters":{parameters},"returns":{returns}}}"#
    ))
}

fn lines(diff: &ToolDiff) -> Vec<String> {
    diff.changes().iter().map(ToString::to_string).collect()
}

fn of_parameters(old: &str, new: &str) -> Vec<String> {
    lines(&ToolDiff::between(
        &tool("f", old, "\"opaque\""),
        &tool("f", new, "\"opaque\""),
    ))
}

fn of_returns(old: &str, new: &str) -> Vec<String> {
    let any = r#"{"type":"object"}"#;
    lines(&ToolDiff::between(
        &tool("f", any, old),
        &tool("f", any, new),
    ))
}

/// Schemas of ADM are compared, as those of JSON Schema are.
#[test]
fn parameters_of_adm() {
    let contract = |required: &str, unit: &str| {
        Contract::from_json(format!(
            r#"{{"name":"f","description":"Does it.","returns":"opaque","parameters":{{"type":"OBJECT","properties":
                {{"city":{{"type":"STRING"}},"unit":{{"type":"STRING","enum":{unit}}}}},"required":{required}}}}}"#
        ))
        .unwrap()
    };
    let [old, looser] =
        [r#"["C","F"]"#, r#"["C","F","K"]"#].map(|unit| contract(r#"["city"]"#, unit));
    let stricter = contract(r#"["city","unit"]"#, r#"["C","F"]"#);
    let verdict = |new: &Contract| ToolDiff::between(&old, new).verdict();
    assert_eq!(verdict(&old), Verdict::Same);
    assert_eq!(verdict(&looser), Verdict::Compatible);
    assert_eq!(verdict(&stricter), Verdict::Breaking);
}

#[test]
fn parameters_in_words() {
    let old = r#"{"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["c","f"]},"days":{"type":"integer","minimum":1}}}"#;
    let new = r#"{"type":"object","properties":{"city":{"type":"string","description":"Of it."},"unit":{"enum":["c","k"]},"hours":{"type":"integer"}},"required":["city"],"additionalProperties":false}"#;
    let lines = of_parameters(old, new);
    assert_eq!(
        lines[0],
        "documentation for models: `city`: has a description"
    );
    let starts = [
        r#"breaking for callers: `unit`: lists `"k"`, and not `"f"` any more; the call "#,
        "compatible for callers: the optional parameter `hours` is new",
        "breaking for callers: the optional parameter `days` is gone; the call ",
        "breaking for callers: the parameter `city` is required, was optional; the call ",
        "breaking for callers: other keys are refused; the call ",
    ];
    assert_eq!(lines.len(), 1 + starts.len(), "{lines:#?}");
    for (line, start) in lines[1..].iter().zip(starts) {
        assert!(line.starts_with(start), "{line}\n{start}");
    }
    assert!(lines[1].ends_with(r#"at /unit: expected one of `c` and `k`, found the string "f""#));
    assert!(lines[4].ends_with("expected the required key `city`, found none"));
}

#[test]
fn results_in_words() {
    let old = r#"{"type":"object","properties":{"total":{"type":"number"}},"required":["total"]}"#;
    let new =
        r#"{"type":"object","properties":{"total":{"type":"string"},"more":{"type":"boolean"}}}"#;
    let lines = of_returns(old, new);
    let starts = [
        "breaking for readers: `total`: is string, was number; the result ",
        "compatible for readers: the optional key `more` is new",
        "breaking for readers: the key `total` is optional, was required; the result ",
    ];
    assert_eq!(lines.len(), starts.len(), "{lines:#?}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}\n{start}");
    }
}

/// One kind of promise for another, in both directions.
#[test]
fn return_types() {
    for (old, new, start) in [
        (
            "\"NumberValue\"",
            "\"StringValue\"",
            "breaking for readers: returns StringValue, was NumberValue; the result ",
        ),
        (
            "\"opaque\"",
            r#"{"type":"string","maxLength":5}"#,
            "compatible for readers: returns a JSON Schema, was opaque text",
        ),
        (
            r#"{"type":"string","maxLength":5}"#,
            "\"opaque\"",
            "breaking for readers: returns opaque text, was a JSON Schema; the result ",
        ),
        ("\"VoidResult\"", "\"VoidResult\"", ""),
    ] {
        let lines = of_returns(old, new);
        match start {
            "" => assert!(lines.is_empty(), "{lines:?}"),
            _ => assert!(lines[0].starts_with(start), "{lines:?}"),
        }
    }
}

/// Decision 411.
#[test]
fn a_new_optional_parameter() {
    let old = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    let new = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#;
    assert_eq!(
        of_parameters(old, new),
        ["compatible for callers: the optional parameter `b` is new"]
    );
    let open = |text: &str| text.replacen('{', r#"{"additionalProperties":true,"#, 1);
    let literally = of_parameters(&open(old), &open(new));
    assert!(
        literally[0].starts_with("breaking for callers: the optional parameter `b` is new; "),
        "{literally:?}"
    );
    let required = new.replacen('{', r#"{"required":["b"],"#, 1);
    let lines = of_parameters(old, &required);
    assert!(
        lines[0].starts_with("breaking for callers: the required parameter `b` is new; "),
        "{lines:?}"
    );
}

/// Decisions 412 and 413.
#[test]
fn effects_and_times() {
    let with = |fields: &str| {
        contract(&format!(
            r#"{{"name":"f","description":"Does it.","returns":"opaque","parameters":{{"type":"object"}}{fields}}}"#
        ))
    };
    for (old, new, expected) in [
        (r#","effects":{"read_only":true}"#, "", Verdict::Breaking),
        (
            r#","effects":{"destructive":false}"#,
            r#","effects":{"destructive":true}"#,
            Verdict::Breaking,
        ),
        ("", r#","effects":{"read_only":true}"#, Verdict::Compatible),
        (
            r#","timeout_ms":1000"#,
            r#","timeout_ms":500"#,
            Verdict::Unknown,
        ),
        (
            r#","timeout_ms":1000"#,
            r#","timeout_ms":1500"#,
            Verdict::Compatible,
        ),
        ("", r#","text":"{{ data }}""#, Verdict::Documentation),
        (
            r#","run":{"command":["a"]}"#,
            r#","run":{"command":["b"]}"#,
            Verdict::Same,
        ),
    ] {
        let diff = ToolDiff::between(&with(old), &with(new));
        assert_eq!(diff.verdict(), expected, "{old} {new}: {:?}", lines(&diff));
        let witness = diff.changes().first().and_then(Change::witness);
        assert_eq!(witness.is_some(), expected == Verdict::Breaking);
    }
}

/// Work is bounded, whatever the schemas are.
#[test]
fn hostile_schemas() {
    let wide = |leaf: &str| {
        let properties: Vec<String> = (0..2_000).map(|n| format!(r#""p{n}":{leaf}"#)).collect();
        format!(
            r#"{{"type":"object","properties":{{{}}}}}"#,
            properties.join(",")
        )
    };
    let nested = |leaf: &str| {
        let inner = (0..90).fold(leaf.to_owned(), |inner, _| {
            format!(r#"{{"items":{inner}}}"#)
        });
        format!(r#"{{"type":"object","properties":{{"a":{inner}}}}}"#)
    };
    let choices = |leaf: &str| {
        let list = format!(
            "[{}]",
            vec![format!(r#"{{"properties":{{"a":{leaf}}}}}"#); 12].join(",")
        );
        let all = vec![format!(r#"{{"anyOf":{list}}}"#); 20].join(",");
        format!(r#"{{"type":"object","allOf":[{all}]}}"#)
    };
    let makes: [&dyn Fn(&str) -> String; 3] = [&wide, &nested, &choices];
    for make in makes {
        let start = std::time::Instant::now();
        let lines = of_parameters(
            &make(r#"{"type":"string"}"#),
            &make(r#"{"type":"integer"}"#),
        );
        assert!(!lines.is_empty());
        eprintln!("{} changes in {:?}", lines.len(), start.elapsed());
    }
}

#[test]
fn schemas_that_refer_to_themselves() {
    let tree = |leaf: &str| {
        format!(
            r##"{{"type":"object","properties":{{"tree":{{"$ref":"#/$defs/node"}}}},"$defs":{{"node":{{
            "type":"object","properties":{{"value":{leaf},"children":{{"type":"array","items":{{"$ref":"#/$defs/node"}}}}}}}}}}}}"##
        )
    };
    let wider = of_parameters(
        &tree(r#"{"type":"integer"}"#),
        &tree(r#"{"type":"number"}"#),
    );
    assert_eq!(
        wider,
        ["compatible for callers: `tree.value`: is number, was integer"]
    );
    let narrower = of_parameters(
        &tree(r#"{"type":"number"}"#),
        &tree(r#"{"type":"integer"}"#),
    );
    assert!(
        narrower[0].starts_with("breaking for callers"),
        "{narrower:?}"
    );
}
