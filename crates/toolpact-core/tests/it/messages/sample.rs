//! Messages of every dialect, for the SDKs of the providers to read.

use super::{export, failure, find, success};
use toolpact_core::dialect::{Answer, Dialect, ToolCall};
use toolpact_core::json::Value;
use toolpact_core::model::FunctionCall;

const UNPROMISED: &str = "
toolpact: 1
tools:
  - name: find
    description: Finds things.
    parameters: { type: object, properties: { text: { type: string }, limit: { type: integer } }, required: [text] }
";

/// Calls and results, written for tools with and without a promise.
fn messages(dialect: Dialect) -> (Vec<Value>, Vec<Value>) {
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    let error = r#"{"message":"No such thing","type":"RESOURCE_NOT_FOUND"}"#;
    let promises = [
        ("", r#"{"found":["a","b"]}"#),
        ("", r#""a string""#),
        (
            "    returns: { type: object, properties: { found: { type: array } }, required: [found] }\n",
            r#"{"found":["a","b"]}"#,
        ),
        (
            "    returns: { type: array, items: { type: string } }\n",
            r#"["a","b"]"#,
        ),
        ("    returns: { type: string }\n", r#""a string""#),
        (
            "    returns: ListResult\n",
            r#"{"success":true,"data":[1,2]}"#,
        ),
    ];
    for (number, (returns, content)) in promises.into_iter().enumerate() {
        let tools = export(dialect, &format!("{UNPROMISED}{returns}"));
        for args in [
            r#"{"text":"é \"x\"","limit":9007199254740993}"#,
            r#"{"text":"a"}"#,
        ] {
            let json = format!(r#"{{"name":"{}","args":{args}}}"#, find());
            let call = ToolCall {
                id: Some(format!("call_{number}").into()),
                call: FunctionCall::from_json(json).unwrap(),
            };
            calls.push(dialect.write_call(&call, Some(&tools)));
        }
        for answer in [success(content), failure(error)] {
            for text in [None, Some("In other words.".to_owned())] {
                let id = Some(format!("call_{number}").into());
                let answer = Answer {
                    id,
                    text,
                    ..answer.clone()
                };
                results.push(dialect.write_result(&answer, Some(&tools)));
            }
        }
    }
    (calls, results)
}

fn sample() -> String {
    let list = |values: &[Value]| {
        let values: Vec<&str> = values.iter().map(Value::text).collect();
        values.join(",")
    };
    let all = Dialect::ALL.iter().map(|dialect| {
        let (calls, results) = messages(*dialect);
        let (calls, results) = (list(&calls), list(&results));
        format!(r#""{dialect}":{{"calls":[{calls}],"results":[{results}]}}"#)
    });
    format!("{{{}}}", all.collect::<Vec<_>>().join(",\n"))
}

#[test]
fn can_be_read_again() {
    for &dialect in Dialect::ALL {
        let (calls, results) = messages(dialect);
        for call in calls {
            dialect.read_call(&call, None).unwrap();
        }
        for result in results {
            dialect.read_result(&result, Some(&find()), None).unwrap();
        }
    }
}

/// `MESSAGES=/tmp/messages-sample.json cargo test -p toolpact-core --test it messages::sample -- --ignored`
#[test]
#[ignore = "writes a file"]
fn written() {
    let path = std::env::var_os("MESSAGES").expect("the path of the file to write");
    std::fs::write(path, sample()).unwrap();
}
