use super::{Rule, Subject::Contract};

/// A document of one tool, and what else to say about it.
macro_rules! tool {
    ($more:literal) => {
        tool!(version "1", $more)
    };
    (version $version:literal, $more:literal) => {
        concat!(
            "{\n  \"toolpact\": ",
            $version,
            r#",
  "tools": [
    {
      "name": "ping",
      "description": "Checks the connection.",
      "parameters": {"type": "object"},
      "returns": "VoidResult""#,
            $more,
            "\n    }\n  ]\n}"
        )
        .as_bytes()
    };
}

rules! {
    VERSION = Rule::error("contract-version", "A contract document must be of version 1.")
        .because(
            "`toolpact: 1`, a number, says that this is a contract document and by which rules \
             it is to be read. A program that does not know a version says nothing else about \
             the document.",
        )
        .shown(Contract, tool!(version "2", ""), tool!(""));
    EMPTY = Rule::error("contract-empty", "A contract document must have at least one tool.")
        .because("A document without tools promises nothing.")
        .shown(Contract, br#"{"toolpact": 1, "tools": []}"#, tool!(""));
    DUPLICATE_NAME = Rule::error("contract-duplicate-name", "Tool names must be unique within a contract document.")
        .because(
            "A call names its tool, so two tools of one name cannot be told apart. Names that \
             differ in case are different.",
        )
        .shown(
            Contract,
            br#"{
  "toolpact": 1,
  "tools": [
    {"name": "ping", "description": "Pings.", "parameters": {"type": "object"}, "returns": "VoidResult"},
    {"name": "ping", "description": "Pings twice.", "parameters": {"type": "object"}, "returns": "VoidResult"}
  ]
}"#,
            br#"{
  "toolpact": 1,
  "tools": [
    {"name": "ping", "description": "Pings.", "parameters": {"type": "object"}, "returns": "VoidResult"},
    {"name": "ping_twice", "description": "Pings twice.", "parameters": {"type": "object"}, "returns": "VoidResult"}
  ]
}"#,
        );
    RETURNS_UNDECLARED = Rule::warning("contract-returns-undeclared", "A contract should say what the tool returns.")
        .because(
            "Without `returns` any result passes, and whoever uses it has to guess its shape. \
             Name a standard return type, write a JSON Schema, or write `opaque`: that says that \
             the result is text, by choice.",
        )
        .shown(
            Contract,
            br#"{
  "toolpact": 1,
  "tools": [
    {"name": "ping", "description": "Checks the connection.", "parameters": {"type": "object"}}
  ]
}"#,
            tool!(""),
        );
    DEFAULT = Rule::warning("contract-default", "A default should be a value that its schema takes.")
        .because(
            "Nobody checks a default until a caller relies on it, and then the call is refused. ADL \
             has no such defaults. Null is not looked at: generators write it for no default.",
        )
        .shown(
            Contract,
            br#"{
  "toolpact": 1,
  "tools": [
    {
      "name": "list",
      "description": "Lists.",
      "parameters": {"type": "object", "properties": {"n": {"type": "integer", "default": "10"}}},
      "returns": "ListResult"
    }
  ]
}"#,
            br#"{
  "toolpact": 1,
  "tools": [
    {
      "name": "list",
      "description": "Lists.",
      "parameters": {"type": "object", "properties": {"n": {"type": "integer", "default": 10}}},
      "returns": "ListResult"
    }
  ]
}"#,
        );
    TEXT = Rule::error("contract-text", "The text of a contract must be a template that can be used.")
        .because(
            "A template in the language of Jinja: `{{ … }}` with filters, `if`, `for`, `set` and \
             `with`. It cannot include other templates, and has no `macro` and no `raw`. It has at \
             most 65,536 bytes, 100 words and signs in a tag, 10 brackets and 20 blocks inside of \
             each other, and 100 `elif`. A mistake in it would otherwise show in the middle of a \
             call.",
        )
        .shown(
            Contract,
            tool!(r#",
      "text": "It took {{ ms milliseconds.""#),
            tool!(r#",
      "text": "It took {{ ms }} milliseconds.""#),
        );
    EFFECTS = Rule::error("contract-effects", "The effects of a tool must not contradict each other.")
        .because("A tool that only reads destroys nothing. Callers rely on both.")
        .shown(
            Contract,
            tool!(r#",
      "effects": {"read_only": true, "destructive": true}"#),
            tool!(r#",
      "effects": {"read_only": true}"#),
        );
    ORIGINAL_NAME = Rule::error("contract-original-name", "`original_name` must be a name in one line.")
        .because(
            "It is the name of the tool where it is from, such as `math.sum`, which not every dialect \
             allows. Those that do are given it back, and calls may use it.",
        )
        .shown(
            Contract,
            tool!(r#",
      "original_name": """#),
            tool!(r#",
      "original_name": "net.ping""#),
        );
    TIMEOUT = Rule::error("contract-timeout", "`timeout_ms` must be a whole number of milliseconds, at most a day.")
        .because(
            "From 1 to 86400000. A call that takes longer than a day is better answered at once \
             with an OperationStatus.",
        )
        .shown(
            Contract,
            tool!(r#",
      "timeout_ms": 0"#),
            tool!(r#",
      "timeout_ms": 5000"#),
        );
    LIFT = Rule::error("contract-lift", "`lift` must say how results are made of what a tool gives.")
        .because(
            "A mapping from keys of the promised type, with a `.` between them, to JSON Pointers into \
             the output; or `never`, where the output must be of the type already.",
        )
        .shown(
            Contract,
            tool!(r#",
      "lift": "always""#),
            tool!(r#",
      "lift": {"message": "/status"}"#),
        );
    RUN = Rule::error("contract-run", "`run` must say how the tool is run.")
        .because("By a `command`. Leave `run` out if something else knows how to run the tool.")
        .shown(
            Contract,
            tool!(r#",
      "run": {}"#),
            tool!(r#",
      "run": {"command": ["python3", "ping.py"]}"#),
        );
    COMMAND = Rule::error("contract-command", "A command must be a program and its arguments.")
        .because(
            "A list of strings, the program first. There is no shell in between, so nothing in \
             it is expanded or split; and no operating system passes on the character U+0000.",
        )
        .shown(
            Contract,
            tool!(r#",
      "run": {"command": []}"#),
            tool!(r#",
      "run": {"command": ["python3", "ping.py"]}"#),
        );
    ENV = Rule::error("contract-env", "`env` must be the names of environment variables, each once.")
        .because(
            "It says which variables of the environment the command may see. It has no values: a \
             contract is no place for secrets.",
        )
        .shown(
            Contract,
            tool!(r#",
      "run": {"command": ["./ping"], "env": ["API_KEY=secret"]}"#),
            tool!(r#",
      "run": {"command": ["./ping"], "env": ["API_KEY"]}"#),
        );
}
