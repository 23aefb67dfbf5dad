//! What a result is to a script: the rows that every boundary is asked about, see
//! `toolpact-cli/tests/it/boundaries.rs`.

#[path = "../../../toolpact-cli/tests/it/boundaries/rust.rs"]
mod rust;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use toolpact::code::ToolFailure;
use toolpact::core::contract::Contract;
use toolpact::core::json::{Document, Limits, Value};
use toolpact::define::UntypedOutput;
use toolpact::{Context, Definition, ToolError};

use self::rust::RustRow;
use crate::bench::{self, Bench};
use crate::world::leaves_out;

const ROWS: &[u8] = include_bytes!("../../../toolpact-cli/tests/it/boundaries/rows.yaml");

#[derive(Deserialize)]
struct Row {
    name: String,
    returns: Option<Json>,
    /// There is none if the result is an answer of MCP, whose text no script reads.
    prints: Option<Json>,
    writes: Option<String>,
    fails: Option<String>,
    #[serde(default)]
    keeps: BTreeMap<String, Json>,
    #[serde(default)]
    drops: Vec<String>,
    #[serde(default)]
    script: BTreeMap<String, Json>,
    #[serde(default)]
    rust: RustRow,
}

fn all_rows() -> Vec<Row> {
    let document = Document::yaml(ROWS, &Limits::default());
    document.root().unwrap().to_value().deserialize().unwrap()
}

/// The rows of tools in Rust: a value is made once, and of a stream a script gets the last.
#[test]
fn tools_in_rust() {
    let rows = all_rows().into_iter();
    let rows: Vec<Row> = rows.filter(|row| row.rust.is_some()).collect();
    assert_eq!(rows.len(), 3);
    let bench = Bench::with(
        rows.iter()
            .map(|row| row.rust.tool(&row.name, row.prints.as_ref())),
    );
    for row in &rows {
        let name = &row.name;
        // The data of an event, or the whole value.
        let expected = row.rust.result(row.prints.as_ref());
        let (call, expected) = match row.rust.typed {
            Some(_) => (format!("{name}()"), expected),
            None => (format!("{name}()['event']"), expected["event"].clone()),
        };
        assert_eq!(parsed(&bench.value(&call)), expected, "{name}");
        row.rust.check_stream("scripts", &[]);
        if !leaves_out("boundaries::tools_in_rust") {
            row.rust.check_counts("scripts");
        }
    }
}

#[test]
fn scripts() {
    let rows: Vec<Row> = all_rows()
        .into_iter()
        .filter(|row| row.prints.is_some() || row.writes.is_some())
        .filter(|row| !row.rust.is_some())
        .collect();
    let bench = Bench::with(rows.iter().map(|row| {
        let contract = json!({
            "name": row.name, "description": "A case.", "returns": row.returns,
            "parameters": {"type": "object", "properties": {}},
        });
        let contract = Contract::from_json(contract.to_string()).unwrap();
        let output = match (&row.prints, &row.writes) {
            (Some(printed), _) => bench::json(printed.to_string()).into(),
            (None, written) => {
                UntypedOutput::written(written.as_deref().unwrap_or_default(), &contract)
            }
        };
        Definition::new(contract, move |_: Value, _: Context| {
            let output = output.clone();
            async move { Ok::<UntypedOutput, ToolError>(output) }
        })
    }));
    for row in &rows {
        match &row.fails {
            None => row.check_success(&bench),
            Some(code) => row.check_failure(code, &bench),
        }
    }
}

impl Row {
    fn check_success(&self, bench: &Bench) {
        bench.value(&format!("{}()\n1", self.name));
        for (expression, expected) in &self.script {
            let value = bench.value(&format!("r = {}()\n{expression}", self.name));
            assert_eq!(&parsed(&value), expected, "{}: {expression}", self.name);
        }
    }

    fn check_failure(&self, code: &str, bench: &Bench) {
        let name = &self.name;
        let script = format!(
            "try:\n    {name}()\n    said = ''\nexcept ToolError as error:\n    said = str(error)\nsaid"
        );
        let said = parsed(&bench.value(&script));
        let said = said.as_str().unwrap();
        let failure = ToolFailure::from_message(said).unwrap_or_else(|| panic!("{name}: {said:?}"));
        assert_eq!(failure.code, code, "{name}: {said}");
        let rest = &parsed(&failure.details)["result"];
        for (pointer, value) in &self.keeps {
            assert_eq!(rest.pointer(pointer), Some(value), "{name}: {said}");
        }
        for pointer in &self.drops {
            assert_eq!(rest.pointer(pointer), None, "{name}: {said}");
        }
    }
}

fn parsed(json: &str) -> Json {
    serde_json::from_str(json).unwrap()
}
