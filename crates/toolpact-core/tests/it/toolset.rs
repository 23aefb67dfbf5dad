//! Calls and results against tools of every kind of document.

mod messages;
mod paths;

use toolpact_core::Violation;
use toolpact_core::document::AnyDocument;
use toolpact_core::json::{Document, Limits};
use toolpact_core::model::ToolDocument;
use toolpact_core::returns::Level;
use toolpact_core::toolset::{Function, Toolset};

const CONTRACTS: &str = r#"
toolpact: 1
tools:
  - name: find
    description: Finds orders.
    parameters:
      type: object
      properties:
        customer: { type: string, pattern: "^C[0-9]+$" }
        tags: { type: array, items: { type: string }, uniqueItems: true, unevaluatedItems: false }
      required: [customer]
      additionalProperties: false
    returns: ListResult
  - name: cancel
    description: Cancels an order.
    parameters: { type: OBJECT, properties: { order: { type: STRING }, times: { type: INTEGER } }, required: [order] }
    returns: VoidResult
  - name: quote
    description: Says what it costs.
    parameters: { type: object }
    returns: { type: object, properties: { cents: { type: integer } }, required: [cents] }
  - name: ask
    description: Asks.
    parameters: { type: object, properties: { question: { type: string } } }
    returns: opaque
"#;

/// With a name that breaks the rule for names.
const AGENT: &str = r#"{
    "name": "library_agent", "description": "Helps.", "role": "Librarian", "llm": "any",
    "llm_settings": {"temperature": 0, "max_tokens": 100},
    "tools": [
        {"name": "find book", "description": "Finds a book.",
         "parameters": [{"name": "title", "type": "string", "description": "The title.", "required": true}],
         "returns": {"type": "StringValue", "schema": {"$ref": "StringValue"}, "examples": ["Momo"]}},
        {"name": "lend", "description": "Lends.",
         "parameters": [
            {"name": "book", "type": "string", "description": "Which.", "required": true},
            {"name": "days", "type": "array", "items": {"type": "integer", "unevaluatedItems": false}, "description": "Which."}
         ]}
    ]
}"#;

const TOOL: &str = r#"{"function_declarations": [
    {"name": "ping", "description": "Pings.", "parameters": {"type": "OBJECT"}},
    {"name": "get_weather", "description": "Weather.", "parameters":
        {"type": "OBJECT", "properties": {"city": {"type": "STRING"}, "days": {"type": "INTEGER"}}, "required": ["city"]}}
]}"#;

fn functions(text: &str) -> Vec<Function> {
    let read = match text.starts_with('{') {
        true => Document::json,
        false => Document::yaml,
    };
    let document = read(text.as_bytes(), &Limits::default());
    let document = AnyDocument::check(&document, None).into_result().unwrap();
    document.functions(Level::Meaning)
}

fn tools(texts: &[&str]) -> Toolset {
    Toolset::new(texts.iter().flat_map(|text| functions(text))).unwrap()
}

fn call(tools: &Toolset, json: &str) -> String {
    let checked = tools.check_call_within(json.as_bytes(), &Limits::default());
    checked.violations.to_string()
}

fn result(tools: &Toolset, json: &str, call: Option<&str>) -> String {
    let checked = tools.check_result_within(json.as_bytes(), call, &Limits::default());
    checked.violations.to_string()
}

