use super::{Rule, Subject::Declaration, Subject::Tool};

rules! {
    TOOL_EMPTY = Rule::error("tool-empty", "A tool must declare at least one function.")
        .because("A tool without functions can do nothing (ADM 3.1.3).")
        .shown(
            Tool,
            br#"{"function_declarations": []}"#,
            br#"{
  "function_declarations": [
    {
      "name": "get_time",
      "description": "Returns the current time.",
      "parameters": {"type": "OBJECT"}
    }
  ]
}"#,
        );
    DUPLICATE_NAME = Rule::error("tool-duplicate-name", "Function names must be unique within a tool.")
        .because(
            "A call names its function, so two functions of one name cannot be told apart. Names \
             that differ in case are different. Two tools may use the same name (ADM 3.1.3).",
        )
        .shown(
            Tool,
            br#"{
  "function_declarations": [
    {"name": "ping", "description": "Pings.", "parameters": {"type": "OBJECT"}},
    {"name": "ping", "description": "Pings twice.", "parameters": {"type": "OBJECT"}}
  ]
}"#,
            br#"{
  "function_declarations": [
    {"name": "ping", "description": "Pings.", "parameters": {"type": "OBJECT"}},
    {"name": "ping_twice", "description": "Pings twice.", "parameters": {"type": "OBJECT"}}
  ]
}"#,
        );
    NAME_PATTERN = Rule::error("name-pattern", "A function name must match `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.")
        .because(
            "1 to 64 ASCII letters, digits, `_` and `-`, beginning with a letter or `_`. \
             Every provider accepts such names (ADM 3.2.3).",
        )
        .shown(
            Declaration,
            br#"{
  "name": "get data",
  "description": "Gets the data.",
  "parameters": {"type": "OBJECT"}
}"#,
            br#"{
  "name": "get_data",
  "description": "Gets the data.",
  "parameters": {"type": "OBJECT"}
}"#,
        );
    DESCRIPTION_EMPTY = Rule::error("description-empty", "A function must be described.")
        .because(
            "The description is how a model decides when to call the function. Say what it does, \
             not how, in one to three sentences (ADM 3.2.3).",
        )
        .shown(
            Declaration,
            br#"{"name": "ping", "description": " ", "parameters": {"type": "OBJECT"}}"#,
            br#"{"name": "ping", "description": "Checks the connection.", "parameters": {"type": "OBJECT"}}"#,
        );
    DESCRIPTION_LONG = Rule::warning("description-long", "A function's description should not exceed 1,000 characters.")
        .because("Models read all descriptions at every turn; long ones cost and distract (ADM 3.2.3).")
        .shown(Declaration, LONG.as_bytes(), SHORT.as_bytes());
    ROOT_NOT_OBJECT = Rule::warning("parameters-not-object", "The parameters of a function should be an OBJECT.")
        .because(
            "The arguments of a call are always an object, so no call could satisfy parameters of \
             another type (ADM 3.2.3).",
        )
        .shown(
            Declaration,
            br#"{"name": "ping", "description": "Pings.", "parameters": {"type": "STRING"}}"#,
            br#"{"name": "ping", "description": "Pings.", "parameters": {"type": "OBJECT"}}"#,
        );
}

const SHORT: &str = r#"{"name": "ping", "description": "Checks the connection.", "parameters": {"type": "OBJECT"}}"#;

/// A sentence twenty times over.
macro_rules! twenty_times {
    ($text:literal) => {
        concat!(
            $text, $text, $text, $text, $text, $text, $text, $text, $text, $text, $text, $text,
            $text, $text, $text, $text, $text, $text, $text, $text
        )
    };
}

const LONG: &str = concat!(
    r#"{"name": "ping", "description": ""#,
    twenty_times!("Checks the connection, and then checks it once more. "),
    r#"", "parameters": {"type": "OBJECT"}}"#
);
