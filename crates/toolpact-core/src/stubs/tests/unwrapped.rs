use super::{contract, schema};
use crate::json::Value;
use crate::returns::{Returns, StandardType};
use crate::stubs::{python, success_value, typescript, whole_result};

/// A return type, its type in Python and in TypeScript, a result, and the value that code receives.
const ROWS: &[(&str, &str, &str, &str, &str)] = &[
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
    // Results that violate a contract that is not enforced.
    (r#""FileResult""#, "TryResponse", "TryResponse", "5", "5"),
    (r#""ListResult""#, "TryResponse", "TryResponse", "5", "5"),
];

#[test]
fn standard_types_are_unwrapped() {
    for (returns, in_python, in_typescript, result, value) in ROWS {
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
            *value,
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
    let text = python::response_lines("find", &returns).join("\n");
    let expected = "class FindResponse(TypedDict):\n    data: list[FindResponseDataItem]\n    \
                    pagination: FindResponsePagination\n";
    assert!(text.ends_with(expected), "{text}");
    assert!(
        text.starts_with("class FindResponseDataItem(TypedDict):\n    id: str\n"),
        "{text}"
    );
}

#[test]
fn whole_results_have_a_function_of_their_own() {
    let parameters =
        r#"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#;
    let number = contract("measure", parameters, r#""NumberValue""#);
    let python = python::preamble([&number]);
    assert_eq!(
        python.tools()[0].text(),
        r#"class MeasureResult(TypedDict):
    success: bool
    value: float
    unit: NotRequired[str]

def measure(city: str) -> float:
    """Tries it."""
    ...

def measure_result(city: str) -> MeasureResult:
    """The whole result of `measure`, with `unit`."""
    ...
"#
    );
    assert_eq!(python.tool("measure_result"), python.tool("measure"));
    let typescript = typescript::preamble([&number]).text();
    for line in [
        "  value: number;\n  unit?: string;\n",
        "export declare function measure_result(args: {\n  city: string;\n}): Promise<MeasureResult>;",
    ] {
        assert!(typescript.contains(line), "{typescript}");
    }
    // A tool of that name keeps it.
    let other = contract("measure_result", parameters, r#""NumberValue""#);
    let both = python::preamble([&number, &other]);
    let aliases = both
        .tools()
        .iter()
        .map(super::super::ToolStub::result_alias);
    assert_eq!(
        aliases.collect::<Vec<_>>(),
        [Some("measure_result_2"), Some("measure_result_result")]
    );
}

#[test]
fn types_whose_results_have_more() {
    let rows = [
        ("NumberValue", Some("unit")),
        ("IdentifierValue", Some("type")),
        ("ObjectResult", Some("metadata")),
        ("VoidResult", Some("message")),
    ];
    for standard in StandardType::all() {
        let name = standard.name();
        let contract = contract("try", r#"{"type": "object"}"#, &format!("\"{name}\""));
        let text = python::preamble([&contract]).text();
        let more = rows.iter().find(|(row, _)| *row == name);
        match more.and_then(|(_, key)| *key) {
            Some(key) => {
                let about = format!("The whole result of `try_`, with `{key}`.");
                assert!(text.contains(&about), "{text}");
            }
            None => assert!(!text.contains("_result("), "{text}"),
        }
    }
}

#[test]
fn whole_results_are_objects() {
    for (standard, result, whole) in [
        (
            StandardType::NumberValue,
            "5",
            r#"{"success":true,"value":5}"#,
        ),
        (
            StandardType::IdentifierValue,
            r#"{"success":true,"id":"a","type":"b"}"#,
            r#"{"success":true,"id":"a","type":"b"}"#,
        ),
        (StandardType::VoidResult, "null", r#"{"success":true}"#),
        (
            StandardType::VoidResult,
            r#"{"success":true,"message":"m"}"#,
            r#"{"success":true,"message":"m"}"#,
        ),
        (StandardType::ListResult, "5", "5"),
    ] {
        let returns = Returns::Standard {
            standard,
            refinement: None,
        };
        let result = Value::from_json(result).unwrap();
        assert_eq!(whole_result(&returns, &result).text(), whole);
    }
}
