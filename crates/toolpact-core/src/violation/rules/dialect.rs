use super::{Rule, Subject::Any};

/// A text ten times over.
macro_rules! ten_times {
    ($text:expr) => {
        concat!(
            $text, $text, $text, $text, $text, $text, $text, $text, $text, $text
        )
    };
}

/// Tools with these numbers whose names begin with a letter.
macro_rules! tools {
    ($letter:literal $first:literal $($number:literal)*) => {
        concat!(tool!($letter, $first), $(",", tool!($letter, $number)),*)
    };
}

/// Nine tools for each letter, and a comma after each nine.
macro_rules! nine_each {
    ($($letter:literal)*) => {
        concat!($(tools!($letter 0 1 2 3 4 5 6 7 8), ","),*)
    };
}

macro_rules! tool {
    ($letter:literal, $number:literal) => {
        concat!(
            r#"{"type": "function", "name": ""#,
            $letter,
            $number,
            r#""}"#
        )
    };
}

/// As many tools as OpenAI takes.
macro_rules! most {
    () => {
        concat!(
            nine_each!("a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n"),
            tools!("o" 0 1)
        )
    };
}

rules! {
    TOOL_NAME = Rule::error("dialect-tool-name", "The name of a tool must be one that its provider accepts.")
        .because(
            "Providers refuse a whole request for one name: OpenAI and Anthropic take letters, digits, \
             `_` and `-`, Gemini also `.` and `:`, but no digit first.",
        )
        .shown(
            Any,
            br#"[{"type": "function", "name": "get weather", "parameters": {"type": "object", "properties": {}}}]"#,
            br#"[{"type": "function", "name": "get_weather", "parameters": {"type": "object", "properties": {}}}]"#,
        );
    TOOL_NAME_ADVICE = Rule::warning("dialect-tool-name-advice", "The name of an MCP tool should have 1 to 128 letters, digits, `_`, `-`, `.` and `/`.")
        .because("The protocol says \"should\"; clients that hand tools to a provider have to rename others.")
        .shown(
            Any,
            br#"{"tools": [{"name": "get weather", "inputSchema": {"type": "object"}}]}"#,
            br#"{"tools": [{"name": "get_weather", "inputSchema": {"type": "object"}}]}"#,
        );
    TOOL_DESCRIPTION = Rule::error("dialect-tool-description", "The description of a tool must not be longer than its provider takes.")
        .because("OpenAI takes 1,024 characters.")
        .shown(Any, LONG.as_bytes(), SHORT.as_bytes());
    TOOL_COUNT = Rule::error("dialect-tool-count", "A request must not have more tools than its provider takes.")
        .because("OpenAI takes 128 tools in a request. Send those that the task needs.")
        .shown(
            Any,
            concat!("[", most!(), ",", tool!("o", 2), "]").as_bytes(),
            concat!("[", most!(), "]").as_bytes(),
        );
    KEYWORD = Rule::error("dialect-keyword", "A schema must have only keywords that its provider knows.")
        .because(
            "Gemini, and OpenAI and Anthropic in strict mode, refuse schemas with other keywords. Say in \
             the description what the keyword asks for; `toolpact convert` does that.",
        )
        .shown(
            Any,
            br#"{"functionDeclarations": [{"name": "wait", "parameters": {"type": "OBJECT", "properties": {"s": {"type": "INTEGER", "multipleOf": 5}}}}]}"#,
            br#"{"functionDeclarations": [{"name": "wait", "parameters": {"type": "OBJECT", "properties": {"s": {"type": "INTEGER", "description": "A multiple of 5."}}}}]}"#,
        );
    FORMAT = Rule::error("dialect-format", "A schema for a strict mode must have only formats that its provider knows.")
        .because("OpenAI and Anthropic refuse others in strict mode.")
        .shown(
            Any,
            br#"[{"type": "function", "name": "open", "strict": true, "parameters": {"type": "object", "properties": {"at": {"type": "string", "format": "uri"}}, "required": ["at"], "additionalProperties": false}}]"#,
            br#"[{"type": "function", "name": "open", "strict": true, "parameters": {"type": "object", "properties": {"at": {"type": "string", "description": "A URI."}}, "required": ["at"], "additionalProperties": false}}]"#,
        );
    FORMAT_IGNORED = Rule::warning("dialect-format-ignored", "A schema should have only formats that its provider knows.")
        .because("Models are not told of others, so say in the description what is expected.")
        .shown(
            Any,
            br#"{"functionDeclarations": [{"name": "open", "parameters": {"type": "OBJECT", "properties": {"at": {"type": "STRING", "format": "uri"}}}}]}"#,
            br#"{"functionDeclarations": [{"name": "open", "parameters": {"type": "OBJECT", "properties": {"at": {"type": "STRING", "description": "A URI."}}}}]}"#,
        );
    KEY_NAME = Rule::error("dialect-key-name", "The names of arguments must be those that the provider accepts.")
        .because(
            "Anthropic takes letters, digits, `_`, `.` and `-`, Gemini letters, digits and `_`, each up to \
             64. `toolpact convert` renames keys and turns them back in calls.",
        )
        .shown(
            Any,
            br#"[{"name": "find", "input_schema": {"type": "object", "properties": {"the name": {"type": "string"}}}}]"#,
            br#"[{"name": "find", "input_schema": {"type": "object", "properties": {"the_name": {"type": "string"}}}}]"#,
        );
    OPEN_OBJECT = Rule::error("strict-open-object", "In strict mode every object must have `additionalProperties: false`.")
        .because("OpenAI and Anthropic refuse a strict tool without it. `toolpact check --fix` adds it.")
        .shown(
            Any,
            br#"[{"name": "find", "strict": true, "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}}}]"#,
            br#"[{"name": "find", "strict": true, "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}, "additionalProperties": false}}]"#,
        );
    OPTIONAL_KEY = Rule::error("strict-optional-key", "In OpenAI's strict mode every key must be required.")
        .because(
            "OpenAI refuses a strict tool with a key that `required` does not name. A key that may be left \
             out is one that may be null.",
        )
        .shown(
            Any,
            br#"[{"type": "function", "name": "find", "strict": true, "parameters": {"type": "object", "properties": {"q": {"type": "string"}}, "required": [], "additionalProperties": false}}]"#,
            br#"[{"type": "function", "name": "find", "strict": true, "parameters": {"type": "object", "properties": {"q": {"type": ["string", "null"]}}, "required": ["q"], "additionalProperties": false}}]"#,
        );
    SCHEMA = Rule::error("dialect-schema", "A schema must be one that its provider takes.")
        .because(
            "Providers refuse some schemas that are JSON Schemas: alternatives instead of an object, \
             schemas that contain themselves, more levels or keys than they allow.",
        )
        .shown(
            Any,
            br#"[{"name": "find", "input_schema": {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}]"#,
            br#"[{"name": "find", "input_schema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}]"#,
        );
}

const SHORT: &str = r#"[{"type": "function", "name": "ping", "description": "Pings.", "parameters": {"type": "object", "properties": {}}}]"#;

const LONG: &str = concat!(
    r#"[{"type": "function", "name": "ping", "description": ""#,
    ten_times!(ten_times!("Pings twice.")),
    r#"", "parameters": {"type": "object", "properties": {}}}]"#
);
