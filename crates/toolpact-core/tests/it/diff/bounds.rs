//! Schemas that are large, deep, or without an end.

use super::of_parameters;

/// Work is bounded, whatever the schemas are.
#[test]
fn hostile_schemas() {
    let wide = |leaf: &str| {
        let properties: Vec<String> = (0..2_000).map(|n| format!(r#""p{n}":{leaf}"#)).collect();
        format!(
            r#"{{"type":"object","properties":{{{}}}}}"#,
            properties.join(",")
        )
    };
    let nested = |leaf: &str| {
        let inner = (0..90).fold(leaf.to_owned(), |inner, _| {
            format!(r#"{{"items":{inner}}}"#)
        });
        format!(r#"{{"type":"object","properties":{{"a":{inner}}}}}"#)
    };
    let choices = |leaf: &str| {
        let list = format!(
            "[{}]",
            vec![format!(r#"{{"properties":{{"a":{leaf}}}}}"#); 12].join(",")
        );
        let all = vec![format!(r#"{{"anyOf":{list}}}"#); 20].join(",");
        format!(r#"{{"type":"object","allOf":[{all}]}}"#)
    };
    let makes: [&dyn Fn(&str) -> String; 3] = [&wide, &nested, &choices];
    for make in makes {
        let start = std::time::Instant::now();
        let lines = of_parameters(
            &make(r#"{"type":"string"}"#),
            &make(r#"{"type":"integer"}"#),
        );
        assert!(!lines.is_empty());
        eprintln!("{} changes in {:?}", lines.len(), start.elapsed());
    }
}

#[test]
fn schemas_that_refer_to_themselves() {
    let tree = |leaf: &str| {
        format!(
            r##"{{"type":"object","properties":{{"tree":{{"$ref":"#/$defs/node"}}}},"$defs":{{"node":{{
            "type":"object","properties":{{"value":{leaf},"children":{{"type":"array","items":{{"$ref":"#/$defs/node"}}}}}}}}}}}}"##
        )
    };
    let wider = of_parameters(
        &tree(r#"{"type":"integer"}"#),
        &tree(r#"{"type":"number"}"#),
    );
    assert_eq!(
        wider,
        ["compatible for callers: `tree.value`: is number, was integer"]
    );
    let narrower = of_parameters(
        &tree(r#"{"type":"number"}"#),
        &tree(r#"{"type":"integer"}"#),
    );
    assert!(
        narrower[0].starts_with("breaking for callers"),
        "{narrower:?}"
    );
}
