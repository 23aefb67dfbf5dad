use std::collections::HashMap;

use toolpact_core::adl::{AgentDocument, Migration, migrate};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::returns::{ReturnType, Returns, StandardType};

const OLD: &str = include_str!("agents/library_1_0.json");

/// The two documents of section 7.1 of the specification.
const BEFORE: &str = r#"{
  "tools": [{
    "name": "get_user",
    "returns": {
      "type": "object",
      "description": "Returns user data"
    }
  }]
}"#;

const AFTER: &str = r##"{
  "tools": [{
    "name": "get_user",
    "returns": {
      "type": "EntityResult",
      "schema": {
        "$ref": "#/$defs/StandardReturnTypes/EntityResult"
      },
      "description": "Returns user entity with relationships",
      "examples": [{
        "id": "usr_123",
        "type": "user",
        "attributes": {
          "name": "John Doe",
          "email": "john@example.com"
        }
      }]
    }
  }]
}"##;

fn run(text: &str, decided: &[(&str, StandardType)]) -> Migration {
    let decided: HashMap<String, StandardType> = decided
        .iter()
        .map(|(tool, standard)| ((*tool).to_owned(), *standard))
        .collect();
    migrate(
        &Document::json(text.as_bytes(), &Limits::default()),
        &decided,
    )
    .unwrap()
}

fn returns(text: &str, tool: usize) -> ReturnType {
    let value = Value::from_json(text).unwrap();
    let tool = value
        .root()
        .get("tools")
        .unwrap()
        .items()
        .nth(tool)
        .unwrap();
    ReturnType::from_value(&tool.get("returns").unwrap().to_value()).unwrap()
}

#[test]
fn the_example_of_the_specification() {
    let migration = run(BEFORE, &[]);
    let (new, after) = (returns(&migration.text, 0), returns(AFTER, 0));
    assert_eq!(new.returns(), after.returns());
    assert_eq!(new.description(), Some("Returns user data"));
    assert_eq!(new.examples().len(), 1);
    insta::assert_snapshot!(migration.text, @r##"
    {
      "tools": [{
        "name": "get_user",
        "returns": {
          "type": "EntityResult",
          "schema": {
            "$ref": "#/$defs/StandardReturnTypes/EntityResult"
          },
          "description": "Returns user data",
          "examples": [
            {
              "id": "user_123",
              "type": "user",
              "attributes": {}
            }
          ]
        }
      }]
    }
    "##);
}

#[test]
fn everything_else_stays_and_a_second_run_changes_nothing() {
    let migration = run(OLD, &[]);
    assert_eq!(migration.changes.len(), 2);
    assert!(migration.undecided.is_empty());
    let agent = AgentDocument::from_json(&migration.text).unwrap();
    let standard = |tool: usize| match agent.tools()[tool].returns() {
        Returns::Standard { standard, .. } => *standard,
        other => panic!("{other:?}"),
    };
    assert_eq!(standard(0), StandardType::EntityResult);
    assert_eq!(standard(1), StandardType::ListResult);
    assert_eq!(agent.tools()[2].returns(), &Returns::Undeclared);
    assert_eq!(run(&migration.text, &[]).text, migration.text);
    // Taking the new returns out again leaves what is left of the old document without them.
    assert_eq!(without_returns(&migration.text), without_returns(OLD));
}

/// The lines of a document that are not inside of `returns`.
fn without_returns(text: &str) -> String {
    let value = Value::from_json(text).unwrap();
    let mut out = text.to_owned();
    let tools: Vec<_> = value.root().get("tools").unwrap().items().collect();
    for tool in tools {
        if let Some(returns) = tool.get("returns") {
            out = out.replacen(returns.text(), "…", 1);
        }
    }
    out
}

#[test]
fn what_is_uncertain_is_left_and_can_be_decided() {
    let text = r#"{"tools":[{"name":"process","description":"Processes it.","returns":{"type":"object","description":"The outcome"}}]}"#;
    let migration = run(text, &[]);
    assert_eq!(migration.text, text);
    assert_eq!(migration.undecided[0].tool, "process");
    assert!(!migration.undecided[0].candidates.is_empty());
    let migration = run(text, &[("process", StandardType::VoidResult)]);
    assert!(migration.undecided.is_empty());
    insta::assert_snapshot!(migration.text, @r##"{"tools":[{"name":"process","description":"Processes it.","returns":{"type":"VoidResult","schema":{"$ref":"#/$defs/StandardReturnTypes/VoidResult"},"description":"The outcome","examples":[{"success":true,"message":"Operation completed successfully"}]}}]}"##);
}

#[test]
fn nothing_is_lost_that_has_no_place() {
    let text = r#"{"tools": [{"name": "get_user", "returns": {"type": "object", "properties": {"id": {}}}}]}"#;
    let migration = run(text, &[("get_user", StandardType::EntityResult)]);
    assert_eq!(migration.text, text);
    assert!(migration.undecided[0].reason.contains("`properties`"));
}

#[test]
fn what_would_not_be_valid_is_left() {
    let text =
        r#"{"tools": [{"name": "get_user", "returns": {"type": "object", "description": 5}}]}"#;
    let migration = run(text, &[]);
    assert_eq!(migration.text, text);
    assert!(
        migration.undecided[0]
            .reason
            .contains("`description` to be a string")
    );
}

#[test]
fn almost_new_forms_become_canonical() {
    let text = r##"{"tools": [
  {"name": "a", "returns": {"type": "object", "schema": {"$ref": "#/$defs/VoidResultSchema"}, "examples": []}},
  {"name": "b", "returns": {"type": "VoidResult", "examples": []}},
  {"name": "c", "returns": {"type": "Stream", "schema": "EventStream", "examples": []}}
]}"##;
    let migration = run(text, &[]);
    insta::assert_snapshot!(migration.text, @r##"
    {"tools": [
      {"name": "a", "returns": {"type": "VoidResult", "schema": {"$ref": "#/$defs/VoidResultSchema"}, "examples": []}},
      {"name": "b", "returns": {"type": "VoidResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/VoidResult"}, "examples": []}},
      {"name": "c", "returns": {"type": "EventStream", "schema": "EventStream", "examples": []}}
    ]}
    "##);
    assert_eq!(run(&migration.text, &[]).text, migration.text);
}

#[test]
fn the_style_of_the_file_is_kept() {
    let tabs = BEFORE.replace("  ", "\t").replace('\n', "\r\n");
    let migration = run(&tabs, &[]);
    assert!(migration.text.lines().all(|line| !line.starts_with(' ')));
    assert_eq!(
        migration.text.matches('\n').count(),
        migration.text.matches("\r\n").count()
    );
}
