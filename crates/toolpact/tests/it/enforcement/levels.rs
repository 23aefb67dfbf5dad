//! Shape alone, and failures as an arm of their own.

use toolpact::core::contract::Contract;
use toolpact::core::returns::{ErrorKind, Level};
use toolpact::{Registry, ToolError};

use super::rows::ROWS;
use crate::support::{call, contract, returning, session};
use crate::world::Place as _;

#[tokio::test]
async fn a_registry_can_look_at_the_shape_alone() {
    for row in ROWS {
        for (result, passes) in [(row.shape.0, false), (row.meaning.0, true)] {
            let registry = Registry::builder().level(Level::Shape).build();
            registry.place(returning(row.contract(), result)).unwrap();
            let session = registry.session().open().unwrap();
            let completed = session.call(call("tool_under_test")).await;
            assert_eq!(completed.is_success(), passes, "{result}");
        }
    }
}

const FAILURE: &str = r#"{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "There is no such order."}}"#;

fn promises() -> Vec<Contract> {
    let others = [r#""returns": "opaque""#, ""].map(|more| contract("tool_under_test", more));
    ROWS.iter()
        .map(super::Row::contract)
        .chain(others)
        .collect()
}

#[tokio::test]
async fn a_failure_of_an_untyped_tool_is_a_failure_whatever_was_promised() {
    for contract in promises() {
        let completed = session(returning(contract, FAILURE))
            .call(call("tool_under_test"))
            .await;
        let error = completed.error().expect("a failure");
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(error.message(), "There is no such order.");
        assert!(completed.violations().is_empty());
    }
}

#[tokio::test]
async fn and_it_is_one_where_only_the_shape_is_looked_at() {
    for contract in promises() {
        let registry = Registry::builder().level(Level::Shape).build();
        registry.place(returning(contract, FAILURE)).unwrap();
        let session = registry.session().open().unwrap();
        let completed = session.call(call("tool_under_test")).await;
        let kind = completed.error().map(ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::NotFound));
    }
}
