//! `ListResult`.

use super::{breaks, everything, holds, says};

/// A list of this many items.
fn list(items: usize, pagination: &str) -> String {
    let data = vec!["{}"; items].join(",");
    format!(r#"{{"success": true, "data": [{data}], "pagination": {{{pagination}}}}}"#)
}

#[test]
fn pages_are_counted() {
    let with = |total: &str, per_page: &str, pages: &str| {
        list(
            0,
            &format!(r#""total": {total}, "per_page": {per_page}, "total_pages": {pages}"#),
        )
    };
    for (total, per_page, pages) in [
        ("0", "10", "0"),
        ("0", "10", "1"),
        ("1", "10", "1"),
        ("10", "10", "1"),
        ("11", "10", "2"),
        ("1e1", "5.0", "2"),
        ("9223372036854775807", "1", "9223372036854775807"),
        ("9223372036854775807", "2", "4611686018427387904"),
        ("1e300", "10", "1e299"),
        ("18446744073709551615", "1", "18446744073709551615"),
    ] {
        holds("ListResult", &with(total, per_page, pages));
    }
    for (total, per_page, pages) in [
        ("0", "10", "2"),
        ("10", "10", "2"),
        ("11", "10", "1"),
        ("9007199254740993", "1", "9007199254740992"),
        ("18446744073709551615", "1", "18446744073709551614"),
    ] {
        breaks(
            "returns-page-count",
            "ListResult",
            &with(total, per_page, pages),
        );
    }
    holds("ListResult", &list(0, r#""total": 11, "total_pages": 7"#));
    // A page of nothing is the schema's business, and nobody divides by it.
    assert_eq!(
        everything("ListResult", &with("5", "0", "1")),
        ["value-range"]
    );
}

#[test]
fn pages_know_their_neighbours() {
    let with = |page: u32, more: &str| list(0, &format!(r#""page": {page}, {more}"#));
    let rule = "returns-page-neighbours";
    holds(
        "ListResult",
        &with(4, r#""total_pages": 5, "has_next": true, "has_prev": true"#),
    );
    holds(
        "ListResult",
        &with(
            1,
            r#""total_pages": 1, "has_next": false, "has_prev": false"#,
        ),
    );
    holds(
        "ListResult",
        &with(
            1,
            r#""total_pages": 0, "has_next": false, "has_prev": false"#,
        ),
    );
    breaks(
        rule,
        "ListResult",
        &with(4, r#""total_pages": 5, "has_next": false"#),
    );
    breaks(
        rule,
        "ListResult",
        &with(5, r#""total_pages": 5, "has_next": true"#),
    );
    breaks(rule, "ListResult", &with(1, r#""has_prev": true"#));
    breaks(rule, "ListResult", &with(2, r#""has_prev": false"#));
    // Worked out where it is not said.
    breaks(
        rule,
        "ListResult",
        &with(2, r#""total": 20, "per_page": 10, "has_next": true"#),
    );
    holds(
        "ListResult",
        &with(2, r#""total": 21, "per_page": 10, "has_next": true"#),
    );
    // Just behind the end there is a page before; far behind, who knows.
    breaks(
        rule,
        "ListResult",
        &with(6, r#""total_pages": 5, "has_prev": false"#),
    );
    holds(
        "ListResult",
        &with(7, r#""total_pages": 5, "has_prev": false"#),
    );
    holds(
        "ListResult",
        &with(7, r#""total_pages": 5, "has_prev": true"#),
    );
    holds("ListResult", &list(0, r#""has_next": true"#));
}

#[test]
fn pages_hold_what_they_may() {
    holds("ListResult", &list(2, r#""per_page": 2, "total": 2"#));
    breaks(
        "returns-page-size",
        "ListResult",
        &list(3, r#""per_page": 2"#),
    );
    breaks("returns-page-size", "ListResult", &list(3, r#""total": 2"#));
    holds("ListResult", &list(3, r#""per_page": 1e300"#));
    // The last page holds what is left, a page behind it nothing.
    let with = |items, page: &str| {
        list(
            items,
            &format!(r#""page": {page}, "per_page": 10, "total": 41"#),
        )
    };
    holds("ListResult", &with(10, "4"));
    holds("ListResult", &with(1, "5"));
    holds("ListResult", &with(0, "6"));
    breaks("returns-page-size", "ListResult", &with(1, "6"));
    says(
        "ListResult",
        &with(2, "5"),
        "expected at most as many items as are left for page 5, 1, found 2",
    );
    // What is not known exactly says nothing.
    holds(
        "ListResult",
        &list(1, r#""page": 1e30, "per_page": 1, "total": 1e300"#),
    );
    says(
        "ListResult",
        &list(1, r#""total": 0"#),
        "expected at most as many items as `total` says, 0, found 1",
    );
}
