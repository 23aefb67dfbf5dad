//! Edits that put things right: they change what they are about and not one byte more.

use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Format, Limits};

use toolpact_core::Violation;
use toolpact_core::violation::Fix;

fn check(text: &str, format: Format, kind: DocumentKind) -> Vec<Violation> {
    let document = Document::parse(text.as_bytes(), format, &Limits::default());
    let violations = AnyDocument::check(&document, Some(kind)).violations;
    violations.into_iter().collect()
}

/// Applies every fix. They must not overlap.
fn apply(text: &str, violations: &[Violation]) -> String {
    let mut fixes: Vec<&Fix> = violations
        .iter()
        .filter_map(|v| v.suggestion()?.fix.as_ref())
        .collect();
    fixes.sort_by_key(|fix| fix.span.start);
    let (mut out, mut at) = (String::new(), 0);
    for fix in fixes {
        assert!(
            at <= fix.span.start,
            "{fix:?} overlaps the one before it in {text}"
        );
        out += &text[at..fix.span.start];
        out += &fix.replacement;
        at = fix.span.end;
    }
    out + &text[at..]
}

/// The text after all fixes is `expected`, and nothing that could be fixed is left.
fn assert_fixed(text: &str, format: Format, kind: DocumentKind, expected: &str) {
    let violations = check(text, format, kind);
    let fixed = apply(text, &violations);
    assert_eq!(fixed, expected, "from {text}");
    let left = check(&fixed, format, kind);
    let fixable = left
        .iter()
        .find(|v| v.suggestion().is_some_and(|s| s.fix.is_some()));
    assert!(fixable.is_none(), "{} in {fixed}", fixable.unwrap());
    each_on_its_own(text, format, &violations);
}

/// An editor applies one at a time: each leaves a text that can still be read.
fn each_on_its_own(text: &str, format: Format, violations: &[Violation]) {
    for violation in violations {
        let fixed = apply(text, std::slice::from_ref(violation));
        let document = Document::parse(fixed.as_bytes(), format, &Limits::default());
        assert!(document.root().is_some(), "{violation}: {fixed}");
    }
}

fn schema(text: &str, expected: &str) {
    assert_fixed(text, Format::Json, DocumentKind::Schema, expected);
}

