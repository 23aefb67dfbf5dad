//! A tool and a call of it, with a NUL byte between them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::json::Document;
use toolpact_core::model::{FunctionCall, ToolDocument};
use toolpact_fuzz::{check_places, limits};

fuzz_target!(|data: &[u8]| {
    let Some(split) = data.iter().position(|byte| *byte == 0) else {
        return;
    };
    let (tool, call) = (&data[..split], &data[split + 1..]);
    let limits = limits(data);
    let Ok(tool) = ToolDocument::from_json_within(tool, &limits) else {
        return;
    };
    for declaration in tool.declarations() {
        let _ = declaration.parameters().to_arguments_json_schema();
    }
    let document = Document::json(call, &limits);
    let checked = tool.check_call_document(&document);
    check_places(&document, &checked.violations);

    // The same verdict by the other way in, if the call can be read at all.
    if let Ok(call) = FunctionCall::from_json_within(call, &limits) {
        let codes = |violations: &toolpact_core::Violations| {
            let mut codes: Vec<_> = violations
                .iter()
                .map(|v| (v.code(), v.pointer().to_string()))
                .collect();
            codes.sort();
            codes
        };
        match tool.check_call(&call) {
            Ok(by_value) => {
                let by_document = checked.value.as_ref().expect("accepted the other way");
                assert_eq!(by_value.args().text(), by_document.args().text());
            }
            Err(violations) => assert_eq!(codes(&violations), codes(&checked.violations)),
        }
    } else {
        assert!(checked.value.is_none());
    }

    // What the tool gets is what it asked for, and has nothing left to change.
    if let Some(checked) = checked.value {
        let text = format!(
            r#"{{"name":"{}","args":{}}}"#,
            checked.declaration().name(),
            checked.args().text()
        );
        let again = Document::json(text.as_bytes(), &limits);
        let again = tool
            .check_call_document(&again)
            .into_result()
            .expect("still valid");
        assert_eq!(again.args().text(), checked.args().text());
    }
});
