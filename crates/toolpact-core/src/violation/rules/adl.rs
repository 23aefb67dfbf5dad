use super::{Rule, Subject::Agent};

/// An agent around its tools.
macro_rules! agent {
    ($($tools:expr),+; $more:literal) => {
        concat!(
            r#"{
  "name": "demo",
  "description": "Shows a rule.",
  "role": "Demo",
  "llm": "any",
  "llm_settings": {"temperature": 0, "max_tokens": 100},
  "tools": ["#,
            $($tools,)+
            "],\n  ",
            $more,
            "\n}"
        )
        .as_bytes()
    };
    ($($tools:expr),+) => {
        concat!(
            r#"{
  "name": "demo",
  "description": "Shows a rule.",
  "role": "Demo",
  "llm": "any",
  "llm_settings": {"temperature": 0, "max_tokens": 100},
  "tools": ["#,
            $($tools,)+
            "]\n}"
        )
        .as_bytes()
    };
}

/// A tool, of which all but the end is given, with what it returns.
macro_rules! tool {
    ($start:literal) => {
        concat!(
            $start,
            r##", "returns": {
      "type": "VoidResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/VoidResult"}, "examples": [{"success": true}]
    }}"##
        )
    };
}

rules! {
    DUPLICATE_TOOL = Rule::error("adl-duplicate-tool", "Tool names must be unique within an agent.")
        .because("A call names its tool, so two tools of one name cannot be told apart.")
        .shown(
            Agent,
            agent!(
                "\n    ", tool!(r#"{"name": "ping", "description": "Pings.", "parameters": []"#),
                ",\n    ", tool!(r#"{"name": "ping", "description": "Pings twice.", "parameters": []"#),
                "\n  "
            ),
            agent!(
                "\n    ", tool!(r#"{"name": "ping", "description": "Pings.", "parameters": []"#),
                ",\n    ", tool!(r#"{"name": "ping_twice", "description": "Pings twice.", "parameters": []"#),
                "\n  "
            ),
        );
    TOOL_NAME = Rule::warning("adl-tool-name", "A tool name should be one that providers accept.")
        .because(
            "1 to 64 ASCII letters, digits, `_` and `-`, beginning with a letter or `_`. ADL \
             itself allows any text.",
        )
        .shown(
            Agent,
            agent!(tool!(r#"{"name": "Ping!", "description": "Pings.", "parameters": []"#)),
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": []"#)),
        );
    DUPLICATE_PARAMETER = Rule::error("adl-duplicate-parameter", "Parameter names must be unique within a tool.")
        .because("Arguments are given by name.")
        .shown(
            Agent,
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": [
    {"name": "host", "type": "string", "description": "The host."},
    {"name": "host", "type": "integer", "description": "The port."}
  ]"#)),
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": [
    {"name": "host", "type": "string", "description": "The host."},
    {"name": "port", "type": "integer", "description": "The port."}
  ]"#)),
        );
    PARAMETER_TYPE = Rule::warning("adl-parameter-type", "The type of a parameter should be a JSON type.")
        .because(
            "`string`, `number`, `integer`, `boolean`, `object`, `array` or `null`. Common words \
             of programming languages are understood; any other word constrains nothing.",
        )
        .shown(
            Agent,
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": [
    {"name": "count", "type": "int", "description": "How often."}
  ]"#)),
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": [
    {"name": "count", "type": "integer", "description": "How often."}
  ]"#)),
        );
    PARAMETER_SCHEMA = Rule::error("adl-parameter-schema", "The constraints of a parameter must make a JSON Schema.")
        .because(
            "They are keywords of JSON Schema, and are enforced as such. Patterns must run in \
             linear time.",
        )
        .shown(
            Agent,
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": [
    {"name": "host", "type": "string", "description": "The host.", "pattern": "["}
  ]"#)),
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": [
    {"name": "host", "type": "string", "description": "The host.", "pattern": "[a-z]"}
  ]"#)),
        );
    RETURNS_UNDECLARED = Rule::warning("adl-returns-undeclared", "A tool of an agent should say what it returns.")
        .because(
            "Without `returns` any result passes, and whoever uses it has to guess its shape. A contract \
             without it is warned about, too (`contract-returns-undeclared`).",
        )
        .shown(
            Agent,
            agent!(r#"{"name": "ping", "description": "Pings.", "parameters": []}"#),
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": []"#)),
        );
    LATER_VERSION = Rule::warning("adl-later-version", "Only the tools of an agent of ADL 2 and 3 are checked.")
        .because(
            "ADL 2 and 3 have many more fields, and let anything stand in most of them. They are kept as they were \
             written; the tools have the form of ADL 1.5.",
        )
        .shown(
            Agent,
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": []"#); r#""workflow": {"steps": ["ping"]}"#),
            agent!(tool!(r#"{"name": "ping", "description": "Pings.", "parameters": []"#)),
        );
}
