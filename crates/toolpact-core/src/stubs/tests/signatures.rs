use super::contract;
use crate::stubs::{python, typescript};

#[test]
fn parameters_in_python() {
    for (parameters, signature) in [
        (r#"{"type": "object"}"#, "()"),
        (r#"{"type": "array", "items": {}}"#, "()"),
        // Required first, each group in the order of the schema.
        (
            r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "boolean"}, "d": {"type": "number"}}, "required": ["d", "b"]}"#,
            "(b: int, d: float, a: str | None = None, c: bool | None = None)",
        ),
        // Defaults, where they are of the type.
        (
            r#"{"type": "object", "properties": {"page": {"type": "integer", "default": 1.0}, "bad": {"type": "integer", "default": "1"}, "x": {"default": null}}}"#,
            "(page: int = 1, bad: int | None = None, x: Any = None)",
        ),
        (
            r#"{"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}, "default": ["a", "\""]}, "on": {"type": "boolean", "default": true}, "o": {"type": "object", "default": {"a": [null, 1.5]}}}}"#,
            r#"(tags: list[str] = ["a", "\""], on: bool = True, o: dict[str, Any] = {"a": [None, 1.5]})"#,
        ),
        (
            r#"{"type": "object", "properties": {"size": {"enum": ["s", "m"], "default": "m"}, "color": {"enum": ["red"], "default": "blue"}, "f": {"type": "number", "default": 2}}}"#,
            r#"(size: Literal["s", "m"] = "m", color: Literal["red"] | None = None, f: float = 2)"#,
        ),
        (
            r#"{"type": "object", "properties": {"p": {"properties": {"x": {"type": "integer"}}, "required": ["x"], "default": {}}, "q": {"properties": {"x": {"type": "integer"}}, "default": {"x": 1}}}}"#,
            r#"(p: TryP | None = None, q: TryQ = {"x": 1})"#,
        ),
        // A required parameter has no default, and null stays null.
        (
            r#"{"type": "object", "properties": {"a": {"type": ["string", "null"], "default": "x"}, "b": {"type": ["string", "null"]}}, "required": ["a"]}"#,
            "(a: str | None, b: str | None = None)",
        ),
        // Names that are invalid in Python.
        (
            r#"{"type": "object", "properties": {"from": {"type": "string"}, "a-b": {"type": "string"}, "_x": {"type": "string"}, "id": {"type": "string"}}, "required": ["from", "a-b", "_x", "id"]}"#,
            "(from_: str, a_b: str, _x: str, id: str)",
        ),
        // Alternatives are merged.
        (
            r#"{"oneOf": [{"properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind", "n"]}, {"properties": {"kind": {"const": "b"}, "n": {"type": "string"}}, "required": ["kind"]}]}"#,
            r#"(kind: Literal["a", "b"], n: int | str | None = None)"#,
        ),
        // Required, but not described.
        (
            r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "b"]}"#,
            "(a: str, b: Any)",
        ),
        // Described under a condition only.
        (
            r#"{"type": "object", "properties": {"card": {"type": "string"}}, "dependentSchemas": {"card": {"properties": {"cvc": {"type": "string"}}, "required": ["cvc"]}}}"#,
            "(card: str | None = None, cvc: str | None = None)",
        ),
        // Other keys.
        (
            r#"{"type": "object", "properties": {"kwargs": {"type": "string"}}, "additionalProperties": {"type": "integer"}}"#,
            "(kwargs: str | None = None, **kwargs_2: int)",
        ),
        (
            r#"{"type": "object", "additionalProperties": true}"#,
            "(**kwargs: Any)",
        ),
        (
            r#"{"type": "object", "properties": {"a": false}}"#,
            "(a: None = None)",
        ),
        // ADM.
        (
            r#"{"type": "OBJECT", "properties": {"city": {"type": "STRING", "enum": ["oslo"]}, "extra": {"type": "OBJECT"}}, "required": ["city"]}"#,
            r#"(city: Literal["oslo"], extra: dict[str, Any] | None = None)"#,
        ),
    ] {
        let contract = contract("try", parameters, "");
        assert_eq!(
            python::signature("try", contract.parameters()),
            signature,
            "{parameters}"
        );
    }
}

#[test]
fn long_defaults_are_not_shown() {
    let parameters = format!(
        r#"{{"type": "object", "properties": {{"a": {{"type": "string", "default": "{}"}}}}}}"#,
        "x".repeat(200)
    );
    let contract = contract("try", &parameters, "");
    assert_eq!(
        python::signature("try", contract.parameters()),
        "(a: str = ...)"
    );
}

#[test]
fn arguments_in_typescript() {
    for (parameters, signature) in [
        (r#"{"type": "object"}"#, "()"),
        (
            r#"{"type": "object", "properties": {"a-b": {"type": "string"}, "from": {"type": "integer", "default": 1}}, "required": ["a-b"]}"#,
            "(args: {\n  \"a-b\": string;\n  /** @default 1 */\n  from?: number;\n})",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "description": "The a."}}}"#,
            "(args?: {\n  /** The a. */\n  a?: string;\n})",
        ),
        (
            r#"{"anyOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]}"#,
            "(args: Try | Try2)",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}"#,
            "(args?: {\n  a?: string;\n  [key: string]: number | string | undefined;\n})",
        ),
    ] {
        let contract = contract("try", parameters, "");
        assert_eq!(
            typescript::signature("try", contract.parameters()),
            signature,
            "{parameters}"
        );
    }
}
