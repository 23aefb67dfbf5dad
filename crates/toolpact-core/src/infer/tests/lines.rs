//! Calls and results, however they are written.

use crate::contract::Parameters;
use crate::infer::{Form, InferredTool, ObservedTools, Settings};
use crate::json::Limits;
use crate::returns::{Returns, StandardType};

fn observed<T: AsRef<str>>(lines: impl IntoIterator<Item = T>, form: Form) -> ObservedTools {
    let mut observed = ObservedTools::default().with_tool("it");
    for line in lines {
        observed
            .add_line(line.as_ref().as_bytes(), form, &Limits::default())
            .unwrap();
    }
    observed.settle();
    observed
}

fn infer<T: AsRef<str>>(lines: impl IntoIterator<Item = T>, form: Form) -> Vec<InferredTool> {
    observed(lines, form).infer(&Settings::default()).unwrap()
}

fn counts(lines: &[&str]) -> Vec<(String, u64, u64, u64)> {
    let tools = infer(lines, Form::Detect);
    tools
        .iter()
        .map(|tool| {
            (
                tool.contract.name().to_string(),
                tool.calls,
                tool.results,
                tool.failures,
            )
        })
        .collect()
}

/// The same call and the same result in every form.
#[test]
fn messages_of_every_dialect() {
    let calls = [
        r#"{"name":"f","args":{"a":1}}"#,
        r#"{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}"#,
        r#"{"type":"function_call","call_id":"c1","name":"f","arguments":"{\"a\":1}"}"#,
        r#"{"type":"tool_use","id":"c1","name":"f","input":{"a":1}}"#,
        r#"{"functionCall":{"name":"f","args":{"a":1}}}"#,
        r#"{"toolUse":{"toolUseId":"c1","name":"f","input":{"a":1}}}"#,
        r#"{"name":"f","arguments":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","id":"c1","method":"tools/call","params":{"name":"f","arguments":{"a":1}}}"#,
        r#"{"tool":"f","arguments":{"a":1}}"#,
        r#"{"toolName":"f","args":{"a":1},"outcome":"NOT_FOUND_RESOURCE"}"#,
    ];
    for call in calls {
        let tools = infer([call; 3], Form::Detect);
        assert_eq!(
            (tools[0].contract.name().as_str(), tools[0].calls),
            ("f", 3),
            "{call}"
        );
        let Parameters::JsonSchema(schema) = tools[0].contract.parameters() else {
            panic!()
        };
        assert_eq!(
            schema.to_value().text(),
            r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}"#
        );
    }
    let results = [
        r#"{"name":"f","status":"SUCCESS","content":{"b":2}}"#,
        r#"{"role":"tool","tool_call_id":"c1","content":"{\"b\":2}"}"#,
        r#"{"type":"function_call_output","call_id":"c1","output":"{\"b\":2}"}"#,
        r#"{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"{\"b\":2}"}]}"#,
        r#"{"functionResponse":{"name":"f","response":{"b":2}}}"#,
        r#"{"content":[{"type":"text","text":"2"}],"structuredContent":{"b":2}}"#,
        r#"{"jsonrpc":"2.0","id":"c1","result":{"content":[],"structuredContent":{"b":2}}}"#,
        r#"{"tool":"f","result":{"b":2}}"#,
        r#"{"b":2}"#,
    ];
    for result in results {
        let call = r#"{"type":"tool_use","id":"c1","name":"f","input":{}}"#;
        let observed = observed([call, result], Form::Detect);
        let name = if result == r#"{"b":2}"# || result.starts_with(r#"{"content"#) {
            "it"
        } else {
            "f"
        };
        let (_, results) = observed.get(name).unwrap();
        assert_eq!(results.count(), 1, "{result}");
        let schema = results.schema(&Settings::default()).schema;
        assert!(
            schema.text().contains(r#""b":{"type":"integer"}"#),
            "{result}: {schema}"
        );
    }
}

#[test]
fn failures_are_no_results() {
    let lines = [
        r#"{"tool":"f","args":{},"outcome":"EXTERNAL_TIMEOUT","result":{"code":"EXTERNAL_TIMEOUT","message":"m"}}"#,
        r#"{"tool":"f","args":{},"outcome":"SUCCESS","result":5}"#,
        r#"{"tool":"f","args":{},"outcome":"ASKED"}"#,
        r#"{"name":"f","status":"ERROR","error":{"message":"No."}}"#,
        r#"{"tool":"f","result":{"success":false,"error":{"code":"X","message":"No."}}}"#,
        r#"{"functionResponse":{"name":"f","response":{"error":{"message":"No."}}}}"#,
    ];
    let tools = infer(lines, Form::Detect);
    assert_eq!(
        (tools[0].calls, tools[0].results, tools[0].failures),
        (3, 1, 4)
    );
    assert!(matches!(
        tools[0].contract.returns(),
        Returns::Standard {
            standard: StandardType::NumberValue,
            ..
        }
    ));
}

