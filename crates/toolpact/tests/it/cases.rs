//! The contracts under `tests/cases`: see the page there.

use std::fs;
use std::path::{Path, PathBuf};

use toolpact::core::contract::{Contract, ContractDocument};
use toolpact::core::dialect::{Dialect, Loss};
use toolpact::core::json::{Document, Limits, Value};
use toolpact::core::stubs::{python, typescript};
use toolpact::core::{Severity, Violation};
use toolpact::text::{Budget, of_value};
use toolpact::{Call, Completed, testing};

use crate::support::{session, value};

#[test]
fn the_tools_of_the_document_are_there() {
    let mut names: Vec<String> = cases().iter().map(Case::name).collect();
    names.sort();
    assert_eq!(names, ["app_rules", "process_start", "read", "web_search"]);
}

#[test]
fn contracts_have_nothing_wrong_with_them() {
    for case in cases() {
        let yaml = fs::read(case.0.join("contract.yaml")).unwrap();
        let document = Document::yaml(&yaml, &Limits::default());
        let violations = ContractDocument::check(&document).violations;
        assert!(violations.is_empty(), "{}: {violations}", case.name());
        assert_eq!(case.contract().name().as_str(), case.name());
    }
}

#[tokio::test]
async fn good_results_pass_and_read_as_expected() {
    for case in cases() {
        for (path, result) in case.results("good") {
            let completed = case.call(&result).await;
            testing::assert_success(&completed);
            assert_eq!(completed.to_value(), Some(result.clone()));
            golden(&path.with_extension("template.txt"), &completed.text());
            let returns = case.contract().returns().clone();
            let default = of_value(&returns, result.root(), &Budget::default());
            golden(&path.with_extension("default.txt"), &default.text);
        }
    }
}

#[tokio::test]
async fn broken_results_are_withheld() {
    for case in cases() {
        for (path, result) in case.results("broken") {
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let rule = stem.split("--").next().unwrap();
            let completed = case.call(&result).await;
            let error = completed.error().expect("an error");
            assert_eq!(error.code(), "INTERNAL_CONTRACT", "{path:?}");
            let broken = completed.violations().iter();
            let errors = broken.filter(|v| v.severity() == Severity::Error);
            assert!(
                errors.map(Violation::code).any(|code| code == rule),
                "{path:?}: {error:?}"
            );
        }
    }
}

#[tokio::test]
async fn examples_of_arguments_are_taken() {
    for case in cases() {
        let (_, result) = case.results("good").remove(0);
        let fake = testing::fake_value(case.contract(), result);
        let calls = fake.calls();
        let examples = testing::run_examples_in(&session(fake), &case.name()).await;
        examples.assert_kept();
        assert_eq!(calls.count(), examples.runs().len());
    }
}

/// The same contract in the words of every provider.
#[test]
fn exports_are_as_written() {
    for case in cases() {
        let folder = case.0.join("exports");
        for dialect in Dialect::ALL.iter().filter(|d| **d != Dialect::Contract) {
            let export = dialect.export([&case.contract()]);
            let path = folder.join(format!("{dialect}.json"));
            golden(&path, &export.document().to_pretty());
            let losses: Vec<String> = export.tools()[0]
                .losses()
                .iter()
                .map(Loss::to_string)
                .collect();
            golden(
                &folder.join(format!("{dialect}.losses.txt")),
                &losses.join("\n"),
            );
        }
    }
}

/// The same contract for code that calls it.
#[test]
fn declarations_are_as_written() {
    for case in cases() {
        let contract = case.contract();
        let python = python::preamble([&contract]).text();
        golden(&case.0.join("stubs.py"), python.trim_end());
        let typescript = typescript::preamble([&contract]).text();
        golden(&case.0.join("stubs.d.ts"), typescript.trim_end());
    }
}

/// One directory.
struct Case(PathBuf);

impl Case {
    fn name(&self) -> String {
        self.0.file_name().unwrap().to_string_lossy().into_owned()
    }

    fn contract(&self) -> Contract {
        let yaml = fs::read(self.0.join("contract.yaml")).unwrap();
        let document = Document::yaml(&yaml, &Limits::default());
        let document = ContractDocument::check(&document).into_result().unwrap();
        document.tools().next().unwrap().clone()
    }

    fn results(&self, folder: &str) -> Vec<(PathBuf, Value)> {
        let files = sorted(&self.0.join(folder));
        let files = files
            .into_iter()
            .filter(|path| path.extension().is_some_and(|e| e == "json"));
        let results: Vec<(PathBuf, Value)> = files
            .map(|path| (path.clone(), value(&fs::read_to_string(path).unwrap())))
            .collect();
        assert!(
            !results.is_empty(),
            "{} has no {folder} results",
            self.name()
        );
        results
    }

    /// Calls the tool with the first of its examples, and has it return this.
    async fn call(&self, result: &Value) -> Completed {
        let contract = self.contract();
        let parameters = contract.parameters().to_json_schema();
        let examples = parameters.root().get("examples").expect("examples");
        let args = examples.items().next().unwrap().to_value();
        let session = session(testing::fake_value(contract, result.clone()));
        session.call(Call::new(self.name(), args)).await
    }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolpact/tests/cases");
    let folders = sorted(&folder).into_iter().filter(|path| path.is_dir());
    folders.map(Case).collect()
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Compares a text to the file, or writes the file.
fn golden(path: &Path, text: &str) {
    let text = format!("{text}\n");
    if std::env::var_os("UPDATE_CASES").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &text).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        text,
        expected,
        "{}: UPDATE_CASES=1 writes it",
        path.display()
    );
}
