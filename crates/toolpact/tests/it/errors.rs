//! What goes wrong outside of calls: its kind, its tool, its cause.

use std::error::Error as _;

use toolpact::core::Violations;
use toolpact::error::ErrorKind;
use toolpact::returns::StringValue;
use toolpact::typed::ToolSpec;
use toolpact::{Context, Definition, Error, Registry, Tool, ToolError, tool, tool_fn};

use crate::support::contract;

/// Greets someone.
#[tool(read_only)]
async fn greet(name: String) -> StringValue {
    StringValue::success(name)
}

fn named(name: &'static str) -> impl Tool {
    tool_fn(
        ToolSpec::new(name, "Greets."),
        |input: greet, _: Context| std::future::ready(Ok(StringValue::success(input.name))),
    )
}

fn refused(error: Result<(), Error>) -> Error {
    error.unwrap_err()
}

#[test]
fn a_contract_that_breaks_rules_is_the_cause() {
    let error = refused(Registry::new().add(named("two words")));
    assert_eq!(error.kind(), ErrorKind::InvalidDefinition);
    assert_eq!(error.code(), "invalid-definition");
    assert_eq!(error.tool(), Some("two words"));
    let cause = error.source().unwrap().downcast_ref::<Violations>();
    assert_eq!(
        cause.map(Violations::to_string),
        error.violations().map(Violations::to_string)
    );
    assert!(error.to_string().ends_with(&cause.unwrap().to_string()));
}

#[test]
fn an_example_that_cannot_be_written_is_the_cause() {
    let odd = std::collections::BTreeMap::from([(vec![1], 1)]);
    let spec = ToolSpec::new("greet", "Greets.").example(&odd);
    let tool = tool_fn(spec, async |input: greet, _: Context| {
        Ok::<_, ToolError>(StringValue::success(input.name))
    });
    let error = refused(Registry::new().add(tool));
    assert_eq!(error.kind(), ErrorKind::InvalidDefinition);
    assert!(
        error.source().unwrap().is::<serde_json::Error>(),
        "{error:?}"
    );
}

#[test]
fn names_that_are_taken_and_tools_that_are_not_there() {
    let registry = Registry::new();
    registry.add(greet::tool()).unwrap();
    let taken = refused(registry.add(greet::tool()));
    assert_eq!(
        (taken.kind(), taken.code()),
        (ErrorKind::NameTaken, "name-taken")
    );
    let unknown = refused(registry.remove("gret"));
    assert_eq!(
        (unknown.kind(), unknown.tool()),
        (ErrorKind::UnknownTool, Some("gret"))
    );
    assert!(taken.source().is_none() && unknown.violations().is_none());
}

#[test]
fn a_contract_without_a_body() {
    let error = Definition::run(contract("quiet", r#""returns": "opaque""#)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidDefinition);
    assert_eq!(error.tool(), Some("quiet"));
}

#[tokio::test]
async fn a_worker_that_does_not_start_has_its_cause() {
    use toolpact::code::{RunOptions, Sandbox, ScriptTools};
    let session = Registry::new().session().open().unwrap();
    let sandbox = Sandbox::at("/nowhere/toolpact-code");
    let report = sandbox
        .run("1", &ScriptTools::of(&session), &RunOptions::default())
        .await;
    let error = report.value().unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::NoWorker, "no-worker")
    );
    assert!(error.source().unwrap().is::<std::io::Error>(), "{error:?}");
    assert!(!error.is_script_fault());
}
