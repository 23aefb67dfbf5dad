//! The checker of the sandbox says what mypy, pyright and ty say: `conformance/tests/it/stubs/uses.rs`
//! has them judge the same lines.

#[path = "../../../toolpact-core/tests/it/uses.rs"]
mod table;

use crate::bench::{Bench, tool};

#[test]
fn the_same_verdicts_as_others() {
    let tools = table::CONTRACTS.map(|json| tool(json, |args| Ok(args.clone())));
    let bench = Bench::with(tools);
    for (right, wrong) in table::PYTHON {
        let verdict = bench.check(right);
        assert!(verdict.is_ok(), "{right}\n{verdict:?}");
        let verdict = bench.check(wrong);
        assert_eq!(
            verdict.map_err(|error| error.code()),
            Err("types"),
            "{wrong}"
        );
        // The same in a function, as others see it.
        let function =
            |body: &str| format!("def use() -> None:\n    {}\n", body.replace('\n', "\n    "));
        assert!(bench.check(&function(right)).is_ok(), "{right}");
        assert!(bench.check(&function(wrong)).is_err(), "{wrong}");
    }
}
