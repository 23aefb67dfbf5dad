//! Code that uses declarations rightly and wrongly. mypy, pyright and ty judge it in
//! `conformance/tests/it/stubs`, and the checker of the sandbox in `toolpact-code`: they must agree.

pub(crate) const CONTRACTS: [&str; 5] = [
    r#"{"name": "read-file", "description": "Reads \"\"\" \\", "parameters": {"type": "object", "properties": {"path": {"type": "string"}, "from": {"type": "integer"}, "mode": {"enum": ["text", "bytes"], "default": "text"}}, "required": ["path"]}, "returns": {"type": "object", "properties": {"text": {"type": "string"}, "size": {"type": "integer"}, "in": {"type": "array", "items": {"type": "string"}}}, "required": ["text", "in"]}}"#,
    r#"{"name": "list", "description": "Lists.", "parameters": {"type": "object"}, "returns": "ListResult"}"#,
    r##"{"name": "count", "description": "Counts.", "parameters": {"type": "object", "properties": {"filter": {"type": "object", "properties": {"and": {"type": "array", "items": {"$ref": "#/properties/filter"}}}}}}, "returns": "NumberValue"}"##,
    r#"{"name": "delete", "description": "Deletes.", "parameters": {"type": "object", "properties": {"id": {"type": ["string", "integer"]}}, "required": ["id"]}, "returns": "VoidResult"}"#,
    KINDS,
];

/// A key for each kind of schema.
const KINDS: &str = r##"{"name": "kinds", "description": "All kinds.", "parameters": {"type": "object"}, "returns": {"type": "object", "properties": {
    "string": {"type": "string"}, "integer": {"type": "integer"}, "number": {"type": "number"}, "boolean": {"type": "boolean"}, "null": {"type": "null"},
    "enum": {"enum": ["a", 1]}, "const": {"const": "x"}, "array": {"type": "array", "items": {"type": "integer"}}, "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false},
    "map": {"type": "object", "additionalProperties": {"type": "integer"}}, "open": {"type": "object"}, "object": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    "union": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "nullable": {"type": ["string", "null"]}, "both": {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]},
    "ref": {"$ref": "#/$defs/node"}, "anything": {}
}, "required": ["string", "integer", "number", "boolean", "null", "enum", "const", "array", "tuple", "map", "open", "object", "union", "nullable", "both", "ref", "anything"],
"$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "name": {"type": "string"}}, "required": ["name"]}}}}"##;

/// A line that must pass, and one that must not.
pub(crate) const PYTHON: &[(&str, &str)] = &[
    (r#"read_file("a")"#, "read_file(5)"),
    (
        r#"read_file("a", from_=3, mode="bytes")"#,
        r#"read_file("a", mode="other")"#,
    ),
    (r#"read_file("a", None)"#, r"read_file()"),
    (
        r#"a: str = read_file("a")["text"]"#,
        r#"a: int = read_file("a")["text"]"#,
    ),
    (
        r#"a: list[str] = read_file("a")["in"]"#,
        r#"read_file("a")["out"]"#,
    ),
    (r#"a = list_()["data"]"#, r#"a = list_()["success"]"#),
    ("a: float = count()", "a: str = count()"),
    (
        r#"a: str | None = count_result().get("unit")"#,
        r#"count_result()["colour"]"#,
    ),
    (
        r#"a: float = count_result()["value"]"#,
        r#"a: str = count_result()["value"]"#,
    ),
    (
        r#"count({"and": [{"and": []}]})"#,
        r#"count({"and": [{"and": [5]}]})"#,
    ),
    ("delete(5)", "delete(None)"),
    (r#"delete(id="a")"#, r#"delete(name="a")"#),
    (
        "try:\n    delete(1)\nexcept ToolError as error:\n    print(error)",
        "raise ToolErrors()",
    ),
    (
        r#"a: str = kinds()["string"]"#,
        r#"a: int = kinds()["string"]"#,
    ),
    (
        r#"a: int = kinds()["integer"]"#,
        r#"a: str = kinds()["integer"]"#,
    ),
    (
        r#"a: float = kinds()["number"]"#,
        r#"a: str = kinds()["number"]"#,
    ),
    (
        r#"a: bool = kinds()["boolean"]"#,
        r#"a: str = kinds()["boolean"]"#,
    ),
    (
        r#"a: None = kinds()["null"]"#,
        r#"a: str = kinds()["null"]"#,
    ),
    (
        r#"a: str = kinds()["const"]"#,
        r#"a: int = kinds()["const"]"#,
    ),
    (
        r#"a: list[int] = kinds()["array"]"#,
        r#"a: list[str] = kinds()["array"]"#,
    ),
    (
        r#"a: dict[str, int] = kinds()["map"]"#,
        r#"a: dict[str, str] = kinds()["map"]"#,
    ),
    (
        r#"a: str | int = kinds()["union"]"#,
        r#"a: str = kinds()["union"]"#,
    ),
    (
        r#"a: str | None = kinds()["nullable"]"#,
        r#"a: str = kinds()["nullable"]"#,
    ),
    (
        r#"a: str | int = kinds()["enum"]"#,
        r#"a: str = kinds()["enum"]"#,
    ),
    (
        r#"a: str | int = kinds()["tuple"][0]"#,
        r#"a: bytes = kinds()["tuple"][0]"#,
    ),
    (
        r#"a: int = kinds()["open"]["any"]"#,
        r#"a: int = kinds()["open"]"#,
    ),
    (
        r#"a: str = kinds()["object"]["a"]"#,
        r#"a: int = kinds()["object"]["a"]"#,
    ),
    (
        r#"a: int = kinds()["both"]["b"]"#,
        r#"a: int = kinds()["both"]["c"]"#,
    ),
    (
        "n = kinds()[\"ref\"].get(\"next\")\na: str = n[\"name\"] if n else \"\"",
        "n = kinds()[\"ref\"].get(\"next\")\na: int = n[\"name\"] if n else 0",
    ),
    (
        r#"a: int = kinds()["anything"]"#,
        r#"kinds()["everything"]"#,
    ),
];