#[test]
fn calls_of_contracts() {
    let tools = tools(&[CONTRACTS]);
    assert_eq!(
        call(
            &tools,
            r#"{"name": "find", "args": {"customer": "C1", "tags": ["a"]}}"#
        ),
        ""
    );
    let wrong = r#"{"name": "find", "args": {"customer": "1", "tags": ["a", "a"], "x": 1}}"#;
    assert_eq!(
        call(&tools, wrong),
        "1:39: error[value-format] at /args/customer: expected text that matches `^C[0-9]+$`, found the string \"1\"\n\
         1:52: error[value-schema] at /args/tags: expected different elements, found some that are equal\n\
         1:64: error[value-unknown-key] at /args/x: expected no keys but those of the schema, found `x`"
    );
    let violations = tools.check_call_json(wrong.as_bytes()).unwrap_err();
    let pointer = violations.iter().next().unwrap().schema_pointer().unwrap();
    assert_eq!(pointer.to_string(), "/properties/customer/pattern");
    assert_eq!(
        call(&tools, r#"{"name": "cancel", "args": {"order": 5}}"#),
        "1:38: error[value-type] at /args/order: expected STRING, found the number 5"
    );
    assert_eq!(
        call(&tools, r#"{"name": "cancle", "args": {}}"#),
        "1:10: error[unknown-function] at /name: expected one of the declared functions, \
         `find`, `cancel`, `quote` and `ask`, found `cancle`; did you mean `cancel`?"
    );
    assert_eq!(
        call(&tools, r#"{"name": "can cel", "args": {}}"#)
            .split(':')
            .nth(2)
            .unwrap(),
        " error[name-pattern] at /name"
    );
}

/// Both ways to write arguments end in the words of the tool.
#[test]
fn arguments_as_the_function_gets_them() {
    let tools = tools(&[CONTRACTS]);
    let args = |json: &str| {
        let document = Document::json(json.as_bytes(), &Limits::default());
        let accepted = tools.check_call(&document).into_result().unwrap();
        format!("{} {}", accepted.function().name(), accepted.args().text())
    };
    let cancel = r#"{"name": "cancel", "args": {"order": "O", "times": 3.0}}"#;
    assert_eq!(args(cancel), r#"cancel {"order": "O", "times": 3}"#);
    assert_eq!(
        args(r#"{"args": {"a": 3.0}, "name": "quote"}"#),
        r#"quote {"a": 3.0}"#
    );
}

#[test]
fn names_that_break_the_rule_can_be_called() {
    let tools = tools(&[AGENT]);
    let name = "find book";
    assert_eq!(
        call(
            &tools,
            r#"{"name": "find book", "args": {"title": "Momo"}}"#
        ),
        ""
    );
    assert_eq!(
        call(
            &tools,
            r#"{"args": {"title": "Momo"}, "name": "find\u0020book"}"#
        ),
        ""
    );
    assert_eq!(
        call(&tools, r#"{"name": "find bok", "args": {}}"#),
        "1:10: error[unknown-function] at /name: expected one of the declared functions, \
         `find book` and `lend`, found `find bok`; did you mean `find book`?"
    );
    assert_eq!(
        call(&tools, r#"{"name": "lend", "args": {"days": ["1"]}}"#),
        "1:26: error[value-missing-key] at /args: expected the required key `book`, found none\n\
         1:36: error[value-type] at /args/days/0: expected the type integer, found the string \"1\""
    );
    let json = br#"{"name": "find book", "args": 1}"#;
    assert_eq!(tools.name_of_call(json, &Limits::default()).unwrap(), name);
    let good = r#"{"name": "find book", "status": "SUCCESS", "content": "Momo"}"#;
    assert_eq!(result(&tools, good, Some(name)), "");
    assert_eq!(result(&tools, good, None), "");
    assert_eq!(
        result(&tools, &good.replace("\"Momo\"", "5"), Some(name)),
        "1:55: error[value-alternatives] at /content: expected one of 2 alternatives, found the number 5, \
         which matches none; the nearest says: expected the type string, found the number 5"
    );
}

#[test]
fn results_keep_their_promise() {
    let tools = tools(&[CONTRACTS]);
    let page = |pages: u32| {
        format!(
            r#"{{"name": "find", "status": "SUCCESS", "content": {{"success": true, "data": [], "pagination":
            {{"page": 1, "per_page": 10, "total": 25, "total_pages": {pages}, "has_next": true, "has_prev": false}}}}}}"#
        )
    };
    assert_eq!(result(&tools, &page(3), Some("find")), "");
    assert_eq!(
        result(&tools, &page(2), None),
        "2:69: error[returns-page-count] at /content/pagination/total_pages: expected 3, which is \
         `total` divided by `per_page`, rounded up, found the number 2"
    );
    let quote = r#"{"name": "quote", "status": "SUCCESS", "content": {"cents": 1.5}}"#;
    assert_eq!(
        result(&tools, quote, None),
        "1:61: error[value-type] at /content/cents: expected the type integer, found the number 1.5"
    );
    // An error is an arm of its own, and so is a content that says it is a failure.
    let error = r#"{"name": "quote", "status": "ERROR", "error": {"message": "Closed."}}"#;
    assert_eq!(result(&tools, error, None), "");
    let failure = r#"{"name": "quote", "status": "SUCCESS", "content": {"success": false, "error": {"code": "NOT_FOUND_X"}}}"#;
    assert_eq!(result(&tools, failure, None), "");
    // Opaque results are text, and declared as such in stubs.
    let text = r#"{"name": "ask", "status": "SUCCESS", "content": "[1, null]"}"#;
    assert_eq!(result(&tools, text, None), "");
    for (other, found) in [
        (r#"{"a": 1}"#, "an object"),
        ("null", "null"),
        ("[1]", "an array"),
        ("5", "the number 5"),
    ] {
        let json = text.replace(r#""[1, null]""#, other);
        assert!(!tools.is_valid_result(json.as_bytes(), None), "{json}");
        let expected =
            format!("1:49: error[value-type] at /content: expected the type string, found {found}");
        assert_eq!(result(&tools, &json, None), expected);
    }
}

#[test]
fn the_right_function_answers() {
    let tools = tools(&[CONTRACTS]);
    let ask = r#"{"name": "ask", "status": "SUCCESS", "content": 1}"#;
    assert_eq!(
        result(&tools, ask, Some("quote")),
        "1:10: error[result-name-mismatch] at /name: expected the name of the call, `quote`, found `ask`"
    );
    let unknown = ask.replace("ask", "aks");
    assert_eq!(
        result(&tools, &unknown, None),
        "1:10: error[unknown-function] at /name: expected one of the declared functions, \
         `find`, `cancel`, `quote` and `ask`, found `aks`; did you mean `ask`?"
    );
    // Its call has been told.
    assert_eq!(result(&tools, &unknown, Some("aks")), "");
    let strangers = Toolset::open();
    assert_eq!(result(&strangers, &unknown, None), "");
    assert!(!strangers.is_valid_result(ask.replace("ask", "a s").as_bytes(), None));
}

/// What is valid may be worth a warning, and a verdict must not swallow it.
#[test]
fn warnings_are_kept() {
    let tools = tools(&[CONTRACTS]);
    for code in [r#""code""#, r#""\u0063ode""#] {
        let odd = format!(
            r#"{{"name": "cancel", "status": "SUCCESS", "content": {{"success": false, "error": {{{code}: "ODD", "message": "No."}}}}}}"#
        );
        let checked = tools.check_result_within(odd.as_bytes(), None, &Limits::default());
        assert!(checked.value.is_some(), "{}", checked.violations);
        assert_eq!(checked.violations.warnings(), 1, "{odd}");
    }
}

#[test]
fn limits_are_kept() {
    let tools = tools(&[CONTRACTS]);
    let depth = Limits::default().depth(3);
    let bytes = Limits::default().bytes(20);
    let deep = br#"{"name": "quote", "args": {"a": [[1]]}}"#;
    let content = br#"{"name": "quote", "status": "SUCCESS", "content": {"cents": 1, "a": [[1]]}}"#;
    for limits in [depth, bytes] {
        assert!(tools.check_call_within(deep, &limits).value.is_none());
        assert!(
            tools
                .check_result_within(content, None, &limits)
                .value
                .is_none()
        );
    }
    assert!(tools.is_valid_call(deep));
    assert!(tools.is_valid_result(content, None));
}

#[test]
fn each_name_once() {
    let violations = Toolset::new([TOOL, TOOL].into_iter().flat_map(functions)).unwrap_err();
    assert_eq!(
        violations
            .iter()
            .map(Violation::message)
            .collect::<Vec<_>>(),
        [
            "expected each function name once in a set of tools, found `ping` again",
            "expected each function name once in a set of tools, found `get_weather` again"
        ]
    );
}

/// The same words and the same places as where there are only ADM tools.
#[test]
fn agrees_with_adm() {
    let tool = ToolDocument::from_json(TOOL).unwrap();
    let (alone, among) = (tools(&[TOOL]), tools(&[CONTRACTS, TOOL]));
    for text in texts() {
        let document = Document::json(text.as_bytes(), &Limits::default());
        let expected = tool.check_call_document(&document).violations.to_string();
        assert_eq!(call(&alone, &text), expected, "{text}");
        if text.contains("get_weather") {
            assert_eq!(call(&among, &text), expected, "{text}");
        }
    }
}

/// What is said of a text does not depend on the way it is looked at.
#[test]
fn both_paths_agree() {
    let tools = tools(&[CONTRACTS, AGENT, TOOL]);
    let mut valid = 0;
    for text in texts() {
        let document = Document::json(text.as_bytes(), &Limits::default());
        let slow = tools.check_call(&document);
        assert_eq!(call(&tools, &text), slow.violations.to_string(), "{text}");
        valid += usize::from(slow.value.is_some());
        for name in [None, Some("find"), Some("quote"), Some("find book")] {
            let slow = tools.check_result(&document, name);
            assert_eq!(
                result(&tools, &text, name),
                slow.violations.to_string(),
                "{text}"
            );
            valid += usize::from(slow.value.is_some());
        }
    }
    assert!(valid > 50, "{valid}");
}

/// Calls and results, right, wrong and strangely written, and none of either.
fn texts() -> Vec<String> {
    let names = [
        "find",
        "cancel",
        "quote",
        "find book",
        "lend",
        "get_weather",
        "ping",
        "nobody",
        "a b",
    ];
    let carried = [
        "{}",
        r#"{"city": "Oslo"}"#,
        r#"{"city": 5, "days": 2.5}"#,
        r#"{"customer": "C1"}"#,
        r#"{"customer": "C1", "tags": ["a", "a"]}"#,
        r#"{"order": "O", "order": "P"}"#,
        r#"{"order": "O"}"#,
        r#"{"title": "Momo"}"#,
        r#"{"book": "B", "days": [1, 2]}"#,
        "null",
        "[1]",
        "\"Momo\"",
        "{\"cents\": 5}",
        r#"{"success": true}"#,
        r#"{"success": false, "error": {"code": "X", "message": "No."}}"#,
        "{",
        "{}}",
        "",
    ];
    let mut texts = vec![
        "[]".to_owned(),
        "5".to_owned(),
        String::new(),
        "{}".to_owned(),
    ];
    for name in names {
        for it in carried {
            texts.push(format!(r#"{{"name": "{name}", "args": {it}}}"#));
            texts.push(format!(
                " {{\t\"name\" :\"{name}\" ,\n\"args\":{it}  }}\r\n"
            ));
            texts.push(format!(r#"{{"args": {it}, "name": "{name}"}}"#));
            texts.push(format!(r#"{{"n\u0061me": "{name}", "args": {it}}}"#));
            texts.push(format!(r#"{{"name": "{name}", "args": {it}, "x": 1}}"#));
            texts.push(format!(
                r#"{{"name": "{name}", "args": {it}, "args": {it}}}"#
            ));
            texts.push(format!(r#"{{"name": "{name}", "args": {it}}},"#));
            texts.push(format!(
                r#"{{"name": "{name}", "status": "SUCCESS", "content": {it}}}"#
            ));
            texts.push(format!(
                r#"{{"content": {it}, "name": "{name}", "status": "SUCCESS"}}"#
            ));
            texts.push(format!(
                r#"{{"name": "{name}", "status": "SUCCESS", "content": {it}, "error": {it}}}"#
            ));
            texts.push(format!(
                r#"{{"name": "{name}", "status": "ERROR", "error": {it}}}"#
            ));
        }
    }
    texts
}
