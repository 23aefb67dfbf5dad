use super::{contract, schema};
use crate::json::Value;
use crate::returns::{Returns, StandardType};
use crate::stubs::{python, success_value, typescript};

#[test]
fn typed_dicts() {
    let returns = custom(
        r#"{
            "type": "object",
            "description": "A file.",
            "properties": {
                "path": {"type": "string", "description": "Where it is."},
                "lines": {"type": "array", "items": {"type": "object", "properties": {"text": {"type": "string"}}}},
                "owner": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
            },
            "required": ["path"]
        }"#,
    );
    let expected = r#"class ReadFileResponseLinesItem(TypedDict):
    text: NotRequired[str]

class ReadFileResponseOwner(TypedDict):
    name: str

class ReadFileResponse(TypedDict):
    """A file."""

    path: str
    """Where it is."""
    lines: NotRequired[list[ReadFileResponseLinesItem]]
    owner: NotRequired[ReadFileResponseOwner]
"#;
    assert_eq!(
        lines(&python::response_lines("read_file", &returns)),
        expected
    );
    let expected = r"export interface ReadFileResponseLinesItem {
  text?: string;
}

export interface ReadFileResponseOwner {
  name: string;
}

/** A file. */
export interface ReadFileResponse {
  /** Where it is. */
  path: string;
  lines?: ReadFileResponseLinesItem[];
  owner?: ReadFileResponseOwner;
}
";
    assert_eq!(
        lines(&typescript::response_lines("read_file", &returns)),
        expected
    );
}

/// Keywords, what is no name, what Python changes in a class, and what would hide a type there.
#[test]
fn keys_that_are_no_names() {
    for key in ["from", "a-b", "__x", "list", "Any", "ﬁ", "1"] {
        let returns = custom(&format!(
            r#"{{"properties": {{"{key}": {{"type": "string", "description": "A."}}, "b": {{"type": "integer"}}}}, "required": ["b"]}}"#
        ));
        let expected = format!(
            r#"TryResponse = TypedDict("TryResponse", {{
    "{key}": NotRequired[str],
    "b": int,
}})
"""Keys:
        {key}: A.
"""
"#
        );
        assert_eq!(lines(&python::response_lines("try", &returns)), expected);
    }
    for key in ["type", "match", "_x", "items", "keys", "größe", "Other"] {
        let returns = custom(&format!(
            r#"{{"properties": {{"{key}": {{"type": "string"}}}}}}"#
        ));
        let expected = format!("class TryResponse(TypedDict):\n    {key}: NotRequired[str]\n");
        assert_eq!(lines(&python::response_lines("try", &returns)), expected);
    }
    let hides = custom(
        r#"{"properties": {"TryResponseA": {"type": "string"}, "a": {"properties": {"b": {}}}}}"#,
    );
    let text = lines(&python::response_lines("try", &hides));
    assert!(text.contains("TryResponse = TypedDict("), "{text}");
    let empty = custom(r#"{"properties": {"": {"type": "string"}, "a": {"type": "integer"}}}"#);
    let text = lines(&python::response_lines("try", &empty));
    assert_eq!(text, "TryResponse: TypeAlias = dict[str, str | int]\n");
}

#[test]
fn what_refers_to_itself() {
    let tree = custom(
        r##"{"$ref": "#/$defs/tree", "$defs": {"tree": {"properties": {"leaves": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}}}"##,
    );
    let expected = "class GrowResponse(TypedDict):\n    leaves: NotRequired[list[GrowResponse]]\n";
    assert_eq!(lines(&python::response_lines("grow", &tree)), expected);
    let json = custom(
        r##"{"anyOf": [{"type": ["string", "null"]}, {"type": "array", "items": {"$ref": "#"}}, {"additionalProperties": {"$ref": "#"}}]}"##,
    );
    assert_eq!(
        lines(&python::response_lines("get", &json)),
        "GetResponse: TypeAlias = str | list[GetResponse] | dict[str, GetResponse] | None\n"
    );
    assert_eq!(
        lines(&typescript::response_lines("get", &json)),
        "export type GetResponse = string | GetResponse[] | { [key: string]: GetResponse } | null;\n"
    );
    let mutual = custom(
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": {"$ref": "#/$defs/b"}}}, "b": {"properties": {"a": {"$ref": "#/$defs/a"}}}}}"##,
    );
    let expected = "class GetResponseB(TypedDict):\n    a: NotRequired[GetResponse]\n\n\
                    class GetResponse(TypedDict):\n    b: NotRequired[GetResponseB]\n";
    assert_eq!(lines(&python::response_lines("get", &mutual)), expected);
}

#[test]
fn what_is_shared_is_declared_once() {
    let shared = custom(
        r##"{"properties": {"from": {"$ref": "#/$defs/p"}, "to": {"$ref": "#/$defs/p", "description": "There."}, "all": {"anyOf": [{"$ref": "#/$defs/p"}, {"type": "null"}]}}, "$defs": {"p": {"properties": {"x": {"type": "number"}}}}}"##,
    );
    let text = lines(&typescript::response_lines("go", &shared));
    assert_eq!(text.matches("interface").count(), 2, "{text}");
    assert!(text.contains("  all?: GoResponseFrom | null;\n"), "{text}");
}

#[test]
fn other_keys_are_told() {
    let returns = custom(
        r#"{"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}"#,
    );
    let expected = "class TryResponse(TypedDict):\n    \"\"\"Other keys: int.\"\"\"\n\n    a: NotRequired[str]\n";
    assert_eq!(lines(&python::response_lines("try", &returns)), expected);
}

