use super::schema;
use crate::returns::Returns;
use crate::stubs::{python, typescript};

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

/// Keywords, keys that are not identifiers or that Python mangles, and keys that would hide a type.
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

fn custom(json: &str) -> Returns {
    Returns::Custom(schema(json))
}

fn lines(lines: &[String]) -> String {
    lines.join("\n")
}
