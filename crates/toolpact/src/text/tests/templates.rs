//! Templates of contract documents.

use std::error::Error as _;

use toolpact_core::contract::{Contract, TextTemplate};

use super::super::{Budget, of_template};
use super::value;
use crate::error::ErrorKind;

fn template(text: &str) -> TextTemplate {
    let contract = format!(
        r#"{{"name": "t", "description": "A tool.", "parameters": {{"type": "object"}}, "text": {}}}"#,
        serde_json::to_string(text).unwrap()
    );
    let contract = Contract::from_json(contract).unwrap();
    contract.text().unwrap().clone()
}

/// The text, or the error.
fn render(text: &str, json: &str) -> String {
    let rendered = of_template(&template(text), value(json).root(), &Budget::new(200));
    rendered.map_or_else(|error| error.to_string(), |rendered| rendered.text)
}

const ORDERS: &str = r#"{"success": true, "data": [{"id": 7, "sum": 9.5}, {"id": 8, "sum": null}],
    "pagination": {"total": 45}}"#;

#[test]
fn fields_are_variables() {
    let shown = render(
        "{{ data | length }} orders of {{ pagination.total }}",
        ORDERS,
    );
    assert_eq!(shown, "2 orders of 45");
    let shown = render(
        "{% for o in data %}{{ o.id }}={{ o.sum }};{% endfor %} {{ data[0] }}",
        ORDERS,
    );
    assert_eq!(shown, r#"7=9.5;8=null; {"id":7,"sum":9.5}"#);
    assert_eq!(render("<{{ value }}>", r#""a < b""#), "<a < b>");
    assert_eq!(render("{{ value | length }}", "[1, 2]"), "2");
    assert_eq!(
        render("{{ n }}", r#"{"n": 9223372036854775807}"#),
        "9223372036854775807"
    );
    assert_eq!(
        render("{{ nope | default('none') }}{{ nope is defined }}", "{}"),
        "nonefalse"
    );
}

#[test]
fn mistakes_are_found() {
    insta::assert_snapshot!(render("ok\n{{ data[0].nme }}", ORDERS), @"line 2 of the text template, at `data[0].nme`: there is no such field in the result");
    insta::assert_snapshot!(render("{% for x in dta %}{% endfor %}", ORDERS), @"line 1 of the text template, at `dta`: there is no such field in the result");
    insta::assert_snapshot!(render("{{ data | frobnicate }}", ORDERS), @"line 1 of the text template, at `frobnicate`: filter frobnicate is unknown");
    insta::assert_snapshot!(render("{{ 1 + data }}", ORDERS), @"line 1 of the text template, at `1 + data`: tried to use + operator on unsupported types number and sequence");
}

#[test]
fn bounds() {
    let many = "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}";
    insta::assert_snapshot!(render(many, "{}"), @"line 1 of the text template: it takes too many steps");
    let long = "{% for i in range(100000) %}{{ text }}{% endfor %}";
    let text = format!(r#"{{"text": "{}"}}"#, "x".repeat(1_000));
    insta::assert_snapshot!(render(long, &text), @"line 1 of the text template, at `text`: it makes more than 16777216 bytes of text");
    let kept = "{% set a %}{% for i in range(100000) %}{{ text }}{% endfor %}{% endset %}";
    insta::assert_snapshot!(render(kept, &text), @"line 1 of the text template, at `text`: it makes more than 16777216 bytes of text");
    let own = format!(
        "{{% for i in range(100000) %}}{}{{% endfor %}}",
        "x".repeat(1_000)
    );
    insta::assert_snapshot!(render(&own, "{}"), @"line 1 of the text template: it makes more than 16777216 bytes of text");
    assert_eq!(render("{{ debug() }}", "{}").matches("unknown").count(), 1);
}

#[test]
fn long_texts_are_cut_and_failures_are_errors() {
    let shown = render("{% for i in range(100) %}line {{ i }}\n{% endfor %}", "{}");
    insta::assert_snapshot!(shown.lines().last().unwrap(), @"[26 of 100 lines shown. The rest is left out.]");
    let failure =
        r#"{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "Gone"}}"#;
    insta::assert_snapshot!(render("{{ data }}", failure), @"
    Error NOT_FOUND_RESOURCE: Gone
    What to do: the same call will fail again. Check the name or identifier, or look it up first.
    ");
}

#[test]
fn errors_of_templates_have_a_kind_a_place_and_a_source() {
    let template = template("ok\n{{ data[0].nme }}");
    let error = of_template(&template, value(ORDERS).root(), &Budget::new(200)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Template);
    assert_eq!(error.code(), "template");
    assert_eq!(error.place(), "line 2, at `data[0].nme`");
    assert!(error.source().unwrap().is::<minijinja::Error>());
}
