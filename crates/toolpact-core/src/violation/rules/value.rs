use super::{Rule, Subject::CallTo, Subject::ValueOf};

/// The tool that the examples call.
pub(super) const WEATHER: &str = r#"{
  "function_declarations": [
    {
      "name": "get_weather",
      "description": "Returns the forecast for a city.",
      "parameters": {
        "type": "OBJECT",
        "properties": {
          "city": {"type": "STRING"},
          "days": {"type": "INTEGER"},
          "units": {"type": "STRING", "enum": ["celsius", "fahrenheit"]}
        },
        "required": ["city"]
      }
    }
  ]
}"#;

rules! {
    TYPE = Rule::error("value-type", "A value must have the type its schema asks for.")
        .because(
            "Types are compared exactly: the string `\"5\"` is not the number 5, and null is of no \
             type. Numbers count by value, so `5.0` and `50e-1` are INTEGER and `5.5` is not \
             (ADM 3.4.3).",
        )
        .shown(
            CallTo(WEATHER),
            br#"{"name": "get_weather", "args": {"city": "Oslo", "days": "3"}}"#,
            br#"{"name": "get_weather", "args": {"city": "Oslo", "days": 3}}"#,
        );
    INTEGER_RANGE = Rule::error("value-integer-range", "An INTEGER must fit into 64 bits.")
        .because("From -9223372036854775808 to 9223372036854775807 (ADM 3.3.7).")
        .shown(
            CallTo(WEATHER),
            br#"{"name": "get_weather", "args": {"city": "Oslo", "days": 9223372036854775808}}"#,
            br#"{"name": "get_weather", "args": {"city": "Oslo", "days": 9223372036854775807}}"#,
        );
    ENUM = Rule::error("value-enum", "A value must be one of its schema's `enum`.")
        .because("Values are compared exactly, case included (ADM 3.3.7).")
        .shown(
            CallTo(WEATHER),
            br#"{"name": "get_weather", "args": {"city": "Oslo", "units": "Celsius"}}"#,
            br#"{"name": "get_weather", "args": {"city": "Oslo", "units": "celsius"}}"#,
        );
    MISSING_KEY = Rule::error("value-missing-key", "A required key must be there.")
        .because("The schema lists it in `required` (ADM 3.4.3).")
        .shown(
            CallTo(WEATHER),
            br#"{"name": "get_weather", "args": {"days": 3}}"#,
            br#"{"name": "get_weather", "args": {"city": "Oslo", "days": 3}}"#,
        );
    UNKNOWN_KEY = Rule::error("value-unknown-key", "A key must be one that the schema describes.")
        .because(
            "An unknown key is usually a misspelt one, and ignoring it would call the tool with \
             something missing. An OBJECT without `properties` takes any keys, except as the \
             parameters of a function, where it means that there are none (ADM 3.4.2).",
        )
        .shown(
            CallTo(WEATHER),
            br#"{"name": "get_weather", "args": {"city": "Oslo", "day": 3}}"#,
            br#"{"name": "get_weather", "args": {"city": "Oslo", "days": 3}}"#,
        );
    RANGE = Rule::error("value-range", "A number must be within the range of its schema.")
        .because("The schema says `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum` or `multipleOf`.")
        .shown(ValueOf(r#"{"type": "integer", "minimum": 1}"#), b"0", b"1");
    SIZE = Rule::error("value-size", "The size of a value must be within the limits of its schema.")
        .because("The schema says how many characters, elements or keys there may be.")
        .shown(ValueOf(r#"{"type": "string", "minLength": 1}"#), b"\"\"", b"\"a\"");
    FORMAT = Rule::error("value-format", "A string must have the format or match the pattern of its schema.")
        .because(
            "`pattern` is searched for anywhere in the string unless it has anchors. Formats such \
             as `date-time`, `uri` and `uuid` are asserted, not only noted.",
        )
        .shown(
            ValueOf(r#"{"type": "string", "format": "date"}"#),
            br#""15.11.2026""#,
            br#""2026-11-15""#,
        );
    ALTERNATIVES = Rule::error("value-alternatives", "A value must match the alternatives of its schema.")
        .because("`anyOf` wants at least one of its schemas to match, `oneOf` exactly one.")
        .shown(
            ValueOf(r#"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#),
            b"true",
            b"1",
        );
    OTHER = Rule::error("value-schema", "A value must satisfy its schema.")
        .because("A keyword of JSON Schema that has no rule of its own here, such as `not` or `contains`.")
        .shown(ValueOf(r#"{"uniqueItems": true}"#), b"[1, 1]", b"[1, 2]");
    WORK = Rule::error("value-work", "A value must not take too much work to check.")
        .because(
            "A schema that reaches the same part of a value in two ways doubles the work \
             with each level of nesting: a few lines could keep a program busy for years. To \
             say what is wrong with a value may take 200,000 steps and 50 more for each of its \
             parts; a step is one schema applied to one part. Beyond that there is a verdict \
             without reasons, and none where `$dynamicRef` or `unevaluatedProperties` would make \
             even that too much.",
        )
        .shown(
            ValueOf(r##"{"type": "array", "items": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}"##),
            b"[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]",
            b"[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]",
        );
}
