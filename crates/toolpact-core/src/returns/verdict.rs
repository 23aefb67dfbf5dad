//! Whether a result satisfies its contract, on the fast path.

use std::sync::OnceLock;

use serde::Serialize;

use super::meaning::supplement;
use super::standard::COUNT;
use super::{Level, StandardType};
use crate::check::{Program, Scratch, Source, Stop, Uncovered, compile, verdict, with_scratch};
use crate::json::Value;
use crate::schema::JsonSchema;

/// The parts of a contract, compiled when first needed.
#[derive(Debug)]
pub(super) struct Verdicts {
    level: Level,
    standard: Option<StandardType>,
    /// Whether the standard type is not part of `custom`.
    alone: bool,
    custom: Option<JsonSchema>,
    program: OnceLock<Result<Program, Uncovered>>,
}

impl Verdicts {
    pub(super) fn new(
        level: Level,
        standard: Option<StandardType>,
        alone: bool,
        custom: Option<JsonSchema>,
    ) -> Self {
        Self {
            level,
            standard,
            alone,
            custom,
            program: OnceLock::new(),
        }
    }

    /// The verdict of the fast path; `None` if the explain path has to decide.
    pub(super) fn of(&self, json: &[u8]) -> Option<bool> {
        let program = self.program().as_ref().ok()?;
        with_scratch(|scratch| {
            let result = run(program, self.observed(), json, scratch);
            match (result, self.level) {
                (Ok(()), _) => Some(true),
                (Err(Stop::Malformed), _) | (Err(Stop::Mismatch), Level::Shape) => Some(false),
                // Failures have their own form.
                (Err(Stop::Mismatch), Level::Meaning) => self.is_failure(json, scratch),
                (Err(Stop::Unsure), _) => None,
            }
        })
    }

    /// The text of a value that satisfies the contract, checked while it is written; `None` if it
    /// does not, or if the explain path has to decide.
    pub(super) fn written<T: Serialize + ?Sized>(&self, value: &T) -> Option<Vec<u8>> {
        self.written_by(|program, scratch| program.write(value, scratch))
    }

    /// The same with the index of the text.
    pub(super) fn written_value<T: Serialize + ?Sized>(&self, value: &T) -> Option<Value> {
        self.written_by(|program, scratch| program.write_value(value, scratch))
    }

    fn written_by<J>(
        &self,
        write: impl FnOnce(&Program, &mut Scratch) -> Result<J, Stop>,
    ) -> Option<J> {
        let program = self.program().as_ref().ok()?;
        with_scratch(|scratch| {
            scratch.observed_mut().clear();
            let json = write(program, scratch).ok()?;
            let holds = self
                .observed()
                .map_or(Some(true), |standard| scratch.observed().verdict(standard));
            holds?.then_some(json)
        })
    }

    pub(super) fn program(&self) -> &Result<Program, Uncovered> {
        match (self.standard, &self.custom) {
            (Some(standard), None) => of_standard(standard, self.level),
            _ => self.program.get_or_init(|| {
                let standard = self.standard.filter(|_| self.alone);
                let meaning = self.level == Level::Meaning;
                let custom = self.custom.as_ref().map(JsonSchema::to_bundle);
                let custom = custom.as_ref().map(|bundle| (bundle, meaning));
                compile_all(standard, self.observed(), custom)
            }),
        }
    }

    /// The type whose rules of meaning apply.
    fn observed(&self) -> Option<StandardType> {
        self.standard.filter(|_| self.level == Level::Meaning)
    }

    fn is_failure(&self, json: &[u8], scratch: &mut Scratch) -> Option<bool> {
        let envelope = self
            .standard
            .filter(|standard| standard.has_error_envelope());
        verdict(&run(failure(envelope)?, envelope, json, scratch))
    }
}

fn run(
    program: &Program,
    observed: Option<StandardType>,
    json: &[u8],
    scratch: &mut Scratch,
) -> Result<(), Stop> {
    scratch.observed_mut().clear();
    program.run(json, scratch)?;
    match observed.map_or(Some(true), |standard| scratch.observed().verdict(standard)) {
        Some(true) => Ok(()),
        Some(false) => Err(Stop::Mismatch),
        None => Err(Stop::Unsure),
    }
}