#[test]
fn types_and_statuses_in_capitals() {
    schema(r#"{ "type" :"string" }"#, r#"{ "type" :"STRING" }"#);
    schema(
        r#"{"type": "oBject", "properties": {"é": {"type": "integer"}, "b": {"type": "BOOLEAN"}}}"#,
        r#"{"type": "OBJECT", "properties": {"é": {"type": "INTEGER"}, "b": {"type": "BOOLEAN"}}}"#,
    );
    schema(r#"{"type": "str\u0069ng"}"#, r#"{"type": "STRING"}"#);
    let result = |status: &str| format!(r#"{{"name": "f", "status": {status}, "content": 1}}"#);
    assert_fixed(
        &result("\"success\""),
        Format::Json,
        DocumentKind::Result,
        &result("\"SUCCESS\""),
    );
}

#[test]
fn null_fields_on_one_line() {
    // Only, first, middle and last; then several together.
    let cases = [
        (r#"{"description": null}"#, "{}"),
        (
            r#"{"items": null, "type": "STRING"}"#,
            r#"{"type": "STRING"}"#,
        ),
        (
            r#"{"type": "STRING", "items": null}"#,
            r#"{"type": "STRING"}"#,
        ),
        (
            r#"{"type": "STRING", "items": null, "description": "d"}"#,
            r#"{"type": "STRING", "description": "d"}"#,
        ),
        (
            r#"{"items": null, "enum": null, "type": "STRING"}"#,
            r#"{"type": "STRING"}"#,
        ),
        (
            r#"{"type": "STRING", "items": null, "enum": null}"#,
            r#"{"type": "STRING"}"#,
        ),
        (
            r#"{"items":null,"type":"STRING","enum":null,"description":"d","required":null,"properties":null}"#,
            r#"{"type":"STRING","description":"d"}"#,
        ),
        // A comma too many has a fix of its own.
        (
            r#"{"type": "STRING", "items": null,}"#,
            r#"{"type": "STRING"}"#,
        ),
        (
            r#"{"type": "STRING", "items": null , "enum": null , }"#,
            r#"{"type": "STRING"   }"#,
        ),
    ];
    for (text, expected) in cases {
        schema(text, expected);
    }
}

#[test]
fn null_fields_on_lines_of_their_own() {
    for line_break in ["\n", "\r\n"] {
        let lines = |lines: &[&str]| lines.join(line_break);
        let first = lines(&["{", "  \"items\": null,", "  \"type\": \"STRING\"", "}"]);
        let middle = lines(&[
            "{",
            "  \"type\": \"STRING\",",
            "  \"items\": null,",
            "  \"description\": \"d\"",
            "}",
        ]);
        let last = lines(&["{", "  \"type\": \"STRING\",", "\t\"items\": null", "}"]);
        let both = lines(&[
            "{",
            "  \"type\": \"STRING\",",
            "  \"items\": null,",
            "  \"enum\":",
            "    null",
            "}",
        ]);
        let plain = lines(&["{", "  \"type\": \"STRING\"", "}"]);
        schema(&first, &plain);
        schema(
            &middle,
            &lines(&[
                "{",
                "  \"type\": \"STRING\",",
                "  \"description\": \"d\"",
                "}",
            ]),
        );
        schema(&last, &plain);
        schema(&both, &plain);
    }
}

/// Nothing but nulls: the two fixes share a comma, so the second has to wait for the next time.
#[test]
fn nothing_but_nulls_takes_two_rounds() {
    let text = r#"{"items": null, "enum": null}"#;
    let violations = check(text, Format::Json, DocumentKind::Schema);
    each_on_its_own(text, Format::Json, &violations);
    let first: Vec<Violation> = violations
        .into_iter()
        .filter(|v| v.code() == "null-field")
        .take(1)
        .collect();
    let once = apply(text, &first);
    assert_eq!(once, r#"{"enum": null}"#);
    schema(&once, "{}");
}

#[test]
fn entries_that_are_there_twice() {
    let cases = [
        (r#"["a", "a"]"#, r#"["a"]"#),
        (r#"["a", "b", "a"]"#, r#"["a", "b"]"#),
        (r#"["a", "a", "b"]"#, r#"["a", "b"]"#),
        (r#"["a","a" , "a"  ]"#, r#"["a"   ]"#),
        (
            r#"["a", "b", "a", "b", "c", "\u0061"]"#,
            r#"["a", "b", "c"]"#,
        ),
        (r#"["a", "a",]"#, r#"["a"]"#),
        (
            "[\n  \"a\",\n  \"b\",\n  \"a\"\n]",
            "[\n  \"a\",\n  \"b\"\n]",
        ),
        (
            "[\r\n  \"a\",\r\n  \"a\",\r\n  \"b\"\r\n]",
            "[\r\n  \"a\",\r\n  \"b\"\r\n]",
        ),
        ("[\n  \"a\"\n, \"a\"\n, \"b\"]", "[\n  \"a\"\n\n, \"b\"]"),
    ];
    for (list, expected) in cases {
        let values = |list: &str| format!(r#"{{"type": "STRING", "enum": {list}}}"#);
        schema(&values(list), &values(expected));
        let names = |list: &str| {
            let property = r#"{"type": "STRING"}"#;
            format!(
                r#"{{"type": "OBJECT", "properties": {{"a": {property}, "b": {property}, "c": {property}}}, "required": {list}}}"#
            )
        };
        schema(&names(list), &names(expected));
    }
}

#[test]
fn commas_comments_and_byte_order_marks() {
    let cases = [
        (r#"{"type": "STRING",}"#, r#"{"type": "STRING"}"#),
        (
            r#"{"type": "STRING", "enum": ["a" , ] , }"#,
            r#"{"type": "STRING", "enum": ["a"  ]  }"#,
        ),
        ("\u{feff}{\"type\": \"STRING\"}", "{\"type\": \"STRING\"}"),
        (
            "// a, b\n{\"type\": /* \"x\" */ \"STRING\"} // end",
            "\n{\"type\":  \"STRING\"} ",
        ),
        (
            "{\"type\": \"STRING\"} // end\r\n",
            "{\"type\": \"STRING\"} \r\n",
        ),
        (
            "{/**/\"type\"/**/:/**/\"STRING\"/**/,/**/}/**/",
            "{\"type\":\"STRING\"}",
        ),
        // What looks like them in a string stays.
        (
            r#"{"type": "STRING", "description": "// ,} /* */",}"#,
            r#"{"type": "STRING", "description": "// ,} /* */"}"#,
        ),
    ];
    for (text, expected) in cases {
        schema(text, expected);
    }
}

/// A comment between a comma and what goes with it: first the comment goes, then the rest.
#[test]
fn comments_in_the_way_take_two_rounds() {
    let cases = [
        "{\"type\": \"STRING\", // a,\n \"items\": null}",
        "{\"items\": null /* , */, \"type\": \"STRING\"}",
        "{\"type\": \"STRING\", \"enum\": [\"a\", // b,\n \"a\"]}",
        "{\"type\": \"STRING\", \"enum\": [\"a\", /* c */ \"a\" /* , */,]}",
    ];
    for text in cases {
        let violations = check(text, Format::Json, DocumentKind::Schema);
        each_on_its_own(text, Format::Json, &violations);
        let once = apply(text, &violations);
        let violations = check(&once, Format::Json, DocumentKind::Schema);
        assert!(
            violations.iter().all(|v| v.code() != "json-comment"),
            "{once}"
        );
        let twice = apply(&once, &violations);
        assert!(
            check(&twice, Format::Json, DocumentKind::Schema).is_empty(),
            "{text} to {twice}"
        );
    }
}

#[test]
fn all_at_once() {
    let text = "\u{feff}{\n  \"type\": \"object\", // c\n  \"properties\": {\n    \"a\": {\"type\": \"string\", \"enum\": [\"x\", \"y\", \"x\",], \"description\": null},\n    \"b\": {\"items\": null, \"type\": \"BOOLEAN\"},\n  },\n  \"required\": [\"a\", \"a\"]\n}\n";
    let expected = "{\n  \"type\": \"OBJECT\", \n  \"properties\": {\n    \"a\": {\"type\": \"STRING\", \"enum\": [\"x\", \"y\"]},\n    \"b\": {\"type\": \"BOOLEAN\"}\n  },\n  \"required\": [\"a\"]\n}\n";
    schema(text, expected);
}

/// In YAML values are replaced in the style they are written in; nothing is removed.
#[test]
fn values_in_yaml() {
    let yaml = |text: &str, expected: &str| {
        assert_fixed(text, Format::Yaml, DocumentKind::Schema, expected);
    };
    yaml("type: string # é\n", "type: STRING # é\n");
    yaml("{type: 'string'}", "{type: \"STRING\"}");
    yaml("type: \"string\"\n", "type: \"STRING\"\n");
    yaml(
        "type: >-\n  string\ndescription: d\n",
        "type: >-\n  STRING\ndescription: d\n",
    );
    yaml("type: &t string\n", "type: &t STRING\n");
    yaml("type: !!str &t 'string'\n", "type: !!str &t \"STRING\"\n");
    yaml(
        "description: &t string\ntype: *t\n",
        "description: &t string\ntype: *t\n",
    );
    yaml(
        "é: 1\ntype: object\nproperties:\n  '漢':\n    type: string\n  b: {type: integer}\n",
        "é: 1\ntype: OBJECT\nproperties:\n  '漢':\n    type: STRING\n  b: {type: INTEGER}\n",
    );
    // All that an alias stands for is at the alias: only the original is changed.
    yaml(
        "type: OBJECT\nproperties:\n  a: &a {type: string}\n  b: *a\n",
        "type: OBJECT\nproperties:\n  a: &a {type: STRING}\n  b: *a\n",
    );
    yaml(
        "type: STRING\ndescription: ~\nenum: [a, a]\n",
        "type: STRING\ndescription: ~\nenum: [a, a]\n",
    );
}
