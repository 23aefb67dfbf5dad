use toolpact_core::Severity;

use super::{Shop, lines, plan};
use crate::PlanRule;
use crate::error::ErrorKind;

/// What is said about one reference to a step `s` that calls `tool`.
fn reading(tool: &str, reference: &str) -> String {
    let reference = serde_json::to_string(reference).unwrap();
    let plan = plan(&format!(
        r#"[{{"id": "s", "tool": "{tool}"}}, {{"id": "r", "tool": "old", "args": {{"x": {reference}}}}}]"#
    ));
    lines(&plan.problems(&Shop::new()))
}

#[test]
fn steps_tools_and_circles_at_once() {
    let plan = plan(
        r#"[
            {"id": "find", "tool": "serach_orders", "after": ["mail"]},
            {"id": "mail", "tool": "send_mail", "args": {"to": ["{{fnd.data[0]}}", "{{find}}"]}},
            {"id": "self", "name": "nothing_like_it", "args": {"x": "{{self.y}}"}},
            {"id": "a", "tool": "old", "after": ["b", "zzz"]},
            {"id": "b", "tool": "old", "args": {"deep": [{"er": "x {{c}}"}]}},
            {"id": "c", "tool": "old", "args": {"p": "{{a}}"}}
        ]"#,
    );
    let error = plan.check(&Shop::new()).unwrap_err();
    let problems = error.problems();
    insta::assert_snapshot!(error, @r"
    error[plan-unknown-tool] in step `find` at /tool: expected one of the tools `either`, `get_customer`, `list_all`, `old`, `read_page`, `search_orders`, `send_mail`, `slug_of` and `tree`, found `serach_orders`; did you mean `search_orders`?
    error[plan-unknown-step] in step `mail` at /args/to/0: expected one of the steps `find`, `self`, `a`, `b` and `c`, found `fnd`; did you mean `find`?
    error[plan-unknown-tool] in step `self` at /name: expected one of the tools `either`, `get_customer`, `list_all`, `old`, `read_page`, `search_orders`, `send_mail`, `slug_of` and `tree`, found `nothing_like_it`
    error[plan-unknown-step] in step `a` at /after/1: expected one of the steps `find`, `mail`, `self`, `b` and `c`, found `zzz`
    error[plan-circle] in step `find` at /after/0: expected steps that can be put in an order, found `find`, which waits for `mail`, which waits for `find`
    error[plan-circle] in step `self` at /args/x: expected steps that can be put in an order, found `self`, which waits for `self`
    error[plan-circle] in step `a` at /after/0: expected steps that can be put in an order, found `a`, which waits for `b`, which waits for `c`, which waits for `a`
    ");
    assert_eq!(error.kind(), ErrorKind::CannotRun);
    assert_eq!(error.place(), "step `find` at /tool");
    assert_eq!(problems[0].rule(), PlanRule::UnknownTool);
    assert_eq!(problems[0].step(), Some("find"));
    assert_eq!(problems[0].pointer().to_string(), "/tool");
    assert_eq!(
        problems[0].suggestion(),
        Some("did you mean `search_orders`?")
    );
}

