//! What each field may say.

use std::time::Duration;

use crate::contract::{Contract, ContractDocument, Parameters, Run};
use crate::json::{Document, Limits};
use crate::violation::{Subject, rules};

use super::{check_yaml, codes, contract, tool};

/// Fields of a tool, and the codes of what is wrong with them.
pub(super) const CASES: &[(&str, &[&str])] = &[
    ("name: 5", &["wrong-type"]),
    ("name: 2fast", &["name-pattern"]),
    ("description: ''", &["description-empty"]),
    ("parameters: true", &["wrong-type"]),
    ("parameters: null", &["wrong-type"]),
    ("parameters: {}", &[]),
    ("parameters: { type: [object, 'null'] }", &[]),
    (
        "parameters: { type: [array, 'null'] }",
        &["parameters-not-object"],
    ),
    ("parameters: { const: 5 }", &["parameters-not-object"]),
    ("parameters: { enum: [{}, 5] }", &[]),
    ("parameters: { type: STRING }", &["parameters-not-object"]),
    ("parameters: { type: STRNG }", &["schema-type-unknown"]),
    ("parameters: { type: text }", &["json-schema-invalid"]),
    (
        "parameters: { type: OBJECT, minProperties: 1 }",
        &["unknown-field"],
    ),
    (
        "parameters: { properties: { a: { type: STRING } } }",
        &["missing-field"],
    ),
    ("parameters: { properties: { a: { type: string } } }", &[]),
    (
        "parameters: { $ref: 'https://example.com/a.json' }",
        &["json-schema-reference"],
    ),
    ("text: 5", &["wrong-type"]),
    ("text: null", &["null-field"]),
    ("text: ' '", &["contract-text"]),
    ("text: no tags at all", &[]),
    ("text: '{% include \"other\" %}'", &["contract-text"]),
    ("text: '{% raw %}{{{% endraw %}'", &["contract-text"]),
    ("effects: []", &["wrong-type"]),
    ("effects: {}", &[]),
    ("effects: { read_only: 1 }", &["wrong-type"]),
    ("effects: { readOnlyHint: true }", &["unknown-field"]),
    ("effects: { read_only: null }", &["null-field"]),
    ("effects: { read_only: true, destructive: false }", &[]),
    ("timeout_ms: 5e3", &[]),
    ("timeout_ms: 86400000", &[]),
    ("timeout_ms: 86400001", &["contract-timeout"]),
    ("timeout_ms: 1e300", &["contract-timeout"]),
    ("timeout_ms: -1", &["contract-timeout"]),
    ("timeout_ms: '5000'", &["contract-timeout"]),
    ("timeout: 5", &["unknown-field"]),
    ("run: ./ping", &["wrong-type"]),
    ("run: { command: ./ping }", &["wrong-type"]),
    ("run: { command: null }", &["null-field"]),
    ("run: { command: [' '] }", &["contract-command"]),
    ("run: { command: [ping, 5] }", &["contract-command"]),
    ("run: { command: [5] }", &["contract-command"]),
    (r#"run: { command: [ping, "a\0b"] }"#, &["contract-command"]),
    ("run: { command: [ping, ''] }", &[]),
    ("run: { env: [A] }", &["contract-run"]),
    (
        "run: { command: [ping], env: [A, _b, A] }",
        &["contract-env"],
    ),
    (
        "run: { command: [ping], env: [1A, '', 5] }",
        &["contract-env", "contract-env", "contract-env"],
    ),
    ("run: { command: [ping], shell: true }", &["unknown-field"]),
];

#[test]
fn every_case_breaks_what_it_says() {
    for (fields, expected) in CASES {
        let checked = check_yaml(&tool(fields));
        assert_eq!(
            codes(&checked),
            *expected,
            "{fields}\n{}",
            checked.violations
        );
    }
}

#[test]
fn every_wrong_example_breaks_exactly_its_rule_and_every_right_one_none() {
    let mut seen = 0;
    for rule in rules::all().filter(|rule| rule.wrong.subject == Subject::Contract) {
        let check = |text| ContractDocument::check(&Document::json(text, &Limits::default()));
        assert_eq!(codes(&check(rule.wrong.text)), [rule.code]);
        assert!(
            check(rule.right.text).violations.is_empty(),
            "{}",
            rule.code
        );
        assert!(rule.code.starts_with("contract-"));
        seen += 1;
    }
    assert_eq!(seen, 13);
}

#[test]
fn all_violations_come_at_once_in_document_order() {
    let text = "tools:\n\
        - effects: { read_only: true, destructive: true }\n  \
          timeout_ms: 0\n  \
          text: '{{'\n  \
          name: a b\n\
        - 5\n\
        - { name: a b, nmae: x }\n\
        toolpact: 1\n";
    let checked = check_yaml(text);
    let expected = [
        "missing-field",
        "missing-field",
        "contract-returns-undeclared",
        "contract-effects",
        "contract-timeout",
        "contract-text",
        "name-pattern",
        "wrong-type",
        "missing-field",
        "missing-field",
        "contract-returns-undeclared",
        "name-pattern",
        "contract-duplicate-name",
        "unknown-field",
    ];
    let mut found = codes(&checked);
    // Findings at one place may come in any order.
    for same_place in [0..3, 8..11, 11..13] {
        found[same_place].sort_unstable();
    }
    let mut expected = expected.to_vec();
    for same_place in [0..3, 8..11, 11..13] {
        expected[same_place].sort_unstable();
    }
    assert_eq!(found, expected, "{}", checked.violations);
}

#[test]
fn messages_say_what_was_expected_and_found() {
    let cases = [
        (
            "toolpact: '1'\ntools: []".to_owned(),
            "1:11: error[contract-version] at /toolpact: expected `toolpact` to be the number 1, \
             the version of the document, found the string \"1\"; write 1",
        ),
        (
            tool("text: \"one\\n{{ two }\\n\""),
            "3:11: error[contract-text] at /tools/0/text: expected `text` to be a template, found a \
             mistake in its line 2: unexpected `}`, expected end of variable block",
        ),
        (
            tool("text: '{% foo %}'"),
            "3:11: error[contract-text] at /tools/0/text: expected `text` to be a template, found a \
             mistake in its line 1: unknown statement foo",
        ),
        (
            tool("run: date -u"),
            "3:10: error[wrong-type] at /tools/0/run: expected `run` to be an object, found the string \
             \"date -u\"; write {\"command\": [\"date\", \"-u\"]}",
        ),
        (
            tool("run: [date]"),
            "3:10: error[wrong-type] at /tools/0/run: expected `run` to be an object, found an array; \
             write {\"command\": […]}",
        ),
        (
            tool("run: { command: sh -c 'a b' }"),
            "3:21: error[wrong-type] at /tools/0/run/command: expected `command` to be an array, found \
             the string \"sh -c 'a b'\"; write [\"program\", \"argument\"]",
        ),
        (
            tool("timeout_ms: 0"),
            "3:17: error[contract-timeout] at /tools/0/timeout_ms: expected `timeout_ms` to be a \
             whole number from 1 to 86400000, which is a day, found the number 0",
        ),
        (
            tool("run: { http: x }"),
            "3:12: error[unknown-field] at /tools/0/run/http: expected only `command` and `env` in \
             the way to run a tool, found `http`; run a `command`: version 1 knows no other way",
        ),
        (
            tool("run: { command: [], env: [A=b] }"),
            "3:21: error[contract-command] at /tools/0/run/command: expected `command` to have a \
             program, found nothing\n\
             3:31: error[contract-env] at /tools/0/run/env/0: expected `env` to have names of \
             environment variables, each once, found the string \"A=b\"; write the name only: \
             values come from the environment",
        ),
        (
            tool("returns: 'https://adl.io/schemas/returns/ListResult'"),
            "3:14: error[returns-type-unknown] at /tools/0/returns: expected the name of a standard \
             return type, found a reference to one; write `ListResult`",
        ),
        (
            tool("returns: Opaque"),
            "3:14: error[returns-type-unknown] at /tools/0/returns: expected the name of a standard \
             return type, a return type object, a JSON Schema or `opaque`, found the string \
             \"Opaque\"; did you mean `opaque`?",
        ),
        (
            tool("parameters: { enum: [5] }"),
            "3:25: warning[parameters-not-object] at /tools/0/parameters/enum: expected the \
             parameters to be an object, but `enum` excludes objects: no call could satisfy them",
        ),
        (
            tool("effects: { readOnlyHint: true }"),
            "3:16: error[unknown-field] at /tools/0/effects/readOnlyHint: expected only \
             `read_only`, `destructive`, `idempotent`, `open_world`, `durable` and `idempotency_key` \
             in the effects of a tool, found `readOnlyHint`; write `read_only`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(check_yaml(&text).violations.to_string(), expected);
    }
}

#[test]
fn what_is_read_can_be_asked_for() {
    let contract = contract(
        "timeout_ms: 5000.0\n\
         effects: { idempotent: false, durable: true }\n\
         text: '{{ success }}'\n\
         run: { command: [python3, ping.py], env: [HOME] }",
    );
    assert_eq!(contract.timeout(), Some(Duration::from_secs(5)));
    assert_eq!(contract.effects().idempotent(), Some(false));
    assert_eq!(contract.effects().open_world(), None);
    assert_eq!(contract.effects().durable(), Some(true));
    assert_eq!(contract.effects().idempotency_key(), None);
    assert!(!contract.effects().may_execute_again());
    assert_eq!(contract.text().unwrap().as_str(), "{{ success }}");
    let Some(Run::Command(command)) = contract.run() else {
        panic!("no command");
    };
    assert_eq!(command.program(), "python3");
    assert!(command.args().eq(["ping.py"]));
    assert!(command.env().eq(["HOME"]));
}

#[test]
fn parameters_have_a_json_schema() {
    let adm = contract("parameters: { type: OBJECT }");
    assert!(matches!(adm.parameters(), Parameters::Adm(_)));
    let schema = adm.parameters().to_json_schema();
    assert_eq!(
        schema.text(),
        r#"{"type":"object","additionalProperties":false}"#
    );
    let json = contract("parameters: { properties: { of: { $ref: ListResult } } }");
    let schema = json.parameters().to_json_schema();
    assert!(
        schema
            .text()
            .contains("https://adl.io/schemas/returns/ListResult")
    );
}

#[test]
fn a_declaration_is_a_contract_that_promises_nothing() {
    let declaration = crate::model::FunctionDeclaration::from_json(
        r#"{"name": "ping", "description": "Pings.", "parameters": {"type": "OBJECT"}}"#,
    )
    .unwrap();
    let contract = Contract::from(declaration);
    assert_eq!(contract.returns(), &crate::returns::Returns::Undeclared);
    let again = Contract::from_json(contract.to_json()).unwrap();
    assert_eq!(again.digest(), contract.digest());
}
