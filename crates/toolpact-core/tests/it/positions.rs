//! Where violations are, in which order, and what is said about them.

use toolpact_core::Pointer;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Format, Limits};
use toolpact_core::model::ToolDocument;

fn report(text: &str, format: Format, kind: DocumentKind) -> String {
    let document = Document::parse(text.as_bytes(), format, &Limits::default());
    AnyDocument::check(&document, Some(kind))
        .violations
        .to_string()
}

#[test]
fn a_tool_with_many_mistakes() {
    let text = r#"{
  "function_declarations": [
    {
      "name": "get weather",
      "description": " ",
      "parameters": {
        "type": "object",
        "properties": {
          "city": {"type": "str", "description": null},
          "days": {"type": "ARRAY"},
          "units": {"type": "INTEGER", "enum": ["C", 5, "C"]}
        },
        "required": ["ciy", "days", "days"],
        "additionalProperties": false
      }
    },
    {"name": "ping", "descripton": "Pings.", "parameters": {"type": "STRING"}},
    {"name": "ping", "description": 7, "parameters": []}
  ]
}"#;
    insta::assert_snapshot!(report(text, Format::Json, DocumentKind::Tool), @r#"
    4:15: error[name-pattern] at /function_declarations/0/name: expected a function name of letters, digits, `_` and `-`, found `get weather`, which contains a space; for example `get_weather`
    5:22: error[description-empty] at /function_declarations/0/description: expected `description` to say something, found only white space or nothing; say what the function does in one to three sentences
    7:17: error[schema-type-unknown] at /function_declarations/0/parameters/type: expected a type, one of `STRING`, `NUMBER`, `INTEGER`, `BOOLEAN`, `ARRAY` and `OBJECT`, found `object`; did you mean `OBJECT`?
    9:28: error[schema-type-unknown] at /function_declarations/0/parameters/properties/city/type: expected a type, one of `STRING`, `NUMBER`, `INTEGER`, `BOOLEAN`, `ARRAY` and `OBJECT`, found `str`; did you mean `STRING`?
    9:35: error[null-field] at /function_declarations/0/parameters/properties/city/description: expected `description` to be left out or to have a value, found null; leave it out
    10:19: error[schema-items-missing] at /function_declarations/0/parameters/properties/days: expected `items` in an ARRAY, found none; say what the elements are, for example "items": {"type": "STRING"}
    11:40: error[schema-enum-not-string] at /function_declarations/0/parameters/properties/units/enum: expected `enum` only on a STRING, found it on INTEGER
    11:54: error[wrong-type] at /function_declarations/0/parameters/properties/units/enum/1: expected each of `enum` to be a string, found the number 5
    11:57: error[schema-enum-duplicate] at /function_declarations/0/parameters/properties/units/enum/2: expected each of `enum` once, found "C" again; remove it
    13:22: error[schema-required-unknown] at /function_declarations/0/parameters/required/0: expected `required` to name keys of `properties`, found "ciy"; did you mean `city`?
    13:37: error[schema-required-duplicate] at /function_declarations/0/parameters/required/2: expected each of `required` once, found "days" again; remove it
    14:9: error[unknown-field] at /function_declarations/0/parameters/additionalProperties: expected only `type`, `description`, `properties`, `required`, `items` and `enum` in a schema, found `additionalProperties`; leave it out: keys that `properties` does not name are refused anyway
    17:5: error[missing-field] at /function_declarations/1: expected the field `description` in a function declaration, found none
    17:22: error[unknown-field] at /function_declarations/1/descripton: expected only `name`, `description` and `parameters` in a function declaration, found `descripton`; did you mean `description`?
    17:60: warning[parameters-not-object] at /function_declarations/1/parameters: expected the parameters to be an OBJECT, found STRING: no call could satisfy them
    18:14: error[tool-duplicate-name] at /function_declarations/2/name: expected each function name once in a tool, found `ping` again
    18:37: error[wrong-type] at /function_declarations/2/description: expected `description` to be a string, found the number 7
    18:54: error[wrong-type] at /function_declarations/2/parameters: expected a schema, which is an object, found an array
    "#);
}

