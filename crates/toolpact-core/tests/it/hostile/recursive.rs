//! Recursive schemas that mean no harm, with values as they are.

use super::{broken, soon};

const ANY_JSON: &str = r##"{"$ref":"#/$defs/json","$defs":{"json":{"anyOf":[
    {"type":["null","boolean","number","string"]},
    {"type":"array","items":{"$ref":"#/$defs/json"}},
    {"type":"object","additionalProperties":{"$ref":"#/$defs/json"}}]}}}"##;

#[test]
fn any_json() {
    let row = r#"{"id":7,"tags":["a",{"b":[null,true]}],"more":{"x":{"y":{"z":[1,2,3]}}}}"#;
    let rows = format!("[{}]", vec![row; 5_000].join(","));
    assert_eq!(soon(|| broken(ANY_JSON, &rows)), [""; 0]);
    let deep = format!("{}1{}", r#"{"a":["#.repeat(60), "]}".repeat(60));
    assert_eq!(soon(|| broken(ANY_JSON, &deep)), [""; 0]);
}

#[test]
fn a_linked_list() {
    let schema = r##"{"type":"object","required":["value"],"properties":
        {"value":{"type":"integer"},"next":{"oneOf":[{"type":"null"},{"$ref":"#"}]}}}"##;
    let list = |last: &str| {
        let links = r#"{"value":1,"next":"#.repeat(120);
        format!("{links}{last}{}", "}".repeat(120))
    };
    assert_eq!(soon(|| broken(schema, &list("null"))), [""; 0]);
    assert_eq!(soon(|| broken(schema, &list("5"))), ["value-alternatives"]);
}

#[test]
fn a_tree() {
    let schema = r##"{"type":"object","required":["name"],"additionalProperties":false,"properties":
        {"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#"}}}}"##;
    let mut tree = r#"{"name":"leaf"}"#.to_owned();
    for _ in 0..10 {
        tree = format!(r#"{{"name":"node","children":[{tree},{tree}]}}"#);
    }
    assert_eq!(soon(|| broken(schema, &tree)), [""; 0]);
    let wrong = tree.replacen("\"leaf\"", "1", 1);
    assert_eq!(soon(|| broken(schema, &wrong)), ["value-type"]);
}

/// Every operation has the same operands: without a look at `op`, five ways to each.
fn expressions() -> String {
    let operation = |op: &str| {
        format!(
            r##"{{"type":"object","required":["op","left","right"],"properties":{{"op":{{"const":"{op}"}},
            "left":{{"$ref":"#/$defs/e"}},"right":{{"$ref":"#/$defs/e"}}}}}}"##
        )
    };
    let operations = ["add", "sub", "mul", "div", "pow"].map(operation).join(",");
    format!(
        r##"{{"$ref":"#/$defs/e","$defs":{{"e":{{"oneOf":[{{"type":"number"}},{operations}]}}}}}}"##
    )
}

fn expression(depth: usize, innermost: &str) -> String {
    let open = r#"{"op":"mul","right":2,"left":"#.repeat(depth);
    format!("{open}{innermost}{}", "}".repeat(depth))
}

#[test]
fn expressions_of_any_depth() {
    for depth in [0, 1, 3, 8, 30, 100] {
        assert_eq!(
            soon(|| broken(&expressions(), &expression(depth, "1"))),
            [""; 0],
            "{depth}"
        );
    }
    let mut full = "1".to_owned();
    for op in ["add", "sub", "mul", "div", "pow"].iter().cycle().take(11) {
        full = format!(r#"{{"op":"{op}","left":{full},"right":{full}}}"#);
    }
    assert_eq!(soon(|| broken(&expressions(), &full)), [""; 0]);
}

/// Reasons where they can be given, and a verdict always.
#[test]
fn expressions_that_are_wrong() {
    for depth in [0, 1, 2, 3] {
        let wrong = expression(depth, "\"x\"");
        assert_eq!(
            soon(|| broken(&expressions(), &wrong)),
            ["value-alternatives"],
            "{depth}"
        );
    }
    for depth in [8, 30, 100] {
        let wrong = expression(depth, "\"x\"");
        assert_eq!(
            soon(|| broken(&expressions(), &wrong)),
            ["value-work"],
            "{depth}"
        );
    }
}
