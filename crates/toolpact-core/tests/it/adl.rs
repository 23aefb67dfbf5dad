use toolpact_core::Violation;
use toolpact_core::adl::{AdlVersion, AgentDocument};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::returns::{ReturnType, Returns, StandardType};

const OLD: &str = include_str!("agents/library_1_0.json");
const NEW: &str = include_str!("agents/library_1_5.json");
/// The same tools in the groups of ADL 2, and beside a workflow of ADL 3.
const SECOND: &str = include_str!("agents/library_2.json");
const THIRD: &str = include_str!("agents/library_3.json");

fn codes(text: &str) -> Vec<(&'static str, String)> {
    let document = Document::json(text.as_bytes(), &Limits::default());
    let checked = AgentDocument::check(&document);
    checked
        .violations
        .iter()
        .map(|v| (v.code(), v.pointer().to_string()))
        .collect()
}

#[test]
fn reads_both_versions() {
    let old = AgentDocument::from_json(OLD).unwrap();
    assert_eq!(old.version(), AdlVersion::V1_0);
    let legacy = |tool: usize| matches!(old.tools()[tool].returns(), Returns::Legacy { .. });
    assert!(legacy(0) && legacy(1));
    assert_eq!(old.tools()[2].returns(), &Returns::Undeclared);

    let new = AgentDocument::from_json(NEW).unwrap();
    assert_eq!(new.version(), AdlVersion::V1_5);
    let Returns::Standard {
        standard,
        refinement,
    } = new.tools()[0].returns()
    else {
        panic!("{:?}", new.tools()[0].returns());
    };
    assert_eq!(*standard, StandardType::ListResult);
    assert!(refinement.is_some());
}

#[test]
fn old_returns_warn_and_nothing_else_is_wrong() {
    let legacy = |tool: usize| ("returns-legacy", format!("/tools/{tool}/returns"));
    let undeclared = |tool: usize| ("adl-returns-undeclared", format!("/tools/{tool}"));
    assert_eq!(codes(OLD), [legacy(0), legacy(1), undeclared(2)]);
    assert_eq!(codes(NEW), [undeclared(2)]);
}

#[test]
fn later_versions_are_read_for_their_tools() {
    let tools = |agent: &AgentDocument| -> Vec<String> {
        agent
            .tools()
            .iter()
            .map(|tool| tool.name().to_owned())
            .collect()
    };
    let expected = tools(&AgentDocument::from_json(NEW).unwrap());
    for (text, version, place, list) in [
        (SECOND, AdlVersion::V2, "/identity", "/capabilities/tools"),
        (THIRD, AdlVersion::V3, "/workflow", "/tools"),
    ] {
        let agent = AgentDocument::from_json(text).unwrap();
        assert_eq!(agent.version(), version);
        assert_eq!(tools(&agent), expected);
        let later = ("adl-later-version", place.to_owned());
        let undeclared = ("adl-returns-undeclared", format!("{list}/2"));
        let mut found = codes(text);
        found.sort_unstable();
        assert_eq!(found, [later, undeclared]);
        let document = Document::json(text.as_bytes(), &Limits::default());
        let import = toolpact_core::dialect::import(&document).unwrap();
        let imported = import
            .tools()
            .iter()
            .map(|tool| tool.contract.name().to_string());
        let imported: Vec<String> = imported.collect();
        assert_eq!(imported, expected);
    }
}

