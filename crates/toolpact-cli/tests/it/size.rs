//! Documents that are deep or long.

use crate::run::Folder;

const LEVELS: usize = 100_000;

/// A valid schema of arrays in arrays.
fn deep_schema() -> String {
    let open = r#"{"type": "ARRAY", "items": "#.repeat(LEVELS - 1);
    format!(r#"{open}{{"type": "STRING"}}{}"#, "}".repeat(LEVELS - 1))
}

#[test]
fn a_hundred_thousand_levels_are_refused() {
    let folder = Folder::new()
        .file("schema.json", deep_schema())
        .file("open.json", "[".repeat(LEVELS))
        .file("flow.yaml", "[".repeat(LEVELS))
        .file("block.yaml", "- ".repeat(LEVELS) + "x");
    for name in ["schema.json", "open.json"] {
        folder
            .run(["check", name])
            .assert(1, "error[json-too-deep]", "");
        folder
            .run(["digest", name])
            .assert(1, "", "error[json-too-deep]");
    }
    for name in ["flow.yaml", "block.yaml"] {
        folder.run(["check", name]).assert(1, "error[", "");
    }
}

#[test]
fn a_hundred_thousand_levels_are_accepted_on_request() {
    let folder = Folder::new().file("schema.json", deep_schema());
    let ran = folder.run(["check", "--max-depth", "200000", "schema.json"]);
    ran.assert(0, "1 document checked: no problems\n", "");
    let ran = folder.run([
        "digest",
        "--max-depth",
        "200000",
        "--canonical",
        "schema.json",
    ]);
    assert_eq!(ran.stdout.matches("items").count(), LEVELS - 1);
    for format in ["json", "sarif", "github"] {
        let ran = folder.run([
            "check",
            "--format",
            format,
            "--max-depth",
            "200000",
            "schema.json",
        ]);
        assert_eq!(ran.status, 0, "{format}");
    }
}

/// Every format, with a mistake at the very bottom.
#[test]
fn a_mistake_at_the_bottom_of_a_hundred_thousand_levels() {
    let text = deep_schema().replace("STRING", "STRNG");
    let folder = Folder::new().file("schema.json", text);
    for format in ["human", "json", "sarif", "github"] {
        let ran = folder.run([
            "check",
            "--format",
            format,
            "--max-depth",
            "200000",
            "schema.json",
        ]);
        ran.assert(1, "STRNG", "");
    }
}

#[test]
fn calls_against_a_deep_schema() {
    let parameters = format!(
        r#"{{"type": "OBJECT", "properties": {{"v": {}}}}}"#,
        deep_schema()
    );
    let tool = format!(r#"{{"name": "f", "description": "Deep.", "parameters": {parameters}}}"#);
    let value = |inner: &str| {
        let brackets = ("[".repeat(LEVELS - 1), "]".repeat(LEVELS - 1));
        format!(
            r#"{{"name": "f", "args": {{"v": {}{inner}{}}}}}"#,
            brackets.0, brackets.1
        )
    };
    let calls = format!("{}\n{}\n", value("\"x\""), value("1"));
    let folder = Folder::new()
        .file("tool.json", tool)
        .file("calls.jsonl", calls);
    let arguments = ["validate", "--tools", "tool.json", "--calls", "calls.jsonl"];
    folder.run(arguments).assert(1, "error[json-too-deep]", "");
    let ran = folder.run([&arguments[..], &["--max-depth", "200000"]].concat());
    let column = value("1").find("1]").unwrap() + 1;
    ran.assert(1, &format!("calls.jsonl:2:{column}: error[value-type]"), "");
    ran.assert(1, "calls.jsonl: 2 calls, 1 invalid\n", "");
}

#[test]
fn a_long_document_is_refused() {
    let folder = Folder::with_good_tool();
    let ran = folder.run(["check", "--max-bytes", "100", "good.json"]);
    ran.assert(1, "error[json-too-large]", "");
    folder
        .run(["check", "--max-bytes", "0", "good.json"])
        .assert(1, "error[json-too-large]", "");
}

#[test]
fn more_mistakes_than_anyone_reads_are_counted() {
    let list = vec![r#"{"type": "STRNG"}"#; 5_000].join(",");
    let folder = Folder::new().file("list.json", format!("[{list}]"));
    let check = |arguments: &[&str]| {
        folder.run(
            [
                &["check", "--as", "schema", "list.json", "--max-violations"],
                arguments,
            ]
            .concat(),
        )
    };
    let ran = check(&["50"]);
    ran.assert(
        1,
        "list.json: 4,950 more violations not shown (--max-violations)\n",
        "",
    );
    ran.assert(1, "1 document checked: 5,000 errors\n", "");
    check(&["0"]).assert(1, "5,000 errors\n", "");
    check(&["1000", "--format", "json"]).assert(1, r#""omitted":4000"#, "");
}
