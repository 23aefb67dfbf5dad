use super::{FLAG, LIST, NUMBER, OBJECT, WHOLE, becomes, of, stays};

#[test]
fn numbers_and_booleans_in_strings() {
    becomes(&[
        (WHOLE, r#""5""#, "5", "number-from-string"),
        (WHOLE, r#""-5""#, "-5", "number-from-string"),
        (WHOLE, r#""5.0""#, "5.0", "number-from-string"),
        (WHOLE, r#""\u0035""#, "5", "number-from-string"),
        (NUMBER, r#""0.10""#, "0.10", "number-from-string"),
        (
            NUMBER,
            r#""9007199254740993""#,
            "9007199254740993",
            "number-from-string",
        ),
        (
            NUMBER,
            r#""1.0000000000000000000001""#,
            "1.0000000000000000000001",
            "number-from-string",
        ),
        (FLAG, r#""true""#, "true", "boolean-from-string"),
        (FLAG, r#""false""#, "false", "boolean-from-string"),
        (
            r#"{"type": ["integer", "boolean", "null"]}"#,
            r#""7""#,
            "7",
            "number-from-string",
        ),
        (
            r#"{"enum": [1, 2, "auto"]}"#,
            r#""2""#,
            "2",
            "number-from-string",
        ),
        (
            r#"{"const": false}"#,
            r#""false""#,
            "false",
            "boolean-from-string",
        ),
    ]);
}

#[test]
fn text_that_leaves_a_doubt_stays() {
    for text in [
        " 5", "5 ", "5e3", "5E0", "0x10", "NaN", "Infinity", "1,000", "1_000", "+5", "05", ".5",
        "5.", "-", "", "five", "null", "true", "5.5", "\\u0665", "5\\n", "1e400",
    ] {
        stays(&[(WHOLE, &format!(r#""{text}""#))]);
    }
    for text in [
        "yes", "no", "1", "0", "True", "TRUE", " true", "on", "null", "",
    ] {
        stays(&[(FLAG, &format!(r#""{text}""#))]);
    }
    stays(&[
        (r#"{"type": ["string", "integer"]}"#, r#""5""#),
        (
            r#"{"type": ["string", "integer"], "pattern": "^a"}"#,
            r#""5""#,
        ),
        ("{}", r#""5""#),
        ("true", r#""5""#),
        ("false", r#""5""#),
        (r#"{"type": "string", "minLength": 5}"#, r#""5""#),
        // Still wrong as a number.
        (r#"{"type": "integer", "minimum": 10}"#, r#""5""#),
        (r#"{"enum": [1, 2]}"#, r#""5""#),
        // The reverse is not guessed at.
        (r#"{"type": "string"}"#, "5"),
        (WHOLE, "true"),
        (FLAG, "1"),
        (WHOLE, "5.5"),
    ]);
    let digits = format!(r#""{}""#, "9".repeat(400));
    stays(&[(NUMBER, &digits)]);
}

#[test]
fn json_in_strings() {
    let inside = r#"{"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}}"#;
    becomes(&[
        (OBJECT, r#""{\"n\": 5}""#, r#"{"n": 5}"#, "json-from-string"),
        (
            OBJECT,
            r#"" {\"n\": 5}\n""#,
            r#"{"n": 5}"#,
            "json-from-string",
        ),
        (
            LIST,
            r#""[\"a\", \"b\"]""#,
            r#"["a", "b"]"#,
            "json-from-string",
        ),
        (LIST, r#""[]""#, "[]", "json-from-string"),
        (
            r#"{"type": ["object", "null"]}"#,
            r#""{}""#,
            "{}",
            "json-from-string",
        ),
    ]);
    assert_eq!(
        of(OBJECT, r#""{\"n\": \"5\"}""#),
        (
            r#"{"n":5}"#.to_owned(),
            vec!["json-from-string", "number-from-string"]
        )
    );
    assert_eq!(
        of(inside, r#""[\"[true]\", [\"false\"]]""#),
        (
            "[[true],[false]]".to_owned(),
            vec![
                "json-from-string",
                "json-from-string",
                "boolean-from-string"
            ]
        )
    );
    stays(&[
        (OBJECT, r#""{\"n\": 5""#),
        (OBJECT, r#""{'n': 5}""#),
        (OBJECT, r#""{\"n\": 5,}""#),
        (OBJECT, r#""{\"n\": 5, \"n\": 6}""#),
        (OBJECT, r#""{\"n\": \"five\"}""#),
        (OBJECT, r#""{}""#),
        (OBJECT, r#""[]""#),
        (OBJECT, r#""5""#),
        (r#"{"type": ["object", "string"]}"#, r#""{}""#),
        // Numbers are no words, and a list in a string is not one word.
        (LIST, r#""[1, 2]""#),
        // An object, or a list of one string?
        (r#"{"type": ["object", "array"]}"#, r#""{}""#),
    ]);
}