#[test]
fn the_same_place_in_yaml() {
    let text = "\
# A tool with a comment, and text before the mistakes that has more bytes than characters: é漢😀
function_declarations:
  - name: wetter_für_städte
    description: >-
      Gibt die Vorhersage
      für eine Stadt.
    parameters:
      type: object
      properties:
        stadt: {type: string, description: ~}
        'tage ☀': {type: ARRAY}
      required: [stadt, tag]
  - name: ping
    description: Pings.
    parameters: {type: OBJECT, type: OBJECT}
";
    insta::assert_snapshot!(report(text, Format::Yaml, DocumentKind::Tool), @r#"
    3:11: error[name-pattern] at /function_declarations/0/name: expected a function name of letters, digits, `_` and `-`, found `wetter_für_städte`, which contains `ü`; for example `wetter_f_r_st_dte`
    8:13: error[schema-type-unknown] at /function_declarations/0/parameters/type: expected a type, one of `STRING`, `NUMBER`, `INTEGER`, `BOOLEAN`, `ARRAY` and `OBJECT`, found `object`; did you mean `OBJECT`?
    10:23: error[schema-type-unknown] at /function_declarations/0/parameters/properties/stadt/type: expected a type, one of `STRING`, `NUMBER`, `INTEGER`, `BOOLEAN`, `ARRAY` and `OBJECT`, found `string`; did you mean `STRING`?
    10:31: error[null-field] at /function_declarations/0/parameters/properties/stadt/description: expected `description` to be left out or to have a value, found null; leave it out
    11:19: error[schema-items-missing] at /function_declarations/0/parameters/properties/tage ☀: expected `items` in an ARRAY, found none; say what the elements are, for example "items": {"type": "STRING"}
    12:25: error[schema-required-unknown] at /function_declarations/0/parameters/required/1: expected `required` to name keys of `properties`, found "tag"
    15:32: error[json-duplicate-key] at /function_declarations/1/parameters/type: expected each key once, found `type` again in the same object; remove one of them, or rename it
    "#);
}

#[test]
fn json_mistakes_do_not_hide_those_of_the_model() {
    let text = "\u{feff}{\r\n  // what it is\r\n  \"type\": \"string\", /* é */ \"enum\": [\"\\ud800\", \"b\", \"b\",],\r\n  \"type\": \"STRING\",\r\n}";
    insta::assert_snapshot!(report(text, Format::Json, DocumentKind::Schema), @r#"
    1:1: error[json-byte-order-mark]: expected the text to begin with a value, found a byte order mark; remove the first three bytes
    2:3: error[json-comment]: expected no comments in JSON, found one; remove it
    3:11: error[schema-type-unknown] at /type: expected a type, one of `STRING`, `NUMBER`, `INTEGER`, `BOOLEAN`, `ARRAY` and `OBJECT`, found `string`; did you mean `STRING`?
    3:21: error[json-comment]: expected no comments in JSON, found one; remove it
    3:39: error[json-lone-surrogate] at /enum: expected a surrogate pair, found the lone surrogate `\ud800`, which is no character
    3:53: error[schema-enum-duplicate] at /enum/2: expected each of `enum` once, found "b" again; remove it
    3:56: error[json-trailing-comma] at /enum: expected another element after the comma, found the end of the list; remove the comma
    4:3: error[json-duplicate-key] at /type: expected each key once, found `type` again in the same object; remove one of them, or rename it
    4:19: error[json-trailing-comma]: expected another element after the comma, found the end of the list; remove the comma
    "#);
}

#[test]
fn reading_stops_where_guessing_would_begin() {
    let texts = [
        "",
        "{\"a\": 1 \"b\": 2}",
        "{\"a\": 'x'}",
        "{a: 1}",
        "[1, 2",
        "{\"a\": True}",
        "[01, 2]",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"\\x\"",
        "[\"é\", \"\\u12G4\"]",
        "{} {}",
        "[+1]",
        "[1.]",
        "/* no end",
        "\u{a0}1",
    ];
    let shown: Vec<String> = texts
        .iter()
        .map(|text| {
            let document = Document::json(text.as_bytes(), &Limits::default());
            assert!(document.root().is_none(), "{text}");
            format!("{text:?}\n  {}", document.violations())
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    ""
      1:1: error[json-syntax]: the document is empty; expected a JSON value
    "{\"a\": 1 \"b\": 2}"
      1:9: error[json-syntax]: expected `,` or `}`, found `"`
    "{\"a\": 'x'}"
      1:7: error[json-syntax]: expected a JSON value, found `'`; write strings in double quotes
    "{a: 1}"
      1:2: error[json-syntax]: expected a key in double quotes, found `a`
    "[1, 2"
      1:6: error[json-syntax]: expected `,` or `]`, found the end of the text
    "{\"a\": True}"
      1:7: error[json-syntax]: expected a JSON value, found `T`; write `true`
    "[01, 2]"
      1:2: error[json-syntax]: expected a number without leading zeros
    "\"a\nb\""
      1:1: error[json-syntax]: expected a closing `"` on the same line, found none; a line break in a string is written `\n`
    "\"a\tb\""
      1:3: error[json-syntax]: expected a control character in a string to be escaped, found U+0009; write `\u0009`
    "\"\\x\""
      1:2: error[json-syntax]: expected an escape such as `\n` or `\u0041`, found a backslash before `x`; write `\\` for a backslash
    "[\"é\", \"\\u12G4\"]"
      1:8: error[json-syntax]: expected four hexadecimal digits after `\u`
    "{} {}"
      1:4: error[json-syntax]: expected nothing after the value, found `{`
    "[+1]"
      1:2: error[json-syntax]: expected a JSON value, found `+`; write the number without `+`
    "[1.]"
      1:4: error[json-syntax]: expected a digit after the decimal point, found `]`
    "/* no end"
      1:1: error[json-syntax]: expected the end of a comment, found none
    "\u{a0}1"
      1:1: error[json-syntax]: expected a JSON value, found U+00A0
    "#);
}

#[test]
fn yaml_that_json_cannot_say() {
    let texts = [
        "",
        "a: [1",
        "1: x",
        "? [a]\n: b",
        "a: .inf",
        "a: !!int 5",
        "a: &a [*a]",
        "a: *b",
        "a: 1\n---\nb: 2",
        "\u{feff}a: 1",
        "a: 1e999",
        "a: 1\nb: 2\na: 3",
    ];
    let shown: Vec<String> = texts
        .iter()
        .map(|text| {
            let document = Document::yaml(text.as_bytes(), &Limits::default());
            format!("{text:?}\n  {}", document.violations())
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    ""
      1:1: error[yaml-syntax]: the document is empty; expected a value
    "a: [1"
      1:6: error[yaml-syntax] at /a: expected YAML, but while parsing a flow sequence, expected ',' or ']'
    "1: x"
      1:1: error[yaml-unsupported]: expected YAML that JSON can say, found the key `1`, which is no string; put it in quotes
    "? [a]\n: b"
      1:3: error[yaml-unsupported]: expected YAML that JSON can say, found a key that is no string; put it in quotes
    "a: .inf"
      1:4: error[yaml-unsupported]: expected YAML that JSON can say, found a number that is not finite; JSON has no such number
    "a: !!int 5"
      1:4: error[yaml-unsupported]: expected YAML that JSON can say, found a tag; leave it out
    "a: &a [*a]"
      1:8: error[yaml-unsupported] at /a: expected YAML that JSON can say, found an alias inside of what it names; write it out
    "a: *b"
      1:4: error[yaml-syntax]: expected YAML, but while parsing node, found unknown anchor
    "a: 1\n---\nb: 2"
      2:1: error[yaml-unsupported]: expected YAML that JSON can say, found a second document after `---`; use one file each
    "\u{feff}a: 1"
      1:1: error[json-byte-order-mark]: expected the text to begin with a value, found a byte order mark
    "a: 1e999"
      1:4: error[json-number-overflow]: expected a number within the range of a 64-bit float, found 1e999
    "a: 1\nb: 2\na: 3"
      3:1: error[json-duplicate-key] at /a: expected each key once, found `a` again in the same object; remove one of them, or rename it
    "#);
}

#[test]
fn a_call_with_many_mistakes() {
    let tool = r#"{"function_declarations": [{
        "name": "search", "description": "Searches.",
        "parameters": {
            "type": "OBJECT",
            "properties": {
                "query": {"type": "STRING"},
                "limit": {"type": "INTEGER"},
                "sort": {"type": "STRING", "enum": ["newest", "oldest"]},
                "filters": {"type": "ARRAY", "items": {
                    "type": "OBJECT",
                    "properties": {"field": {"type": "STRING"}, "a/b": {"type": "BOOLEAN"}},
                    "required": ["field"]
                }}
            },
            "required": ["query", "limit"]
        }
    }]}"#;
    let call = "{
  \"name\": \"search\",
  \"args\": {
    \"qeury\": \"é\", \"limit\": 2.5,
    \"sort\": \"newst\",
    \"filters\": [
      {\"field\": \"x\"},
      {\"a/b\": null, \"line\\nbreak\": 1},
      9
    ]
  }
}";
    let tool = ToolDocument::from_json(tool).unwrap();
    let document = Document::json(call.as_bytes(), &Limits::default());
    let violations = tool.check_call_document(&document).violations;
    insta::assert_snapshot!(violations, @r#"
    3:11: error[value-missing-key] at /args: expected the required key `query`, found none
    4:5: error[value-unknown-key] at /args/qeury: expected one of the keys `query`, `limit`, `sort` and `filters`, found `qeury`; did you mean `query`?
    4:28: error[value-type] at /args/limit: expected INTEGER, found the number 2.5
    5:13: error[value-enum] at /args/sort: expected one of `newest` and `oldest`, found "newst"; did you mean `newest`?
    8:7: error[value-missing-key] at /args/filters/1: expected the required key `field`, found none
    8:15: error[value-type] at /args/filters/1/a~1b: expected BOOLEAN, found null; leave it out if there is no value
    8:21: error[value-unknown-key] at /args/filters/1/line�break: expected one of the keys `field` and `a/b`, found `line�break`
    9:7: error[value-type] at /args/filters/2: expected OBJECT, found the number 9
    "#);
    let schema_pointers: Vec<String> = violations
        .iter()
        .map(|v| v.schema_pointer().unwrap().to_string())
        .collect();
    insta::assert_snapshot!(schema_pointers.join("\n"), @r#"
    /required
    /properties
    /properties/limit/type
    /properties/sort/enum
    /properties/filters/items/required
    /properties/filters/items/properties/a~1b/type
    /properties/filters/items/properties
    /properties/filters/items/type
    "#);

    // The other way in has no text to point into, and says the same.
    let call = toolpact_core::model::FunctionCall::from_json(call).unwrap();
    let by_value = tool.check_call(&call).unwrap_err();
    let without_places = |shown: String| {
        let lines = shown
            .lines()
            .map(|line| line.split_once("error[").unwrap().1.to_owned());
        lines.collect::<Vec<String>>()
    };
    assert_eq!(
        without_places(by_value.to_string()),
        without_places(violations.to_string())
    );
}

#[test]
fn a_result_with_many_mistakes() {
    let text = r#"{"name": "9x", "status": "error", "content": null, "error": {"message": "", "type": "notFound", "code": 4}}"#;
    insta::assert_snapshot!(report(text, Format::Json, DocumentKind::Result), @r#"
    1:10: error[name-pattern] at /name: expected a function name of letters, digits, `_` and `-`, found `9x`, which begins with `9`; for example `_9x`
    1:26: error[result-status] at /status: expected `SUCCESS` or `ERROR`, found the string "error"; did you mean `ERROR`?
    1:35: error[result-content-on-error] at /content: expected no `content` beside the status "error", found null; leave it out, or change the status
    1:73: error[error-message-blank] at /error/message: expected `message` to say something, found only white space or nothing; say what went wrong and what to do
    1:85: warning[error-type-style] at /error/type: expected UPPER_SNAKE_CASE, found `notFound`; for example `NOT_FOUND`
    1:97: error[unknown-field] at /error/code: expected only `message` and `type` in an error object, found `code`
    "#);
    let text = text.replace("\"error\",", "\"ERROR\",");
    insta::assert_snapshot!(report(&text, Format::Json, DocumentKind::Result), @r#"
    1:10: error[name-pattern] at /name: expected a function name of letters, digits, `_` and `-`, found `9x`, which begins with `9`; for example `_9x`
    1:35: error[result-content-on-error] at /content: expected no `content` beside the status "ERROR", found null; leave it out, or change the status
    1:73: error[error-message-blank] at /error/message: expected `message` to say something, found only white space or nothing; say what went wrong and what to do
    1:85: warning[error-type-style] at /error/type: expected UPPER_SNAKE_CASE, found `notFound`; for example `NOT_FOUND`
    1:97: error[unknown-field] at /error/code: expected only `message` and `type` in an error object, found `code`
    "#);
}

/// Bytes that are not UTF-8 are shown, and the place is in what is shown.
#[test]
fn invalid_utf8_has_a_place() {
    let document = Document::json(b"{\"caf\xe9\": 1}", &Limits::default());
    let violations = document.violations();
    insta::assert_snapshot!(violations, @r#"1:6: error[json-invalid-utf8]: expected UTF-8 text, found the byte 0xE9; save the file as UTF-8"#);
    let span = violations
        .iter()
        .next()
        .unwrap()
        .location()
        .unwrap()
        .span
        .clone();
    assert_eq!(&document.text()[span], "\u{fffd}");
}

#[test]
fn a_part_is_where_it_is_written_or_what_is_around_it() {
    let place = |text: &str, format, pointer: &str| {
        let document = Document::parse(text.as_bytes(), format, &Limits::default());
        let found = document.locate(&Pointer::parse(pointer).unwrap())?;
        Some((found.line, found.column, text[found.span].to_owned()))
    };
    let json = "{\"tools\": [\n  {\"é\": \"one\", \"two\": [1, 23]}\n]}";
    let yaml = "tools:\n  - é: one\n    two: [1, 23]\n";
    for (pointer, in_json, in_yaml) in [
        ("/tools/0/two/1", (2, 27, "23"), (3, 14, "23")),
        ("/tools/0/two/1/more", (2, 27, "23"), (3, 14, "23")),
        (
            "/tools/0/two/2/more",
            (2, 23, "[1, 23]"),
            (3, 10, "[1, 23]"),
        ),
        ("/tools/0/é", (2, 9, "\"one\""), (2, 8, "one")),
    ] {
        let expected =
            |(line, column, part): (usize, usize, &str)| Some((line, column, part.to_owned()));
        assert_eq!(
            place(json, Format::Json, pointer),
            expected(in_json),
            "{pointer}"
        );
        assert_eq!(
            place(yaml, Format::Yaml, pointer),
            expected(in_yaml),
            "{pointer}"
        );
    }
    let (line, column, _) = place(json, Format::Json, "/tools/7").unwrap();
    assert_eq!((line, column), (1, 11));
    assert_eq!(place("{\"tools\":", Format::Json, "/tools"), None);
}
