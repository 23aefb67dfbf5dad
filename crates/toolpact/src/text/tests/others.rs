//! Custom, opaque, legacy and undeclared results.

use toolpact_core::returns::{Returns, StandardType};
use toolpact_core::schema::JsonSchema;

use super::{Budget, standard, value, within};

fn text(returns: &Returns, json: &str) -> String {
    within(returns, json, &Budget::default()).text
}

fn custom() -> Returns {
    Returns::Custom(JsonSchema::from_value(&value("{}")).unwrap())
}

#[test]
fn custom_objects() {
    let json = r#"{"temperature": 21.50, "sky": "clear", "wind": {"speed": 3, "from": "NW"},
        "hours": [{"at": "10:00", "temperature": 20}, {"at": "11:00", "temperature": 22, "rain": 0.1}],
        "a: b": "c", "on": true}"#;
    insta::assert_snapshot!(text(&custom(), json), @r#"
    temperature: 21.50
    sky: clear
    wind:
      speed: 3
      from: NW
    hours (2 items):
      | at | temperature | rain |
      |---|---|---|
      | 10:00 | 20 | |
      | 11:00 | 22 | 0.1 |
    "a: b": c
    on: true
    "#);
    insta::assert_snapshot!(text(&custom(), r#"[1, "two", [3, 4], {"five": 6}, null]"#), @"
    5 items:
    1. 1
    2. two
    3. [3, 4]
    4. five: 6
    5. null
    ");
    insta::assert_snapshot!(text(&custom(), r#"[{"a": 1, "b": 2}, {"a": 3, "b": 4}]"#), @"
    2 items:
    | a | b |
    |---|---|
    | 1 | 2 |
    | 3 | 4 |
    ");
    insta::assert_snapshot!(text(&custom(), r#"{"success": false, "error": {"message": "No such city"}}"#), @"
    Error INTERNAL_ERROR: No such city
    What to do: the same call will probably fail again. Try another way, or tell the user.
    ");
}

#[test]
fn small_things() {
    let returns = [
        Returns::Opaque,
        Returns::Undeclared,
        Returns::Legacy {
            type_word: None,
            description: None,
        },
    ];
    for returns in returns {
        assert_eq!(text(&returns, r#""It\nis: \"5\"\n""#), "It\nis: \"5\"\n");
        assert_eq!(text(&returns, "12.50"), "12.50");
        assert_eq!(text(&returns, "null"), "The tool returned nothing (null).");
        assert_eq!(text(&returns, "[]"), "No items: the list is empty.");
        assert_eq!(text(&returns, r#""""#), "The tool returned an empty text.");
        assert_eq!(
            text(&returns, "{}"),
            "The tool returned an object without fields."
        );
        assert_eq!(text(&returns, r#"{"a": "b"}"#), "a: b");
    }
}

/// Where enforcement is off, a value may be anything.
#[test]
fn a_value_that_is_not_what_was_promised_is_shown_as_it_is() {
    for of in StandardType::all() {
        let shown = text(&standard(of), r#"{"unexpected": [1, 2], "n": 1.0}"#);
        assert_eq!(shown, "unexpected: [1, 2]\nn: 1.0", "{of}");
        assert_eq!(text(&standard(of), "17"), "17", "{of}");
    }
}

#[test]
fn deep_values_end_on_one_line() {
    let json = r#"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":[1,{"j":"k"}]}}}}}}}}}"#;
    insta::assert_snapshot!(text(&custom(), json), @r#"
    a:
      b:
        c:
          d:
            e:
              f:
                g: {"h":{"i":[1,{"j":"k"}]}}
    "#);
    let lists = format!(
        r#"[[[[[[[[{{"a": 1, "b": "{}"}}]]]]]]]]"#,
        "long ".repeat(100)
    );
    let shown = within(&custom(), &lists, &Budget::default());
    assert_eq!(shown.cut, None, "{}", shown.text);
    let deep = "[".repeat(128) + &"]".repeat(128);
    insta::assert_snapshot!(text(&custom(), &deep), @"
    1 item:
    1. - - - - - [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[(an array, 116 bytes)]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
    [0 of 1 items shown in full.]
    ");
}
