//! Lists and batches.

use StandardType as T;
use toolpact_core::returns::StandardType;

use super::{Budget, standard, text, within};

fn list(data: &str, pagination: &str) -> String {
    let json = format!(r#"{{"success": true, "data": {data}, "pagination": {pagination}}}"#);
    text(T::ListResult, &json)
}

#[test]
fn tables() {
    let data = r#"[
        {"id": "o-1", "name": "Ada | Grace", "total": 12.50, "tags": ["a", "b"], "note": "one\ntwo"},
        {"id": "2", "name": "C:\\temp\\|x", "total": null, "tags": [], "note": ""},
        {"id": 3, "name": "true", "total": 1e3, "extra": {"long": [1, 2, 3], "deep": {"a": [{"b": "a rather long text that has to go"}, 2]}, "x": 1}}
    ]"#;
    insta::assert_snapshot!(list(data, r#"{"page": 2, "per_page": 3, "total": 45}"#), @r#"
    3 items: page 2 of 15, 45 in all; ask for page 3 to go on
    | id | name | total | tags | note | extra |
    |---|---|---|---|---|---|
    | o-1 | Ada \| Grace | 12.50 | ["a","b"] | "one\ntwo" | |
    | "2" | "C:\\temp\\\|x" | null | [] | "" | |
    | 3 | "true" | 1e3 | | | {"long":[1,2,3],"deep":{"a":[{"b":"a rather long text that has to go"},2]},"x":1} |
    "#);
}

#[test]
fn long_cells_are_shortened_between_values_where_there_is_no_room() {
    let data = r#"[
        {"id": 1, "name": "a", "lines": [{"sku": "A-1", "qty": 2}, {"sku": "B-2", "qty": 1}, {"sku": "C-3", "qty": 7}, {"sku": "D-4", "qty": 9}, {"sku": "E-5", "qty": 1}]},
        {"id": 2, "name": "b", "lines": {"text": "a text that is much too long for the cell of a table, because it goes on and on and on and on and on", "n": 1}},
        {"id": 3, "name": "c", "lines": null}
    ]"#;
    insta::assert_snapshot!(list(data, "{}"), @"
    3 items
    1. id: 1
       name: a
       lines (5 items):
         | sku | qty |
         |---|---|
         | A-1 | 2 |
         | B-2 | 1 |
         | C-3 | 7 |
         | D-4 | 9 |
         | E-5 | 1 |
    2. id: 2
       name: b
       lines:
         text: a text that is much too long for the cell of a table, because it goes on and on and on and on and on
         n: 1
    3. id: 3
       name: c
       lines: null
    ");
    let json = format!(r#"{{"success": true, "data": {data}}}"#);
    let budget = Budget::new(350);
    let shown = within(&standard(T::ListResult), &json, &budget).text;
    insta::assert_snapshot!(shown, @r#"
    3 items
    | id | name | lines |
    |---|---|---|
    | 1 | a | [{"sku":"A-1","qty":2},{"sku":"B-2","qty":1},{"sku":"C-3","qty":7},{"sku":"D-4","qty":9},{"sku":"E-5",… 1 more}] |
    | 2 | b | {"text":(a string of 100 characters),"n":1} |
    | 3 | c | null |
    [1 of 3 items shown in full.]
    "#);
}

#[test]
fn page_lines() {
    let line = |pagination: &str| list(r#"[{"id": 1}]"#, pagination);
    insta::assert_snapshot!(line(r#"{"page": 1, "per_page": 10, "total": 1, "total_pages": 1, "has_next": false}"#), @"
    1 item: page 1 of 1, 1 in all; this is the last page
    1. id: 1
    ");
    insta::assert_snapshot!(line(r#"{"page": 5, "total_pages": 5, "total": 45}"#), @"
    1 item: page 5 of 5, 45 in all; this is the last page
    1. id: 1
    ");
    insta::assert_snapshot!(line(r#"{"has_next": true, "next_cursor": "eyJpZCI6MX0"}"#), @"
    1 item: there are more; ask for the next page to go on
    next_cursor: eyJpZCI6MX0
    1. id: 1
    ");
    insta::assert_snapshot!(line(r#"{"page": 3, "has_next": true}"#), @"
    1 item: page 3; ask for page 4 to go on
    1. id: 1
    ");
    insta::assert_snapshot!(line("{}"), @"
    1 item
    1. id: 1
    ");
    insta::assert_snapshot!(list("[]", r#"{"page": 1, "total": 0, "total_pages": 0, "has_next": false}"#), @"No items: 0 in all");
    insta::assert_snapshot!(list("[]", r#"{"page": 7, "total": 45, "total_pages": 5, "has_next": false}"#), @"No items: page 7 of 5, 45 in all; that is after the last page");
    insta::assert_snapshot!(text(T::ListResult, r#"{"success": true, "data": []}"#), @"No items");
}

#[test]
fn items_that_are_no_table() {
    let data = r#"[
        {"title": "Jinja", "body": "A template engine.\n\nIt is fast.", "links": [{"rel": "self", "href": "/1"}]},
        {"kind": "note", "author": {"name": "Ada", "mail": "ada@example.com"}, "scores": [1, 2.0, 3]},
        {}
    ]"#;
    insta::assert_snapshot!(list(data, "{}"), @"
    3 items
    1. title: Jinja
       body: |
         A template engine.

         It is fast.
       links (1 item):
         - rel: self
           href: /1
    2. kind: note
       author:
         name: Ada
         mail: ada@example.com
       scores: [1, 2.0, 3]
    3. {}
    ");
}

#[test]
fn batches() {
    let all_well = r#"{"success": true, "batch_id": "b1", "total": 2, "items": [
        {"id": "a", "success": true}, {"id": "b", "success": true, "data": {"row": 7, "url": "/b"}}]}"#;
    insta::assert_snapshot!(text(T::BatchResult, all_well), @r#"
    Batch b1: 2 in all, 2 done, 0 failed
    Done items, with their data:
    - b: {"row":7,"url":"/b"}
    "#);
    let failed = r#"{"success": false, "batch_id": "b2", "total": 3, "successful": 1, "failed": 2, "items": [
        {"id": "a", "success": true}, {"id": "b", "success": false, "error": {"message": "Too\nlong"}},
        {"id": "3", "success": false}], "took_ms": 12}"#;
    insta::assert_snapshot!(text(T::BatchResult, failed), @r#"
    Batch b2: 3 in all, 1 done, 2 failed
    took_ms: 12
    Failed items:
    - b: "Too\nlong"
    - "3": no reason given
    What to do: call again with the failed items only, after correcting what their errors say.
    "#);
    let bare = r#"{"success": true, "batch_id": "b3", "total": 0}"#;
    insta::assert_snapshot!(text(T::BatchResult, bare), @"Batch b3: 0 in all");
}