/// A standard type that is not narrowed, which many tools share.
fn of_standard(standard: StandardType, level: Level) -> &'static Result<Program, Uncovered> {
    type Row = [OnceLock<Result<Program, Uncovered>>; 2];
    static PROGRAMS: [Row; COUNT] = [const { [const { OnceLock::new() }; 2] }; COUNT];
    PROGRAMS[standard as usize][level as usize].get_or_init(|| {
        let observed = Some(standard).filter(|_| level == Level::Meaning);
        compile_all(Some(standard), observed, None)
    })
}

/// The schema of a standard type, in which formats are annotations.
fn schema(standard: StandardType) -> (&'static Value, bool) {
    static SCHEMAS: [OnceLock<Value>; COUNT] = [const { OnceLock::new() }; COUNT];
    let embedded = || Value::embedded(standard.schema_text());
    (SCHEMAS[standard as usize].get_or_init(embedded), false)
}

/// A result that declares itself a failure, in the envelope of a type if it has one.
fn failure(envelope: Option<StandardType>) -> Option<&'static Program> {
    const SCHEMA: &str = r#"{
        "type": "object",
        "properties": {"success": {"const": false}, "error": {"type": "object"}},
        "required": ["success", "error"]
    }"#;
    static PROGRAMS: [OnceLock<Option<Program>>; COUNT] = [const { OnceLock::new() }; COUNT];
    static ANY: OnceLock<Option<Program>> = OnceLock::new();
    let program = envelope.map_or(&ANY, |standard| &PROGRAMS[standard as usize]);
    let program = program.get_or_init(|| {
        let failure = Value::embedded(SCHEMA);
        compile_all(envelope, envelope, Some((&failure, false))).ok()
    });
    program.as_ref()
}

/// A standard type, its rules about single values, and a schema with whether formats are asserted
/// in it.
fn compile_all(
    standard: Option<StandardType>,
    observed: Option<StandardType>,
    other: Option<(&Value, bool)>,
) -> Result<Program, Uncovered> {
    let supplement = observed.and_then(|standard| supplement(standard.value_rules()));
    let supplement = supplement.map(|schema| Value::embedded(&schema.to_string()));
    let supplement = supplement.as_ref().map(|schema| (schema, true));
    let all = [standard.map(schema), supplement, other];
    let sources = all.into_iter().flatten().map(|(schema, formats)| Source {
        schema: schema.root(),
        formats,
    });
    compile(&sources.collect::<Vec<_>>(), observed)
}

#[cfg(test)]
mod tests {
    use super::Verdicts;
    use crate::Severity;
    use crate::returns::{Level, StandardType};
    use crate::violation::{Example, Subject, rules};

    /// The verdict of the fast path alone on an example of a rule.
    fn fast_verdict(example: &Example) -> Option<bool> {
        let Subject::ReturnValue(name) = example.subject else {
            panic!("{example:?} is no return value");
        };
        let standard = StandardType::from_name(name).expect("a standard type");
        Verdicts::new(Level::Meaning, Some(standard), true, None).of(example.text)
    }

    /// Base64 is decoded by the explain path only.
    fn has_content(example: &Example) -> bool {
        std::str::from_utf8(example.text).is_ok_and(|text| text.contains(r#""data": ""#))
    }

    #[test]
    fn the_fast_path_knows_every_rule_of_meaning() {
        let rules = rules::FAMILIES
            .iter()
            .find(|family| family.title == "Meaning of return types");
        for rule in rules.expect("the family of meaning").rules {
            let unless_content = |example, verdict| (!has_content(example)).then_some(verdict);
            let is_warning = rule.severity == Severity::Warning;
            let wrong = unless_content(&rule.wrong, is_warning);
            assert_eq!(fast_verdict(&rule.wrong), wrong, "{}, wrong", rule.code);
            let right = unless_content(&rule.right, true);
            assert_eq!(fast_verdict(&rule.right), right, "{}, right", rule.code);
        }
    }
}
