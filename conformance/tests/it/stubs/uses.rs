//! Code that uses declarations rightly and wrongly, and declarations that are broken: the checkers
//! must see it.

use conformance::checkers::{Checker, Checkers};
use std::fs;
use std::path::Path;
use toolpact_core::contract::Contract;
use toolpact_core::stubs::{python, typescript};

#[path = "../../../../crates/toolpact-core/tests/it/uses.rs"]
mod table;

use table::{CONTRACTS, PYTHON};

const TYPESCRIPT: &[(&str, &str)] = &[
    (r#"read_file({ path: "a" });"#, "read_file({ path: 5 });"),
    (
        r#"read_file({ path: "a", mode: "text" });"#,
        r#"read_file({ path: "a", mode: "x" });"#,
    ),
    (r#"read_file({ path: "a", from: 1 });"#, "read_file({});"),
    (
        r#"export const a: Promise<string[]> = read_file({ path: "a" }).then((file) => file.in);"#,
        r#"export const a = read_file({ path: "a" }).then((file) => file.out);"#,
    ),
    (
        "export const n: Promise<number> = count();",
        "export const n: Promise<string> = count();",
    ),
    (
        "export const u: Promise<string | undefined> = count_result().then((all) => all.unit);",
        "export const u = count_result().then((all) => all.colour);",
    ),
    (
        "count({ filter: { and: [{}] } });",
        "count({ filter: { and: [5] } });",
    ),
    (r#"delete_({ id: "a" });"#, "delete_({ id: null });"),
    (
        "export const e = (e: unknown) => e instanceof ToolError && e.code;",
        "new ToolErrors();",
    ),
];

#[test]
fn uses_in_python() {
    let contracts = CONTRACTS.map(|json| Contract::from_json(json).unwrap());
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("tools.pyi"),
        python::preamble(&contracts).text(),
    )
    .unwrap();
    let names =
        "from tools import ToolError, count, count_result, delete, kinds, list_, read_file\n";
    for (checker, package) in Checkers::find().of_python() {
        let right: Vec<&str> = PYTHON.iter().map(|(right, _)| *right).collect();
        // Each in a function of its own, so that names are free.
        let right = right.iter().enumerate().map(|(i, line)| function(i, line));
        let right: String = right.collect();
        let file = folder.path().join("right.py");
        fs::write(&file, format!("{names}{right}")).unwrap();
        assert_eq!(checker.refuses(package, &file), None, "{checker:?}");
        let wrong = PYTHON
            .iter()
            .map(|(_, wrong)| format!("{names}{}", function(0, wrong)));
        must_be_refused(checker, package, &folder.path().join("wrong.py"), wrong);
    }
}

fn function(number: usize, body: &str) -> String {
    format!(
        "def use_{number}() -> None:\n    {}\n",
        body.replace('\n', "\n    ")
    )
}

#[test]
fn uses_in_typescript() {
    let contracts = CONTRACTS.map(|json| Contract::from_json(json).unwrap());
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("tools.d.ts"),
        typescript::preamble(&contracts).text(),
    )
    .unwrap();
    let names = "import { ToolError, count, count_result, delete_, read_file } from \"./tools\";\n";
    for (checker, package) in Checkers::find().of_typescript() {
        let right: Vec<&str> = TYPESCRIPT.iter().map(|(right, _)| *right).collect();
        let file = folder.path().join("right.ts");
        fs::write(&file, format!("{names}{}", right.join("\n"))).unwrap();
        assert_eq!(checker.refuses(package, &file), None, "{checker:?}");
        let wrong = TYPESCRIPT
            .iter()
            .map(|(_, wrong)| format!("{names}{wrong}\n"));
        must_be_refused(checker, package, &folder.path().join("wrong.ts"), wrong);
    }
}

/// What the declarations must never be.
#[test]
fn broken_declarations_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (checker, package) in Checkers::find().of_python() {
        let broken = [
            "def a(from: str) -> str:\n    ...\n",
            "def a() -> str:\n    \"\"\"ends \\\"\"\"\n    ...\n",
            "def a() -> Unknown:\n    ...\n",
            "from typing import TypedDict\nclass A(TypedDict):\n    from: str\n",
            "def a(x: str, x: int) -> str:\n    ...\n",
            "def a(x: int = \"\") -> str:\n    ...\n",
        ];
        let file = folder.path().join("broken.pyi");
        must_be_refused(checker, package, &file, broken.map(ToOwned::to_owned));
    }
    for (checker, package) in Checkers::find().of_typescript() {
        let broken = [
            "export declare function delete(): void;\n",
            "/** a */ b */\nexport declare function a(): void;\n",
            "export declare function a(): Unknown;\n",
            "export interface A {\n  a-b: string;\n}\n",
            "export type A = Record<string, A>;\n",
        ];
        let file = folder.path().join("broken.d.ts");
        must_be_refused(checker, package, &file, broken.map(ToOwned::to_owned));
    }
}

fn must_be_refused(
    checker: Checker,
    package: &Path,
    file: &Path,
    texts: impl IntoIterator<Item = String>,
) {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    for text in texts {
        fs::write(file, &text).unwrap();
        let refusal = checker.refuses(package, file);
        let names_the_file = refusal.as_ref().is_some_and(|why| why.contains(&name));
        assert!(names_the_file, "{checker:?} {refusal:?}:\n{text}");
    }
}