#[test]
fn values_that_look_like_messages_are_values_if_that_is_said() {
    let looks = r#"{"name":"f","args":{"a":1}}"#;
    assert_eq!(counts(&[looks]), [("f".to_owned(), 1, 0, 0)]);
    let tools = infer([looks], Form::Values);
    assert_eq!(
        (tools[0].contract.name().as_str(), tools[0].results),
        ("it", 1)
    );
    // Not every object with these keys is one.
    for value in [
        r#"{"name":"x","arguments":["a"],"exit":0}"#,
        r#"{"content":["a","b"]}"#,
        r#"{"status":"ok","name":"x"}"#,
        r#"{"method":"GET","path":"/"}"#,
        r#"{"tool":"hammer","price":5}"#,
        r#"{"type":"text","text":"x"}"#,
    ] {
        assert_eq!(counts(&[value]), [("it".to_owned(), 0, 1, 0)], "{value}");
    }
}

#[test]
fn results_belong_to_the_call_with_their_identifier() {
    let lines = [
        r#"{"type":"tool_use","id":"c1","name":"f","input":{}}"#,
        r#"{"type":"tool_use","id":"c2","name":"g","input":{}}"#,
        r#"{"type":"tool_result","tool_use_id":"c2","content":"5"}"#,
        r#"{"type":"tool_result","tool_use_id":"c1","content":"true"}"#,
    ];
    let expected = [("f".to_owned(), 1, 1, 0), ("g".to_owned(), 1, 1, 0)];
    assert_eq!(counts(&lines), expected);
    // Also if they were read apart.
    let mut parts: Vec<ObservedTools> = Vec::new();
    for line in lines {
        let mut part = ObservedTools::default();
        part.add_line(line.as_bytes(), Form::Detect, &Limits::default())
            .unwrap();
        parts.push(part);
    }
    let mut all = ObservedTools::default();
    for part in parts {
        all.merge(part);
    }
    let tools = all.infer(&Settings::default()).unwrap();
    assert_eq!(
        (tools[0].results, tools[1].results, all.unattributed()),
        (1, 1, 0)
    );
}

#[test]
fn pairs_say_together_which_tool_it_is() {
    let mut observed = ObservedTools::default();
    let call = br#"{"name":"f","args":{"a":1}}"#;
    for result in [&br"[1,2]"[..], br#"{"role":"tool","content":"[3]"}"#] {
        observed.add_pair(call, result, &Limits::default()).unwrap();
    }
    observed
        .add_line(b"[4]", Form::Detect, &Limits::default())
        .unwrap();
    let tools = observed.infer(&Settings::default()).unwrap();
    assert_eq!(
        (tools[0].calls, tools[0].results),
        (2, 3),
        "all calls are of one tool"
    );
}

#[test]
fn standard_types_where_all_results_are_of_them() {
    let standard = |lines: &[String]| {
        let tools = infer(lines, Form::Values);
        match tools[0].contract.returns() {
            Returns::Standard {
                standard,
                refinement,
            } => Some((*standard, refinement.is_some())),
            _ => None,
        }
    };
    let list = |extra: &str| -> Vec<String> {
        (0..20)
            .map(|n| format!(r#"{{"success":true,"data":[{{"id":{n}}}]{extra}}}"#))
            .collect()
    };
    assert_eq!(standard(&list("")), Some((StandardType::ListResult, true)));
    // By shape, but not by meaning: more items on the page than there are.
    let wrong = r#","pagination":{"total":0,"page":1,"per_page":10,"total_pages":0,"has_next":false,"has_prev":false}"#;
    assert_eq!(standard(&list(wrong)), None);
    assert_eq!(
        standard(&["5".to_owned()]),
        Some((StandardType::NumberValue, false))
    );
    assert_eq!(
        standard(&["\"text\"".to_owned()]),
        Some((StandardType::StringValue, false))
    );
    assert_eq!(standard(&["{\"id\":1}".to_owned()]), None);
    assert_eq!(standard(&["5".to_owned(), "\"x\"".to_owned()]), None);
}

#[test]
fn names_that_no_contract_can_have_are_kept_as_original_names() {
    let tools = infer([r#"{"tool":"math.sum","args":{}}"#], Form::Detect);
    assert_eq!(tools[0].contract.name().as_str(), "math_sum");
    assert_eq!(tools[0].contract.original_name(), Some("math.sum"));
}

#[test]
fn what_is_wrong_with_a_line_is_said() {
    let mut observed = ObservedTools::default();
    let wrong = observed
        .add_line(b"{\"a\":1,\"a\":2}", Form::Detect, &Limits::default())
        .unwrap_err();
    assert_eq!(wrong.iter().next().unwrap().code(), "json-duplicate-key");
}