#[test]
fn the_tools_of_later_versions_are_checked() {
    let wrong = THIRD.replacen(
        r#""description": "Searches the catalogue.""#,
        r#""describtion": "x""#,
        1,
    );
    let found = codes(&wrong);
    assert!(
        found.contains(&("value-unknown-key", "/tools/0/describtion".to_owned())),
        "{found:?}"
    );
    let none = r#"{"llm": {}, "identity": {"name": "a"}, "capabilities": {}}"#;
    assert!(codes(none).contains(&("missing-field", String::new())));
    // A field that no version has is an error, as before.
    let misspelt = NEW.replacen(r#""role""#, r#""rôle""#, 1);
    assert!(codes(&misspelt).contains(&("value-unknown-key", "/rôle".to_owned())));
}

#[test]
fn everything_is_written_back() {
    for text in [OLD, NEW, SECOND, THIRD] {
        let agent = AgentDocument::from_json(text).unwrap();
        assert_eq!(agent.to_json(), text.trim_end());
        let source = Value::from_json(text).unwrap();
        assert_eq!(agent.to_canonical(), source.to_canonical());
    }
}

#[test]
fn parameters_become_a_schema() {
    let agent = AgentDocument::from_json(NEW).unwrap();
    let checker = agent.tools()[0].parameters().checker();
    let check = |json: &str| checker.check(&Value::from_json(json).unwrap());
    assert!(check(r#"{"query": "sea", "order": "title", "filter": {"language": "no"}}"#).is_ok());
    let wrong = [
        (r#"{"order": "title"}"#, "value-missing-key"),
        (r#"{"query": "s"}"#, "value-size"),
        (r#"{"query": "sea", "order": "oldest"}"#, "value-enum"),
        (r#"{"query": "sea", "filter": {}}"#, "value-missing-key"),
        (
            r#"{"query": "sea", "filter": {"language": "no", "x": 1}}"#,
            "value-unknown-key",
        ),
        (r#"{"query": "sea", "limit": 51}"#, "value-range"),
        (r#"{"query": "sea", "colour": "red"}"#, "value-unknown-key"),
    ];
    for (json, code) in wrong {
        let violations = check(json).unwrap_err();
        let found: Vec<_> = violations.iter().map(Violation::code).collect();
        assert_eq!(found, [code], "{json}");
    }
}

#[test]
fn mistakes_have_their_places() {
    let cases = [
        (
            NEW.replace("\"role\": \"Librarian\",", ""),
            "value-missing-key",
            "",
        ),
        (
            NEW.replace("\"owner\"", "\"x\"")
                .replace("\"role\"", "\"rôle\""),
            "value-missing-key",
            "",
        ),
        (
            NEW.replace("\"newest\"\n", "\"oldest\"\n"),
            "value-enum",
            "/tools/0/parameters/1/default",
        ),
        (
            NEW.replace("\"name\": \"order\"", "\"name\": \"query\""),
            "adl-duplicate-parameter",
            "/tools/0/parameters/1/name",
        ),
        (
            NEW.replace("\"name\": \"note\"", "\"name\": \"count_loans\""),
            "adl-duplicate-tool",
            "/tools/2/name",
        ),
        (
            NEW.replace("\"examples\": [3]", "\"examples\": [3, \"four\"]"),
            "value-alternatives",
            "/tools/1/returns/examples/1",
        ),
        (
            NEW.replace("\"isbn\": \"978", "\"issn\": \"978"),
            "value-missing-key",
            "/tools/0/returns/examples/0/data/0",
        ),
        (
            NEW.replace("\"total_pages\": 1", "\"total_pages\": 7"),
            "returns-page-count",
            "/tools/0/returns/examples/0/pagination/total_pages",
        ),
        (
            NEW.replace("\"type\": \"NumberValue\"", "\"type\": \"StringValue\""),
            "returns-contradiction",
            "/tools/1/returns/type",
        ),
        (
            NEW.replace("returns/NumberValue", "returns/Nothing"),
            "returns-reference",
            "/tools/1/returns/schema",
        ),
    ];
    for (text, code, pointer) in cases {
        let found = codes(&text);
        assert!(
            found.contains(&(code, pointer.to_owned())),
            "{code} {pointer}: {found:?}"
        );
    }
}

/// A parameter becomes a part of a larger schema, where `#` is another place.
#[test]
fn parameters_do_not_refer_to_themselves() {
    let text = NEW.replace(
        r#""language": { "type": "string" }"#,
        r##""language": { "$ref": "#" }"##,
    );
    let found = codes(&text);
    let expected = ("adl-parameter-schema", "/tools/0/parameters/2".to_owned());
    assert_eq!(found[0], expected);
}

/// ADL 8.1: a standard type, or at least a flag that says whether it worked.
#[test]
fn a_schema_of_ones_own_should_say_whether_it_worked() {
    let advice = |schema: &str| {
        let text = format!(r#"{{"type": "Custom", "schema": {schema}, "examples": []}}"#);
        let document = Document::json(text.as_bytes(), &Limits::default());
        let violations = ReturnType::check(&document).violations;
        let found = violations
            .iter()
            .find(|v| v.code() == "returns-prefer-standard");
        found.unwrap().suggestion().unwrap().text.clone()
    };
    let without = r#"{"type": "object", "properties": {"rows": {"type": "integer"}}}"#;
    assert!(advice(without).contains("give the object a boolean `success`"));
    let with = without.replace("rows", "success");
    assert!(!advice(&with).contains("`success`"));
}

#[test]
fn the_spellings_of_a_reference_mean_the_same() {
    let spellings = [
        r##"{"$ref": "#/$defs/StandardReturnTypes/VoidResult"}"##,
        r##"{"$ref": "#/$defs/StandardReturnTypes/properties/VoidResult"}"##,
        r##"{"$ref": "#/$defs/VoidResultSchema"}"##,
        r#"{"$ref": "https://adl.io/schemas/returns/VoidResult"}"#,
        r#"{"$ref": "VoidResult"}"#,
        r#""https://adl.io/schemas/returns/VoidResult""#,
        r#""VoidResult""#,
    ];
    for schema in spellings {
        let text = format!(r#"{{"type": "VoidResult", "schema": {schema}, "examples": []}}"#);
        let returns = toolpact_core::returns::ReturnType::from_json(&text).unwrap();
        let expected = Returns::Standard {
            standard: StandardType::VoidResult,
            refinement: None,
        };
        assert_eq!(returns.returns(), &expected, "{schema}");
    }
}
