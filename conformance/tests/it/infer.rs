//! What we infer from values beside what genson and quicktype infer from the same. The whole is `scripts/infer-peers`.

#[path = "../../../crates/toolpact-core/tests/it/infer/cases.rs"]
mod cases;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::stubs::make;
use conformance::suite;
use serde_json::Value as Json;

use cases::{Case, Score, Sizes, cases, infer, judge};

#[test]
fn beside_genson_and_quicktype() {
    let (genson, quicktype) = (suite("genson"), suite("quicktype"));
    let (Some(genson), Some(quicktype)) = (genson.or_leave_out(), quicktype.or_leave_out()) else {
        return;
    };
    let sizes = Sizes {
        schemas: 48,
        examples: 500,
        fresh: 200,
    };
    let all: Vec<Case> = cases(48, sizes).collect();
    let folder = tempfile::tempdir().unwrap();
    let places: Vec<_> = (0..all.len())
        .map(|n| folder.path().join(n.to_string()))
        .collect();
    for (case, place) in all.iter().zip(&places) {
        eprintln!("{} {}", case.family, case.schema);
        fs::create_dir(place).unwrap();
        let lines: Vec<&str> = case
            .examples
            .iter()
            .map(toolpact_core::json::Value::text)
            .collect();
        fs::write(place.join("examples.jsonl"), lines.join("\n") + "\n").unwrap();
        fs::write(place.join("toolpact.json"), infer(case).text()).unwrap();
    }
    let script = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let run = |program: &str, name: &str, package: &Path| {
        let status = Command::new(program)
            .arg(script(name))
            .arg(package)
            .args(&places)
            .status();
        assert!(status.unwrap().success(), "{name}");
    };
    run("python3", "python/infer_genson.py", &genson);
    run("node", "node/infer_quicktype.mjs", &quicktype);
    let score = |name: &str| {
        let mut total = Score::default();
        for (case, place) in all.iter().zip(&places) {
            let schema = fs::read_to_string(place.join(format!("{name}.json")));
            let schema = schema
                .ok()
                .and_then(|text| serde_json::from_str::<Json>(&text).ok());
            total.add(judge(case, &schema.unwrap_or_default()));
        }
        eprintln!(
            "{name:10} {:6.2} % accepted {:6.2} % refused",
            total.accepted(),
            total.refused()
        );
        total
    };
    let [ours, genson, quicktype] = ["toolpact", "genson", "quicktype"].map(score);
    assert!(ours.accepted() >= 99.0 && ours.refused() >= 90.0);
    assert!(ours.refused() > genson.refused() && ours.refused() > quicktype.refused());
    assert!(ours.accepted() >= genson.accepted().max(quicktype.accepted()));
}
