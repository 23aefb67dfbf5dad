//! Identifiers come back as they were.

use super::{MCP, find, success, value};
use toolpact_core::dialect::{Answer, CallId, Dialect};

const IDS: [&str; 10] = [
    "7",
    "7.0",
    r#""7""#,
    "-1",
    "0",
    "9007199254740993",
    "18446744073709551616",
    "1e300",
    r#""""#,
    r#""a\"\\\u0000\ud83d\ude00""#,
];

#[test]
fn of_mcp_are_strings_or_numbers() {
    let mut seen = Vec::new();
    for id in IDS {
        for dialect in MCP {
            let request =
                format!(r#"{{"id":{id},"method":"tools/call","params":{{"name":"find"}}}}"#);
            let call = dialect.read_call(&value(&request), None).unwrap();
            let answer = Answer {
                id: call.id.clone(),
                ..success("1")
            };
            let response = dialect.write_result(&answer, None);
            let found = response.root().get("id").unwrap();
            assert_eq!(found.to_value().kind(), value(id).kind());
            assert_eq!(found.as_str(), value(id).root().as_str());
            assert_eq!(
                call.id.as_ref().unwrap().is_number(),
                found.as_number().is_some()
            );
            if found.as_number().is_some() {
                assert_eq!(found.text(), id);
            }
            let again = dialect.read_call(&dialect.write_call(&call, None), None);
            assert_eq!(again.unwrap(), call);
            let read = dialect.read_result(&response, Some(&find()), None).unwrap();
            assert_eq!(read.id, call.id);
            seen.push(call.id.unwrap());
        }
    }
    seen.dedup();
    let all: std::collections::HashSet<&CallId> = seen.iter().collect();
    assert_eq!(all.len(), IDS.len());
}

#[test]
fn of_others_are_strings() {
    let answer = Answer {
        id: Some(7.into()),
        ..success("1")
    };
    assert_eq!(
        Dialect::OpenAi.write_result(&answer, None).text(),
        r#"{"type":"function_call_output","call_id":"7","output":"1"}"#
    );
}
