//! Schemas inferred from values of random schemas: they accept others, and refuse what is wrong.

pub(crate) mod cases;

use serde_json::Value as Json;

use crate::differential::make;
use cases::{Score, Sizes, cases, infer, judge};

/// The whole is `scripts/infer-peers`: 200 schemas, 1,000 values of each.
#[test]
fn others_are_accepted_and_changes_refused() {
    let sizes = Sizes {
        schemas: 24,
        examples: 1_000,
        fresh: 200,
    };
    let (mut total, mut number) = (Score::default(), 0);
    for case in cases(24, sizes) {
        let schema = infer(&case);
        let parsed: Json = serde_json::from_str(schema.text()).unwrap();
        let score = judge(&case, &parsed);
        eprintln!(
            "{:6} {:6.2} % {:6.2} %  {}\n  {schema}",
            case.family,
            score.accepted(),
            score.refused(),
            case.schema
        );
        total.add(score);
        number += 1;
    }
    eprintln!(
        "{:.2} % accepted, {:.2} % refused",
        total.accepted(),
        total.refused()
    );
    assert_eq!(number, sizes.schemas);
    assert!(total.accepted() >= 99.0, "{total:?}");
    assert!(total.refused() >= 90.0, "{total:?}");
}
