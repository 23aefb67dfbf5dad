//! What happens when there is not enough room.

use toolpact_core::returns::{Returns, StandardType};

use super::super::{Cut, of_text};
use super::{Budget, standard, within};

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (1..=count).map(item).collect();
    format!(r#"{{"success":true,"data":[{}]}}"#, items.join(","))
}

fn of_list(json: &str, budget: &Budget<'_>) -> (String, Option<Cut>) {
    let rendered = within(&standard(StandardType::ListResult), json, budget);
    (rendered.text, rendered.cut)
}

#[test]
fn tables_end_after_a_row() {
    let json = list(10_000, |i| format!(r#"{{"id":{i},"name":"Item {i}"}}"#));
    let (text, cut) = of_list(&json, &Budget::new(100).with_handle("result_1"));
    insta::assert_snapshot!(text, @"
    10000 items
    | id | name |
    |---|---|
    | 1 | Item 1 |
    | 2 | Item 2 |
    | 3 | Item 3 |
    | 4 | Item 4 |
    [4 of 10000 items shown. The full value is kept under the handle `result_1`: read it there page by page.]
    ");
    assert_eq!(
        cut,
        Some(Cut {
            shown: 4,
            total: 10_000,
            unit: "items"
        })
    );
    let (text, _) = of_list(&json, &Budget::new(100));
    insta::assert_snapshot!(text.lines().last().unwrap(), @"[4 of 10000 items shown. Ask for fewer at a time to see the others.]");
}

#[test]
fn a_giant_item_does_not_hide_the_others() {
    let json = list(4, |i| {
        let body = if i == 2 {
            "x".repeat(50_000)
        } else {
            "short".to_owned()
        };
        format!(r#"{{"id":{i},"body":"{body}","tags":["a","b"]}}"#)
    });
    let (text, cut) = of_list(&json, &Budget::new(1_000).with_handle("result_1"));
    insta::assert_snapshot!(text, @r#"
    4 items
    1. id: 1
       body: short
       tags: [a, b]
    2. {"id":2,"body":(a string of 50000 characters),"tags":["a","b"]}
    3. id: 3
       body: short
       tags: [a, b]
    4. id: 4
       body: short
       tags: [a, b]
    [3 of 4 items shown in full. The full value is kept under the handle `result_1`: read it there page by page.]
    "#);
    let unit = "items";
    assert_eq!(
        cut,
        Some(Cut {
            shown: 3,
            total: 4,
            unit
        })
    );
}

#[test]
fn an_item_that_does_not_fit_is_named_with_its_size() {
    let row = "abcdefghij".repeat(20);
    let json = list(3, |i| format!(r#"{{"id":{i},"body":"{row}"}}"#));
    let (text, _) = of_list(&json, &Budget::new(30).with_handle("result_1"));
    insta::assert_snapshot!(text, @"
    3 items
    [None of the 3 items is shown: the first alone is 218 bytes of JSON, and there is room for 30 characters. The full value is kept under the handle `result_1`: read it there page by page.]
    ");
}

#[test]
fn long_fields_leave_room_for_those_after_them() {
    let rows: Vec<String> = (0..5_000)
        .map(|i| format!(r#"{{"n":{i},"sq":{}}}"#, i * i))
        .collect();
    let json = format!(
        r#"{{"query":"all","rows":[{}],"text":"{}","pairs":{{"a":1}},"total":5000,"ok":true}}"#,
        rows.join(","),
        "long ".repeat(1_000),
    );
    let budget = Budget::new(400).with_handle("result_2");
    let rendered = within(&Returns::Undeclared, &json, &budget);
    insta::assert_snapshot!(rendered.text, @r#"
    query: all
    rows (5000 items):
      | n | sq |
      |---|---|
      | 0 | 0 |
      | 1 | 1 |
      | 2 | 4 |
      | 3 | 9 |
      | 4 | 16 |
      | 5 | 25 |
      … 4994 more items
    text: (a string of 5000 characters, left out)
    pairs: {"a":1}
    total: 5000
    ok: true
    [4 of 6 fields shown in full. The full value is kept under the handle `result_2`: read it there page by page.]
    "#);
    assert_eq!(
        rendered.cut,
        Some(Cut {
            shown: 4,
            total: 6,
            unit: "fields"
        })
    );
}

#[test]
fn many_fields() {
    let fields: Vec<String> = (0..1_000)
        .map(|i| format!(r#""key_{i}":"value {i}""#))
        .collect();
    let json = format!("{{{}}}", fields.join(","));
    let rendered = within(&Returns::Undeclared, &json, &Budget::new(150));
    insta::assert_snapshot!(rendered.text, @"
    key_0: value 0
    key_1: value 1
    key_2: value 2
    key_3: value 3
    key_4: value 4
    key_5: value 5
    … 994 more fields
    [6 of 1000 fields shown in full.]
    ");
}

#[test]
fn batches_show_failures_first() {
    let items: Vec<String> = (0..1_000)
        .map(|i| match i % 100 {
            7 => format!(r#"{{"id":"i{i}","success":false,"error":{{"code":"CONFLICT_DUPLICATE","message":"Exists"}}}}"#),
            _ => format!(r#"{{"id":"i{i}","success":true,"data":{{"row":{i}}}}}"#),
        })
        .collect();
    let json = format!(
        r#"{{"success":true,"batch_id":"b","total":1000,"successful":990,"failed":10,"items":[{}]}}"#,
        items.join(","),
    );
    let budget = Budget::new(700).with_handle("result_3");
    let rendered = within(&standard(StandardType::BatchResult), &json, &budget);
    insta::assert_snapshot!(rendered.text, @r#"
    Batch b: 1000 in all, 990 done, 10 failed
    Failed items:
    - i7: CONFLICT_DUPLICATE: Exists
    - i107: CONFLICT_DUPLICATE: Exists
    - i207: CONFLICT_DUPLICATE: Exists
    - i307: CONFLICT_DUPLICATE: Exists
    - i407: CONFLICT_DUPLICATE: Exists
    - i507: CONFLICT_DUPLICATE: Exists
    - i607: CONFLICT_DUPLICATE: Exists
    - i707: CONFLICT_DUPLICATE: Exists
    - i807: CONFLICT_DUPLICATE: Exists
    - i907: CONFLICT_DUPLICATE: Exists
    Done items, with their data:
    - i0: {"row":0}
    - i1: {"row":1}
    - i2: {"row":2}
    - i3: {"row":3}
    - i4: {"row":4}
    - i5: {"row":5}
    - i6: {"row":6}
    - i8: {"row":8}
    - i9: {"row":9}
    - i10: {"row":10}
    - i11: {"row":11}
    - i12: {"row":12}
    … 978 more
    What to do: call again with the failed items only, after correcting what their errors say.
    [22 of 1000 items shown. The full value is kept under the handle `result_3`: read it there page by page.]
    "#);
}

#[test]
fn texts() {
    let cut = |text: &str, chars| of_text(text.to_owned(), &Budget::new(chars)).text;
    assert_eq!(cut("one\ntwo", 7), "one\ntwo");
    insta::assert_snapshot!(cut("one\ntwo\nthree", 7), @"
    one
    two
    [2 of 3 lines shown. The rest is left out.]
    ");
    insta::assert_snapshot!(cut("one\ntwo\nthree", 6), @"
    one
    [1 of 3 lines shown. The rest is left out.]
    ");
    insta::assert_snapshot!(cut("Grüße aus Köln am Rhein", 16), @"
    Grüße aus Köln
    [14 of 23 characters shown. The rest is left out.]
    ");
    insta::assert_snapshot!(cut(&"日本".repeat(50), 10), @"[0 of 100 characters shown. The rest is left out.]");
}

#[test]
fn base64_is_never_shown() {
    let json = format!(
        r#"{{"success":true,"file":{{"name":"a.bin","data":"{}"}}}}"#,
        "QUJD".repeat(1_000)
    );
    let budget = Budget::default().with_handle("result_4");
    let rendered = within(&standard(StandardType::FileResult), &json, &budget);
    insta::assert_snapshot!(rendered.text, @"
    File a.bin
    [The content, 3000 bytes in base64, is not shown. The full value is kept under the handle `result_4`: read it there page by page.]
    ");
    assert_eq!(
        rendered.cut,
        Some(Cut {
            shown: 0,
            total: 3_000,
            unit: "bytes"
        })
    );
}