/// A promise, what code gets in Python and in TypeScript, a result, and what is handed over of it.
#[test]
fn standard_types_are_unwrapped() {
    for (returns, in_python, in_typescript, result, value) in [
        (
            r#""StringValue""#,
            "str",
            "string",
            r#"{"success":true,"value":"a"}"#,
            r#""a""#,
        ),
        (r#""StringValue""#, "str", "string", r#""a""#, r#""a""#),
        (
            r#""NumberValue""#,
            "float",
            "number",
            r#"{"success":true,"value":5,"unit":"m"}"#,
            "5",
        ),
        (r#""BooleanValue""#, "bool", "boolean", "true", "true"),
        (
            r#""IdentifierValue""#,
            "str",
            "string",
            r#"{"success":true,"id":"u1","type":"user"}"#,
            r#""u1""#,
        ),
        (
            r#""ObjectResult""#,
            "dict[str, Any]",
            "Record<string, unknown>",
            r#"{"success":true,"data":{"a":1}}"#,
            r#"{"a":1}"#,
        ),
        (
            r#""VoidResult""#,
            "None",
            "void",
            r#"{"success":true,"message":"done"}"#,
            "null",
        ),
        (
            r#""ListResult""#,
            "TryResponse",
            "TryResponse",
            r#"{"success":true,"data":[],"pagination":{}}"#,
            r#"{"data":[],"pagination":{}}"#,
        ),
        (
            r#""FileResult""#,
            "TryResponse",
            "TryResponse",
            r#"{"success":true,"file":{"name":"a"}}"#,
            r#"{"name":"a"}"#,
        ),
        (
            r#""MediaResult""#,
            "TryResponse",
            "TryResponse",
            r#"{"success":true,"media":{"type":"image"}}"#,
            r#"{"type":"image"}"#,
        ),
        (
            r#""EntityResult""#,
            "TryResponse",
            "TryResponse",
            r#"{"id":"1","type":"a"}"#,
            r#"{"id":"1","type":"a"}"#,
        ),
        (
            r#""OperationStatus""#,
            "TryResponse",
            "TryResponse",
            "{}",
            "{}",
        ),
        (
            r#""BatchResult""#,
            "TryResponse",
            "TryResponse",
            r#"{"success":false}"#,
            r#"{"success":false}"#,
        ),
        (
            r#""EventStream""#,
            "TryResponse",
            "TryResponse",
            r#"{"event":"a"}"#,
            r#"{"event":"a"}"#,
        ),
        (r#""ChunkedData""#, "TryResponse", "TryResponse", "{}", "{}"),
        (r#""opaque""#, "str", "string", r#""text""#, r#""text""#),
        ("", "Any", "unknown", "[1]", "[1]"),
        (
            r#"{"type": "array", "items": {"type": "string"}}"#,
            "list[str]",
            "string[]",
            "[]",
            "[]",
        ),
        // Narrowed.
        (
            r#"{"type": "NumberValue", "schema": {"type": "integer"}}"#,
            "int",
            "number",
            "5",
            "5",
        ),
        (
            r#"{"type": "StringValue", "schema": {"enum": ["a", "b"]}}"#,
            r#"Literal["a", "b"]"#,
            r#""a" | "b""#,
            r#""a""#,
            r#""a""#,
        ),
        (
            r#"{"type": "ObjectResult", "schema": {"properties": {"data": {"properties": {"n": {"type": "integer"}}}}}}"#,
            "TryResponse",
            "TryResponse",
            r#"{"success":true,"data":{"n":1}}"#,
            r#"{"n":1}"#,
        ),
        // Not as promised, where that is not enforced.
        (r#""FileResult""#, "TryResponse", "TryResponse", "5", "5"),
        (r#""ListResult""#, "TryResponse", "TryResponse", "5", "5"),
    ] {
        let contract = contract("try", r#"{"type": "object"}"#, returns);
        let python = python::preamble([&contract]).text();
        assert!(
            python.contains(&format!("def try_() -> {in_python}:")),
            "{returns}: {python}"
        );
        let typescript = typescript::preamble([&contract]).text();
        let declared = format!("function try_(): Promise<{in_typescript}>;");
        assert!(typescript.contains(&declared), "{returns}: {typescript}");
        let result = Value::from_json(result).unwrap();
        assert_eq!(
            success_value(contract.returns(), &result).text(),
            value,
            "{returns}"
        );
    }
}

#[test]
fn a_list_has_its_items_and_its_pages() {
    let refinement = schema(
        r#"{"properties": {"data": {"items": {"properties": {"id": {"type": "string"}}, "required": ["id"]}}}, "required": ["pagination"]}"#,
    );
    let returns = Returns::Standard {
        standard: StandardType::ListResult,
        refinement: Some(refinement),
    };
    let text = lines(&python::response_lines("find", &returns));
    let expected = "class FindResponse(TypedDict):\n    data: list[FindResponseDataItem]\n    \
                    pagination: FindResponsePagination\n";
    assert!(text.ends_with(expected), "{text}");
    assert!(
        text.starts_with("class FindResponseDataItem(TypedDict):\n    id: str\n"),
        "{text}"
    );
}

fn custom(json: &str) -> Returns {
    Returns::Custom(schema(json))
}

fn lines(lines: &[String]) -> String {
    lines.join("\n")
}
