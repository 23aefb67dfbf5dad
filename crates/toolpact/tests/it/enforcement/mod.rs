//! Every kind of promise, kept and broken, in every mode of enforcement.

mod levels;
mod precedence;
mod rows;
mod unbound;

use toolpact::core::Violation;
use toolpact::core::contract::Contract;
use toolpact::core::json::{Node, Value};
use toolpact::core::returns::{ErrorKind, Level, StandardType};
use toolpact::{Completed, Registry, call::Enforcement, registry::RegisteredTool};

use crate::support::{call, contract, returning, value};
use crate::world::Place as _;
use rows::{GOOD, ROWS, Row, SECRET};

const MODES: [Enforcement; 3] = [Enforcement::Enforce, Enforcement::Warn, Enforcement::Off];

/// What came of the only call of a tool that returns this.
async fn made(
    contract: Contract,
    result: &str,
    mode: Enforcement,
) -> (Completed, std::sync::Arc<RegisteredTool>) {
    let registry = Registry::builder().enforcement(mode).build();
    let name = contract.name().to_string();
    registry.place(returning(contract, result)).unwrap();
    let session = registry.session().open().unwrap();
    let completed = session.call(call(&name)).await;
    let entry = registry.get(&name).unwrap();
    (completed, entry)
}

#[test]
fn there_is_a_row_for_every_type() {
    let rows = ROWS.iter().map(|row| row.returns.trim_matches('"'));
    let rows: Vec<&str> = rows.filter(|name| !name.starts_with('{')).collect();
    let all: Vec<&str> = StandardType::all().map(StandardType::name).collect();
    assert_eq!(rows, all);
    assert_eq!(ROWS.len(), all.len() + 1); // and one for a custom schema
}

#[tokio::test]
async fn results_that_keep_the_contract_pass() {
    for row in ROWS {
        for example in row.good() {
            for mode in MODES {
                let (completed, entry) = made(row.contract(), &example, mode).await;
                passes(&completed, &example);
                assert!(completed.violations().is_empty(), "{example}");
                assert_eq!(entry.metrics().warnings(), 0);
            }
        }
    }
}

#[tokio::test]
async fn enforced_results_that_break_the_contract_are_withheld() {
    for row in ROWS {
        for (result, rule) in row.broken() {
            let (completed, entry) = made(row.contract(), result, Enforcement::Enforce).await;
            refused(&completed, rule, result);
            let failures: Vec<_> = entry.metrics().failures().collect();
            assert_eq!(failures, [(ErrorKind::ContractViolation, 1)]);
            assert_eq!(entry.metrics().warnings(), 0);
        }
    }
}

#[tokio::test]
async fn warned_of_results_pass_and_are_recorded() {
    for row in ROWS {
        for (result, rule) in row.broken() {
            let (completed, entry) = made(row.contract(), result, Enforcement::Warn).await;
            passes(&completed, result);
            let found: Vec<&str> = completed.violations().iter().map(Violation::code).collect();
            assert_eq!(found, [rule], "{result}");
            assert_eq!(entry.metrics().successes(), 1);
            assert_eq!(entry.metrics().warnings(), 1);
        }
    }
}

#[tokio::test]
async fn nobody_looks_at_results_where_enforcement_is_off() {
    for row in ROWS {
        for (result, _) in row.broken() {
            let (completed, entry) = made(row.contract(), result, Enforcement::Off).await;
            passes(&completed, result);
            assert!(completed.violations().is_empty());
            assert_eq!(entry.metrics().successes(), 1);
            assert_eq!(entry.metrics().warnings(), 0);
        }
    }
}

#[tokio::test]
async fn keys_of_a_result_are_part_of_it() {
    let schema = r#"{"type": "object", "properties": {"users": {
        "type": "object", "additionalProperties": {"type": "string"}}}, "additionalProperties": false}"#;
    let contract = contract("tool_under_test", &format!(r#""returns": {schema}"#));
    let result = r#"{"users": {"s3cr3t@example.com": 5}, "s3cr3t": 1}"#;
    let (completed, _) = made(contract, result, Enforcement::Enforce).await;
    let broken = completed
        .error()
        .unwrap()
        .as_standard()
        .detail("broken")
        .unwrap()
        .clone();
    assert_eq!(
        broken.text(),
        r#""value-type at /users/*; value-unknown-key at /*""#
    );
    assert!(!completed.text().contains(SECRET));
    // Who tests or operates the tool sees where it is.
    toolpact::testing::assert_violation(&completed, "value-type", "/users/s3cr3t@example.com");
}

fn passes(completed: &Completed, result: &str) {
    let found = completed.error().map(|error| format!("{error:?}"));
    assert_eq!(found, None, "{result}");
    assert_eq!(completed.to_value(), Some(value(result)));
}

/// The error says which tool broke which rule, and nothing of what it returned: not in any view.
fn refused(completed: &Completed, rule: &str, result: &str) {
    let error = completed
        .error()
        .unwrap_or_else(|| panic!("{result} passed"));
    assert_eq!(error.code(), "INTERNAL_CONTRACT", "{result}");
    assert_eq!(
        error.as_standard().error_type().as_str(),
        "CONTRACT_VIOLATION"
    );
    assert!(error.message().contains("`tool_under_test`"), "{error}");
    let broken = error.as_standard().detail("broken").unwrap();
    assert!(broken.text().contains(rule), "{result}: {broken}");
    let found: Vec<&str> = completed.violations().iter().map(Violation::code).collect();
    assert_eq!(found, [rule], "{result}");
    assert_eq!(completed.to_json(), None);
    let views = [
        error.to_string(),
        completed.text(),
        completed.to_adl().to_string(),
        completed.to_record().to_string(),
        completed.to_adm().unwrap().to_json(),
    ];
    for view in views {
        assert!(view.contains("tool_under_test"), "{view}");
        assert!(!view.contains(SECRET), "{view}");
    }
}

impl Row {
    fn contract(&self) -> Contract {
        contract(
            "tool_under_test",
            &format!(r#""returns": {}"#, self.returns),
        )
    }

    /// The examples of the specification that mean something, and some of our own.
    fn good(&self) -> Vec<String> {
        let Some(standard) = StandardType::from_name(self.returns.trim_matches('"')) else {
            return vec![r#"{"mail": "ada@example.com"}"#.to_owned()];
        };
        let enforcer = self.contract().returns().enforcer(Level::Meaning);
        let examples = standard.examples().into_iter();
        let examples = examples.filter(|e| enforcer.check(e).is_ok() && !is_failure(e));
        let ours = GOOD.iter().filter(|(name, _)| *name == standard.name());
        let ours = ours.map(|(_, result)| (*result).to_owned());
        let good: Vec<String> = examples.map(|e| e.to_string()).chain(ours).collect();
        assert!(!good.is_empty(), "{standard}");
        good
    }

    /// What breaks the shape and what breaks the meaning, with the rule.
    fn broken(&self) -> [(&'static str, &'static str); 2] {
        [self.shape, self.meaning]
    }
}

/// A failure is an arm of its own.
fn is_failure(example: &Value) -> bool {
    let success = example.root().get("success").and_then(Node::as_bool);
    success == Some(false)
}
