//! What is said of which values.

use crate::infer::{Claim, Inferred, Observed, Settings};
use crate::json::Value;

fn of<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> Inferred {
    with(Settings::default(), values)
}

fn with<T: AsRef<str>>(settings: Settings, values: impl IntoIterator<Item = T>) -> Inferred {
    let mut observed = Observed::new();
    for value in values {
        observed.add(&Value::from_json(value.as_ref()).unwrap());
    }
    observed.schema(&settings)
}

fn schema<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> String {
    of(values).schema.text().to_owned()
}

/// So many values of a pattern, where `#` is the number of the value.
fn many(count: usize, pattern: &str) -> Vec<String> {
    (0..count)
        .map(|n| pattern.replace('#', &n.to_string()))
        .collect()
}

#[test]
fn types() {
    assert_eq!(schema(["1", "2"]), r#"{"type":"integer"}"#);
    assert_eq!(schema(["1", "2.5"]), r#"{"type":"number"}"#);
    // A tool that writes `12.0` has numbers that need not be whole.
    assert_eq!(schema(["12.0", "3.0"]), r#"{"type":"number"}"#);
    assert_eq!(schema(["12.0", "3"]), r#"{"type":"integer"}"#);
    assert_eq!(
        schema(["1", "\"a\"", "null"]),
        r#"{"type":["string","integer","null"]}"#
    );
    assert_eq!(schema(["[]"]), r#"{"type":"array"}"#);
    assert_eq!(
        schema(["[1,true]", "[]"]),
        r#"{"type":"array","items":{"type":["integer","boolean"]}}"#
    );
    // A value that is missing a few times is not always missing.
    assert_eq!(schema(["null"; 5]), "{}");
    assert_eq!(schema(["null"; 20]), r#"{"type":"null"}"#);
    assert_eq!(schema::<&str>([]), "{}");
}

#[test]
fn words_are_an_enum_if_each_was_seen_several_times() {
    let words = |times: &[(&str, usize)]| {
        let all = times
            .iter()
            .flat_map(|(word, n)| vec![format!("\"{word}\""); *n]);
        schema(all)
    };
    assert_eq!(
        words(&[("open", 6), ("done", 4)]),
        r#"{"type":"string","enum":["open","done"]}"#
    );
    assert_eq!(
        words(&[("open", 5), ("done", 4)]),
        r#"{"type":"string"}"#,
        "nine are not enough"
    );
    assert_eq!(
        words(&[("open", 20), ("done", 2)]),
        r#"{"type":"string"}"#,
        "`done` only twice"
    );
    assert_eq!(words(&[("open", 19)]), r#"{"type":"string"}"#);
    assert_eq!(
        words(&[("open", 20)]),
        r#"{"type":"string","enum":["open"]}"#
    );
    assert_eq!(schema(many(100, "\"name #\"")), r#"{"type":"string"}"#);
    let mut nullable = ["null", "\"a\"", "\"b\""].repeat(5);
    assert_eq!(
        schema(&nullable),
        r#"{"type":["string","null"],"enum":["a","b",null]}"#
    );
    nullable.push("5");
    assert_eq!(
        schema(&nullable),
        r#"{"anyOf":[{"type":"string","enum":["a","b"]},{"type":["integer","null"]}]}"#
    );
}

#[test]
fn formats_that_all_have() {
    let cases = [
        ("date-time", r#""2026-02-15T10:30:00Z""#),
        ("date", r#""2026-02-15""#),
        ("time", r#""10:30:00Z""#),
        ("uuid", r#""123e4567-e89b-12d3-a456-426614174000""#),
        ("ipv4", r#""192.0.2.1""#),
        ("ipv6", r#""2001:db8::1""#),
        ("email", r#""ada@example.com""#),
        ("uri", r#""https://example.com/a?b#c""#),
    ];
    for (format, text) in cases {
        // However often it is the same, it is no enum.
        let expected = format!(r#"{{"type":"string","format":"{format}"}}"#);
        assert_eq!(schema([text; 30]), expected);
        assert_eq!(schema([text, "\"other\""]), r#"{"type":"string"}"#);
    }
    assert_eq!(schema(["\"note:this\""]), r#"{"type":"string"}"#);
}

#[test]
fn keys() {
    let mut values = many(300, r#"{"id":#,"name":"n#"}"#);
    values.push(r#"{"id":1,"name":"x","late":true}"#.to_owned());
    let closed = r#""required":["id","name"],"additionalProperties":false}"#;
    assert!(schema(&values).ends_with(closed), "one in three hundred");
    values.push(r#"{"id":1,"name":"x","early":true}"#.to_owned());
    assert!(
        schema(&values).ends_with(r#""required":["id","name"]}"#),
        "more new keys are to be expected"
    );
    let open = with(Settings::default().open(true), many(9, r#"{"id":#}"#));
    assert_eq!(
        open.schema.text(),
        r#"{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}"#
    );
}

#[test]
fn little_is_said_of_a_place_that_is_rarely_there() {
    let mut values = many(50, r#"{"id":#}"#);
    values.extend(many(2, r#"{"id":#,"more":{"a":1}}"#));
    let schema = schema(values);
    assert!(
        schema.contains(r#""more":{"type":"object","properties":{"a":{}}}"#),
        "{schema}"
    );
}

#[test]
fn what_had_many_types_may_be_anything() {
    let mut values = many(50, r#"{"id":#}"#);
    values.extend(many(1, r#"{"id":#,"any":true}"#));
    values.extend(many(1, r#"{"id":#,"any":"x"}"#));
    let found = schema(&values);
    assert!(found.contains(r#""any":{}"#), "two of two: {found}");
    values.extend(many(10, r#"{"id":#,"any":"x#"}"#));
    let found = schema(&values);
    let two = r#""any":{"type":["string","boolean"]}"#;
    assert!(found.contains(two), "two of twelve: {found}");
    values.extend(many(10, r#"{"id":#,"any":#}"#));
    let found = schema(&values);
    assert!(found.contains(r#""any":{}"#), "three: {found}");
}

#[test]
fn what_few_of_many_have_is_of_any_type() {
    let rare = |count| {
        let mut values = many(300, r#"{"id":#}"#);
        values.extend(many(count, r#"{"id":#,"rare":"r#"}"#));
        schema(values)
    };
    assert!(rare(19).contains(r#""rare":{}"#), "{}", rare(19));
    assert!(
        rare(20).contains(r#""rare":{"type":"string"}"#),
        "{}",
        rare(20)
    );
}

#[test]
fn a_variant_may_have_what_is_rare_with_the_others() {
    let mut shapes = many(30, r#"{"type":"circle","radius":#}"#);
    shapes.extend(many(30, r#"{"type":"square","side":#}"#));
    shapes.extend(many(2, r#"{"type":"circle","radius":#,"note":"n"}"#));
    let found = schema(shapes);
    assert!(
        found.contains(r#"{"const":"square"},"side":{"type":"integer"},"note":{}"#),
        "{found}"
    );
    assert_eq!(
        found.matches("radius").count(),
        2,
        "never with squares: {found}"
    );
}

#[test]
fn maps_are_told_from_objects() {
    let by_id = many(
        3,
        r#"{"123e4567-e89b-12d3-a456-42661417400#":1,"223e4567-e89b-12d3-a456-42661417400#":2}"#,
    );
    assert_eq!(
        schema(by_id),
        r#"{"type":"object","additionalProperties":{"type":"integer"}}"#
    );
    let by_word = many(40, r#"{"w#":{"n":#},"v#":{"n":2}}"#);
    assert_eq!(
        schema(by_word),
        r#"{"type":"object","additionalProperties":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}}"#
    );
    let different = many(40, r#"{"w#":{"n":#},"v#":"text"}"#);
    assert!(
        schema(different).contains(r#""w7":"#),
        "values that are not alike"
    );
    let fields: Vec<String> = (0..200)
        .map(|n| format!(r#"{{"f{}":1,"f{}":2}}"#, n % 9, (n + 1) % 9))
        .collect();
    assert!(
        schema(fields).contains(r#""f7":"#),
        "no new keys come any more"
    );
}

#[test]
fn a_tag_says_which_keys_there_are() {
    let mut shapes = many(10, r#"{"type":"circle","radius":#,"at":"x#"}"#);
    shapes.extend(many(10, r#"{"type":"square","side":#,"at":#}"#));
    assert_eq!(
        schema(&shapes),
        r#"{"oneOf":[{"type":"object","properties":{"type":{"const":"circle"},"radius":{"type":"integer"},"at":{"type":"string"}},"required":["type","radius","at"],"additionalProperties":false},{"type":"object","properties":{"type":{"const":"square"},"at":{"type":"integer"},"side":{"type":"integer"}},"required":["type","at","side"],"additionalProperties":false}]}"#
    );
    let mut observed = Observed::new();
    for shape in shapes {
        observed.add(&Value::from_json(shape).unwrap());
    }
    let arguments = observed.arguments_schema(&Settings::default());
    assert_eq!(
        arguments
            .schema
            .root()
            .get("type")
            .unwrap()
            .as_str()
            .unwrap(),
        "object"
    );
    // Words that go with nothing.
    let mut orders = many(20, r##"{"id":"#","status":"open"}"##);
    orders.extend(many(20, r##"{"id":"#","status":"done"}"##));
    assert!(!schema(orders).contains("oneOf"));
}

#[test]
fn a_place_in_several_variants_is_defined_once() {
    let big = r#"{"street":"s#","city":"c#","zip":"z#","country":"k#","region":"r#","note":"n#"}"#;
    let mut values = many(10, &format!(r#"{{"kind":"a","one":1,"address":{big}}}"#));
    values.extend(many(
        10,
        &format!(r#"{{"kind":"b","two":1,"address":{big}}}"#),
    ));
    let schema = schema(values);
    assert_eq!(
        schema.matches(r##""$ref":"#/$defs/address""##).count(),
        2,
        "{schema}"
    );
    assert_eq!(schema.matches("street").count(), 2, "{schema}");
}

#[test]
fn ranges_and_lengths_only_where_asked() {
    let values = [
        r#"{"n":3,"s":"ab","l":[1]}"#,
        r#"{"n":-2.5,"s":"abcd","l":[]}"#,
        r#"{"n":7,"s":"äb","l":[1,2]}"#,
    ];
    assert!(!schema(values).contains("min"));
    let settings = Settings::default().ranges(true);
    let ranges = with(settings, values);
    assert!(
        ranges
            .schema
            .text()
            .contains(r#""n":{"type":"number","minimum":-2.5,"maximum":7}"#)
    );
    assert!(!ranges.schema.text().contains("Length"));
    let lengths = with(Settings::default().lengths(true), values);
    assert!(
        lengths
            .schema
            .text()
            .contains(r#""s":{"type":"string","minLength":2,"maxLength":4}"#)
    );
    assert!(
        lengths
            .schema
            .text()
            .contains(r#""minItems":0,"maxItems":2"#)
    );
}

#[test]
fn evidence_says_how_many_examples_there_are() {
    let inferred = of(many(12, r#"{"state":"on","at":"2026-02-15"}"#));
    let said: Vec<String> = inferred.evidence.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "the whole value: object, from 12 examples",
            "/state: string, from 12 examples",
            "/at: string, from 12 examples",
            "/at: the format date, from 12 examples",
            "the whole value: always with 2 keys, from 12 examples",
            "the whole value: no other keys than those seen, from 12 examples",
        ]
    );
    let of_words = of(["\"a\"", "\"b\""].repeat(6));
    let words = of_words.evidence.last().unwrap();
    assert_eq!(words.claim, Claim::Enum(2));
    assert!(words.is_weak(), "six for each");
    let annotated = with(Settings::default().annotate(true), ["1"]);
    assert_eq!(
        annotated.schema.text(),
        r#"{"type":"integer","$comment":"from 1 example"}"#
    );
}