#[test]
fn what_is_promised_is_fine() {
    for (tool, reference) in [
        ("search_orders", "{{s}}"),
        ("search_orders", "{{s.data[0].id}}"),
        ("search_orders", "{{s.data.1.total}}"),
        ("search_orders", "{{s.pagination.total}} in all"),
        ("get_customer", "{{s.name}}"),
        ("get_customer", r#"{{s["odd key"].anything}}"#),
        ("get_customer", "{{s.tags[0]}}"),
        ("slug_of", "{{s.value}}"),
        ("list_all", "{{s.data[0].anything}}"),
        ("read_page", "{{s}}"),
        ("tree", "{{s.left.left.left.leaf}}"),
        ("either", "{{s.a.b.c}}"),
        ("either", "{{s.b}}"),
        ("either", "{{s.c}}"),
        ("either", "{{s[1].x}}"),
        ("old", "{{s.a[0].b}}"),
    ] {
        assert_eq!(reading(tool, reference), "", "{tool} {reference}");
    }
}

#[test]
fn what_cannot_be_there() {
    insta::assert_snapshot!(reading("get_customer", "{{s.nam}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `get_customer` can return, found the field `nam`: `s` is an object with `name`, `odd key` and `tags`; did you mean `name`?");
    insta::assert_snapshot!(reading("get_customer", "{{s[0]}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `get_customer` can return, found the element 0: `s` is an object with `name`, `odd key` and `tags`");
    insta::assert_snapshot!(reading("get_customer", "{{s.name.first}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `get_customer` can return, found the field `first`: `s.name` is a string");
    insta::assert_snapshot!(reading("get_customer", "{{s.tags[1]}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `get_customer` can return, found the element 1: `s.tags` is an array of at most 1 element");
    insta::assert_snapshot!(reading("get_customer", "{{s.tags.first}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `get_customer` can return, found the field `first`: `s.tags` is an array; its first element is `s.tags[0]`");
    insta::assert_snapshot!(reading("search_orders", "{{s.data.id}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `search_orders` can return, found the field `id`: `s.data` is an array; its first element is `s.data[0]`");
    insta::assert_snapshot!(reading("search_orders", "{{s.success.really}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `search_orders` can return, found the field `really`: `s.success` is a boolean");
    insta::assert_snapshot!(reading("read_page", "{{s.title}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected all of `s`, found the field `title` of it: `read_page` promises text, which has no parts; write `{{s}}`");
    insta::assert_snapshot!(reading("tree", "{{s.left.left.laef}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `tree` can return, found the field `laef`: `s.left.left` is an object with `left` and `leaf`; did you mean `leaf`?");
    insta::assert_snapshot!(reading("tree", "{{s.left.leaf[0]}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `tree` can return, found the element 0: `s.left.leaf` is a string or null");
    insta::assert_snapshot!(reading("either", "{{s.b.c}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `either` can return, found the field `c`: `s.b` is a number");
    insta::assert_snapshot!(reading("either", "{{s[2]}}"), @"error[plan-unknown-field] in step `r` at /args/x: expected something that `either` can return, found the element 2: `s` is an object with `a` and `b` or an array of at most 2 elements");
}

/// Models like to write a word between a step and its result.
#[test]
fn the_result_itself() {
    let said = reading("get_customer", "{{s.output.name}}");
    assert!(said.ends_with("; `{{s}}` is the result itself"), "{said}");
}

#[test]
fn what_is_not_promised_is_a_warning() {
    insta::assert_snapshot!(reading("list_all", "{{s.dta}}"), @"warning[plan-unpromised-field] in step `r` at /args/x: expected something that `list_all` promises to return, found the field `dta`: `s` is an object with `success`, `data`, `pagination` and `error`; did you mean `data`?");
    insta::assert_snapshot!(reading("search_orders", "{{s.data[0].totl}}"), @"warning[plan-unpromised-field] in step `r` at /args/x: expected something that `search_orders` promises to return, found the field `totl`: `s.data[0]` is an object with `id` and `total`; did you mean `total`?");
    insta::assert_snapshot!(reading("slug_of", "{{s.vlaue}}"), @"warning[plan-unpromised-field] in step `r` at /args/x: expected something that `slug_of` promises to return, found the field `vlaue`: `s` is an object with `success`, `value` and `error`; did you mean `value`?");
    insta::assert_snapshot!(reading("either", "{{s.d}}"), @"warning[plan-unpromised-field] in step `r` at /args/x: expected something that `either` promises to return, found the field `d`: `s` is an object with `b` and `c`");

    let plan =
        plan(r#"[{"id": "s", "tool": "list_all"}, {"tool": "old", "args": {"x": "{{s.dta}}"}}]"#);
    let shop = Shop::new();
    assert!(plan.check(&shop).is_ok());
    let problems = plan.problems(&shop);
    assert_eq!(problems[0].severity(), Severity::Warning);
    assert_eq!(problems[0].step(), Some("step2"));
}

#[test]
fn warnings_do_not_hide_errors() {
    let doubtful = vec![r#""{{s.dta}}""#; 500].join(",");
    let plan = plan(&format!(
        r#"[{{"id": "s", "tool": "list_all"}}, {{"tool": "old", "args": {{"x": [{doubtful}, "{{{{zzz}}}}"]}}}}]"#
    ));
    let error = plan.check(&Shop::new()).unwrap_err();
    let problems = error.problems();
    assert_eq!(problems.len(), 101);
    assert!(problems.iter().any(|p| p.rule() == PlanRule::UnknownStep));
}
