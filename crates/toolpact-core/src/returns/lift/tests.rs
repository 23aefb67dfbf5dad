use super::{Lift, RawOutput};
use crate::contract::Contract;
use crate::json::Value;
use crate::returns::{Level, StandardType};

const REFUSED: &str = "";

/// What is promised, what a tool wrote, and the result that becomes of it.
#[rustfmt::skip]
const ROWS: &[(&str, &str, &str)] = &[
    (
        r#""ListResult""#,
        r#"[{"id": 1}]"#,
        r#"{"success": true, "data": [{"id": 1}]}"#,
    ),
    (r#""ListResult""#, "[]", r#"{"success": true, "data": []}"#),
    (
        r#""ListResult""#,
        r#"{"items": [{"id": 1}], "total": 1, "page": 1, "per_page": 5}"#,
        r#"{"success": true, "data": [{"id": 1}], "pagination": {"total": 1, "page": 1, "per_page": 5}}"#,
    ),
    (
        r#""ListResult""#,
        r#"{"data": [], "pagination": {"total": 0}}"#,
        r#"{"success": true, "data": [], "pagination": {"total": 0}}"#,
    ),
    (
        r#""ListResult""#,
        r#"{"success": true, "data": []}"#,
        r#"{"success": true, "data": []}"#,
    ),
    // What would be lost, or has two places, is not lifted.
    (r#""ListResult""#, r#"{"items": [], "next": "/2"}"#, REFUSED),
    (r#""ListResult""#, r#"{"items": [], "others": []}"#, REFUSED),
    (
        r#""ListResult""#,
        r#"{"items": [], "total": 0, "pagination": {"total": 0}}"#,
        REFUSED,
    ),
    (
        r#""ListResult""#,
        r#"{"items": [], "success": true}"#,
        REFUSED,
    ),
    (
        r#""ListResult""#,
        r#"{"items": [], "error": "no"}"#,
        REFUSED,
    ),
    (r#""ListResult""#, "[1]", REFUSED),
    (r#""ListResult""#, "none", REFUSED),
    (r#""ListResult""#, "", REFUSED),
    (
        r#""ObjectResult""#,
        r#"{"id": 1}"#,
        r#"{"success": true, "data": {"id": 1}}"#,
    ),
    (
        r#""ObjectResult""#,
        "{}",
        r#"{"success": true, "data": {}}"#,
    ),
    (r#""ObjectResult""#, r#"{"data": {"id": 1}}"#, REFUSED),
    (
        r#""ObjectResult""#,
        r#"{"success": true, "id": 1}"#,
        REFUSED,
    ),
    (
        r#""ObjectResult""#,
        r#"{"success": "yes", "id": 1}"#,
        REFUSED,
    ),
    (r#""ObjectResult""#, r#"{"error": "no"}"#, REFUSED),
    (r#""ObjectResult""#, "[{}]", REFUSED),
    (r#""ObjectResult""#, "Traceback", REFUSED),
    (
        r#""FileResult""#,
        r#"{"name": "a.txt", "url": "https://example.org/a.txt"}"#,
        r#"{"success": true, "file": {"name": "a.txt", "url": "https://example.org/a.txt"}}"#,
    ),
    (r#""FileResult""#, "a.txt", REFUSED),
    (r#""StringValue""#, "two words", r#""two words""#),
    (r#""StringValue""#, r#""quoted""#, r#""quoted""#),
    (r#""StringValue""#, "42", r#""42""#),
    (r#""StringValue""#, "null", r#""null""#),
    (
        r#""StringValue""#,
        r#"{"value": "a"}"#,
        r#"{"success": true, "value": "a"}"#,
    ),
    (r#""StringValue""#, r#"{"value": "a", "b": 1}"#, REFUSED),
    (r#""StringValue""#, "[1]", REFUSED),
    (r#""NumberValue""#, "42", "42"),
    (
        r#""NumberValue""#,
        r#"{"value": 4, "unit": "kg"}"#,
        r#"{"success": true, "value": 4, "unit": "kg"}"#,
    ),
    (r#""NumberValue""#, "many", REFUSED),
    (r#""BooleanValue""#, "true", "true"),
    (
        r#""IdentifierValue""#,
        "O-1001",
        r#"{"success": true, "id": "O-1001"}"#,
    ),
    (
        r#""IdentifierValue""#,
        "42",
        r#"{"success": true, "id": "42"}"#,
    ),
    (
        r#""IdentifierValue""#,
        r#""O-1""#,
        r#"{"success": true, "id": "O-1"}"#,
    ),
    (
        r#""IdentifierValue""#,
        r#"{"id": "O-1", "type": "order"}"#,
        r#"{"success": true, "id": "O-1", "type": "order"}"#,
    ),
    (r#""IdentifierValue""#, "not found", REFUSED),
    (r#""IdentifierValue""#, "", REFUSED),
    (r#""VoidResult""#, "", r#"{"success": true}"#),
    (r#""VoidResult""#, "null", r#"{"success": true}"#),
    (r#""VoidResult""#, "Done.", REFUSED),
    (r#""VoidResult""#, "{}", REFUSED),
    (
        r#""EntityResult""#,
        r#"{"id": "1", "type": "a"}"#,
        r#"{"id": "1", "type": "a"}"#,
    ),
    (r#""BatchResult""#, "[]", REFUSED),
    // Text is no structure, whatever the schema leaves open.
    (r#"{"type": "object"}"#, "Traceback", REFUSED),
    (
        r#"{"properties": {"text": {}, "id": {}}}"#,
        "Traceback",
        REFUSED,
    ),
    (r#"{"allOf": [{"required": []}]}"#, "Traceback", REFUSED),
    (
        r#"{"anyOf": [{"type": "object"}, {"items": {}}]}"#,
        "Traceback",
        REFUSED,
    ),
    (
        r#"{"type": "object", "properties": {"text": {}}, "required": ["text"]}"#,
        "a",
        REFUSED,
    ),
    (r#"{"type": "string"}"#, "a b", r#""a b""#),
    (r#"{"type": "string"}"#, "42", r#""42""#),
    (r#"{"type": ["string", "number"]}"#, "42", "42"),
    (r#"{"enum": ["open", "closed"]}"#, "open", r#""open""#),
    (r#"{"enum": ["open", "closed"]}"#, "ajar", REFUSED),
    (
        r#"{"anyOf": [{"type": "object"}, {"type": "string"}]}"#,
        "a",
        r#""a""#,
    ),
    (r#"{"type": "object"}"#, r#"{"a": 1}"#, r#"{"a": 1}"#),
    // Text is text.
    (r#""opaque""#, r#""hello""#, r#""\"hello\"""#),
    (r#""opaque""#, r#"{"a": 1}"#, r#""{\"a\": 1}""#),
    (r#""opaque""#, "", r#""""#),
    // Where the contract says how, that is how.
    (
        r#""ListResult", "lift": {"data": "/result/orders", "pagination.total": "/count"}"#,
        r#"{"result": {"orders": [{"id": 1}]}, "count": 1, "took": 5}"#,
        r#"{"success": true, "data": [{"id": 1}], "pagination": {"total": 1}}"#,
    ),
    (
        r#""ListResult", "lift": {"data": "/items", "pagination.total": "/count"}"#,
        r#"{"success": 1, "items": []}"#,
        r#"{"success": true, "data": []}"#,
    ),
    (
        r#""ListResult", "lift": {"data": "/items"}"#,
        r#"{"success": true, "data": []}"#,
        r#"{"success": true, "data": []}"#,
    ),
    (r#""ListResult", "lift": {"data": "/items"}"#, "[]", REFUSED),
    (
        r#""ListResult", "lift": {"data": "/0"}"#,
        "[[{}]]",
        r#"{"success": true, "data": [{}]}"#,
    ),
    (
        r#""ObjectResult", "lift": {"data": ""}"#,
        r#"{"data": 1}"#,
        r#"{"success": true, "data": {"data": 1}}"#,
    ),
    (
        r#""ObjectResult", "lift": {"data.text": ""}"#,
        "Traceback",
        r#"{"success": true, "data": {"text": "Traceback"}}"#,
    ),
    (
        r#""VoidResult", "lift": {"message": ""}"#,
        "Done.",
        r#"{"success": true, "message": "Done."}"#,
    ),
    (
        r#""VoidResult", "lift": {"success": "/ok"}"#,
        r#"{"ok": true}"#,
        r#"{"success": true}"#,
    ),
    (
        r#"{"type": "object", "required": ["n"]}, "lift": {"n": "/a/b"}"#,
        r#"{"a": {"b": 1}}"#,
        r#"{"n": 1}"#,
    ),
    (r#""ListResult", "lift": "never""#, "[]", REFUSED),
    (r#""StringValue", "lift": "never""#, "text", REFUSED),
    (r#""StringValue", "lift": "never""#, "42", REFUSED),
    (r#"{"type": "string"}, "lift": "never""#, "text", REFUSED),
    (
        r#"{"type": "string"}, "lift": "never""#,
        r#""text""#,
        r#""text""#,
    ),
];

fn contract(returns: &str) -> Contract {
    let json = format!(
        r#"{{"name": "a", "description": "Does it.", "parameters": {{"type": "object"}}, "returns": {returns}}}"#
    );
    Contract::from_json(json).unwrap()
}

/// The result, or the violations at the places of the output.
fn result(contract: &Contract, written: &str) -> Result<Value, crate::Violations> {
    let (lift, returns) = (contract.lift(), contract.returns());
    let lifted = lift.apply(returns, &lift.read(returns, written));
    if let Some(refusal) = lifted.refusal() {
        return Err(refusal.clone());
    }
    let checked = returns.enforcer(Level::Meaning).check(lifted.value());
    checked.map_err(|violations| lifted.explain(violations))?;
    Ok(lifted.value().clone())
}

#[test]
fn output_becomes_what_is_promised() {
    for (returns, written, expected) in ROWS {
        let result = result(&contract(returns), written);
        match (result, *expected) {
            (Err(_), REFUSED) => {}
            (result, expected) => {
                let result = result.unwrap_or_else(|why| panic!("{returns} of {written}: {why}"));
                let expected =
                    Value::from_json(expected).unwrap_or_else(|_| Value::from("refused"));
                assert_eq!(result, expected, "{returns} of {written}");
            }
        }
    }
}

#[test]
fn what_is_of_the_type_already_is_never_changed() {
    for standard in StandardType::all() {
        let contract = contract(&format!("\"{standard}\""));
        for example in standard.examples() {
            let lifted = Lift::Natural.apply(contract.returns(), &RawOutput::Json(example.clone()));
            assert_eq!(lifted.value().text(), example.text());
        }
    }
}

#[test]
fn failures_are_never_changed() {
    let failure = r#"{"success": false, "error": {"code": "A", "message": "B"}, "items": []}"#;
    for returns in [
        r#""ListResult""#,
        r#""opaque""#,
        r#""ListResult", "lift": {"data": "/items"}"#,
    ] {
        let contract = contract(returns);
        let output = RawOutput::Json(Value::from_json(failure).unwrap());
        let lifted = contract.lift().apply(contract.returns(), &output);
        assert_eq!(lifted.value().text(), failure);
    }
}

#[test]
fn violations_are_at_the_places_of_the_output() {
    let rows = [
        (r#""ListResult""#, "[{}, 2]", "/1"),
        (
            r#""ListResult""#,
            r#"{"items": [], "total": "0"}"#,
            "/total",
        ),
        (
            r#""ListResult", "lift": {"data": "/a/b"}"#,
            r#"{"a": {"b": [{}, 2]}}"#,
            "/a/b/1",
        ),
        (
            r#""ListResult", "lift": {"data": "/a", "pagination.total": "/n"}"#,
            r#"{"n": 0}"#,
            "",
        ),
        (
            r#""ObjectResult", "lift": {"data": "/a", "metadata.timestamp": "/at"}"#,
            r#"{"a": {}, "at": "now"}"#,
            "/at",
        ),
    ];
    for (returns, written, place) in rows {
        let violations = result(&contract(returns), written).unwrap_err();
        let places = violations.iter().map(|one| one.pointer().to_string());
        assert!(
            places.collect::<Vec<_>>().contains(&place.to_owned()),
            "{returns}: {violations}"
        );
    }
}

#[test]
fn how_it_is_made_is_no_part_of_what_is_promised() {
    let plain = contract(r#""ListResult""#);
    for lift in [r#""never""#, r#"{"pagination.total":"/a~1b","data":""}"#] {
        let lifted = contract(&format!(r#""ListResult", "lift": {lift}"#));
        assert_eq!(lifted, plain);
        assert_eq!(lifted.digest(), plain.digest());
        let written = lifted.to_json();
        assert!(written.contains(&format!(r#""lift":{lift}"#)), "{written}");
        assert_eq!(Contract::from_json(&written).unwrap().lift(), lifted.lift());
    }
}

#[test]
fn a_lift_that_cannot_be_is_refused() {
    let rows = [
        (
            r#""ListResult""#,
            r#""always""#,
            "expected `lift` to be `never` or a mapping",
        ),
        (r#""ListResult""#, "5", "found the number 5"),
        (r#""ListResult""#, r#"{"data": "items"}"#, "a JSON Pointer"),
        (r#""ListResult""#, r#"{"data": 5}"#, "a JSON Pointer"),
        (
            r#""ListResult""#,
            r#"{"dat": "/items"}"#,
            "did you mean `data`?",
        ),
        (
            r#""ListResult""#,
            r#"{"pagination.all": "/n"}"#,
            "a key of ListResult, found `pagination.all`",
        ),
        (
            r#""ListResult""#,
            r#"{"pagination..total": "/n"}"#,
            "keys with a `.` between them",
        ),
        (
            r#""ListResult""#,
            r#"{"pagination": "/p", "pagination.total": "/n"}"#,
            "inside of another",
        ),
        (r#""opaque""#, r#"{"a": "/b"}"#, "promises no structure"),
    ];
    for (returns, lift, expected) in rows {
        let json = format!(
            r#"{{"name": "a", "description": "Does it.", "parameters": {{"type": "object"}}, "returns": {returns}, "lift": {lift}}}"#
        );
        let violations = Contract::from_json(json).expect_err(lift).to_string();
        assert!(violations.contains("contract-lift"), "{lift}: {violations}");
        assert!(violations.contains(expected), "{lift}: {violations}");
    }
}
