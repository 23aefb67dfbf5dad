//! Pairs of contracts whose schemas another validator judges.

use serde_json::Value as Json;
use toolpact_core::contract::Contract;
use toolpact_core::diff::ToolDiff;
use toolpact_core::sample::{Random, Sampler};

use crate::differential::{Choices, make};

use super::{adm, is_rounded, lines, mutate};

/// Two contracts of a tool, and what the other validator says of both schemas.
pub(super) struct Case {
    old: Contract,
    new: Contract,
    schemas: [Json; 2],
    is_arguments: bool,
}

/// The other validator, for both schemas of a case.
pub(super) struct Judges {
    from: jsonschema::Validator,
    to: jsonschema::Validator,
    is_arguments: bool,
}

impl Case {
    /// A random schema and a changed one: of parameters if that is wanted, of results if not. `None` if one of
    /// them cannot be used.
    pub(super) fn random(bytes: &[u8]) -> Option<Self> {
        let choices = &mut Choices(bytes);
        let mut random = Random::new(bytes.iter().fold(7, |sum: u64, byte| {
            sum.wrapping_mul(31).wrapping_add(u64::from(*byte))
        }));
        if random.chance(20) {
            let (old, new) = adm::pair(&mut random);
            return (old != new).then(|| Self::of_adm(&old, &new))?;
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
        if random.chance(30) {
            mutate::mutate(&mut old, &mut random);
        }
        let mut new = old.clone();
        for _ in 0..=random.below(2) {
            match random.chance(25) {
                true => mutate::name_a_key(&mut new, &mut random),
                false => mutate::mutate(&mut new, &mut random),
            }
        }
        let is_judged =
            old != new && !is_rounded(&old.to_string()) && !is_rounded(&new.to_string());
        is_judged.then(|| Self::new(&old, &new, is_arguments))?
    }

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

    /// Two contracts with parameters of ADM.
    fn of_adm(old: &Json, new: &Json) -> Option<Self> {
        let mut case = Self::new(old, new, true)?;
        case.schemas = [&case.old, &case.new].map(|one| {
            let schema = one.parameters().to_json_schema();
            serde_json::from_str(schema.text()).unwrap()
        });
        Some(case)
    }

    pub(super) fn diff(&self) -> ToolDiff {
        ToolDiff::between(&self.old, &self.new)
    }

    /// The schema of what is possible: old arguments, or new results.
    pub(super) fn from(&self) -> &Json {
        &self.schemas[usize::from(!self.is_arguments)]
    }

    /// The schema that must accept it.
    pub(super) fn to(&self) -> &Json {
        &self.schemas[usize::from(self.is_arguments)]
    }

    /// Makes values that are possible.
    pub(super) fn sampler(&self) -> Sampler {
        match self.is_arguments {
            true => Sampler::of_arguments(&self.old),
            false => Sampler::of_result(&self.new),
        }
    }

    pub(super) fn judges(&self) -> Judges {
        let judge = |schema: &Json| {
            let options = jsonschema::options().should_validate_formats(true);
            options.build(schema).unwrap()
        };
        Judges {
            from: judge(self.from()),
            to: judge(self.to()),
            is_arguments: self.is_arguments,
        }
    }

    /// Both schemas and all changes, for who reads that the test has failed.
    pub(super) fn shown(&self) -> String {
        let [old, new] = &self.schemas;
        let side = if self.is_arguments {
            "arguments"
        } else {
            "results"
        };
        let changes = lines(&self.diff()).join("\n");
        format!("{side}\n{old}\n{new}\n{changes}\n")
    }
}

impl Judges {
    /// Whether a value is asked about, and was accepted, or can be returned now.
    pub(super) fn is_possible(&self, value: &Json) -> bool {
        let is_asked = match self.is_arguments {
            true => value.is_object(),
            false => !is_failure(value),
        };
        is_asked && self.from.is_valid(value)
    }

    /// Whether a value is accepted now, or could be returned before.
    pub(super) fn is_accepted(&self, value: &Json) -> bool {
        self.to.is_valid(value)
    }
}

fn is_failure(value: &Json) -> bool {
    value.get("success") == Some(&Json::Bool(false))
        && value.get("error").is_some_and(Json::is_object)
}
