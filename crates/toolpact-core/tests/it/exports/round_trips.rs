//! What is said without a loss is read back as it was: the same digest.

use crate::differential::{Choices, make, with_bytes};
use std::collections::HashMap;
use std::sync::Mutex;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::Dialect;
use toolpact_core::json::{Document, Limits};

#[test]
fn without_losses_the_digest_is_the_same() {
    let lossless = Mutex::new(HashMap::new());
    with_bytes(1_000, |bytes| {
        let choices = &mut Choices(bytes);
        let Some(contract) = contract(choices) else {
            return;
        };
        for dialect in Dialect::ALL {
            let export = dialect.export([&contract]);
            let Some(tool) = export
                .tools()
                .first()
                .filter(|tool| tool.losses().is_empty())
            else {
                continue;
            };
            let text = export.document();
            let import =
                dialect.import(&Document::json(text.text().as_bytes(), &Limits::default()));
            let import = import.unwrap_or_else(|v| panic!("{dialect} {text}: {v}"));
            let tell = || format!("{dialect}\n{}\n{text}", contract.to_json());
            assert!(
                import.left_out().is_empty(),
                "{}\n{:?}",
                tell(),
                import.left_out()
            );
            let back = &import.tools()[0].contract;
            assert_eq!(back.to_canonical(), contract.to_canonical(), "{}", tell());
            assert_eq!(back.digest(), tool.contract().digest());
            *lossless.lock().unwrap().entry(*dialect).or_insert(0) += 1;
        }
    });
    // Every dialect can say something.
    let lossless = lossless.into_inner().unwrap();
    for dialect in Dialect::ALL {
        assert!(
            lossless.get(dialect) > Some(&3),
            "{dialect}: {:?}",
            lossless.get(dialect)
        );
    }
}

/// A contract with a bit of everything: often plain, so that there are some without losses.
fn contract(choices: &mut Choices<'_>) -> Option<Contract> {
    let kind = choices.0.first().copied().unwrap_or_default();
    let parameters = match kind % 4 {
        0 => make::schema(choices),
        1 => make::adm_object(choices, 3),
        2 => plain(kind, true),
        _ => plain(kind, false),
    };
    let returns = match kind / 4 % 8 {
        0 => r#""returns": "ListResult","#.to_owned(),
        1 => r#""returns": "NumberValue","#.to_owned(),
        2 => r#""returns": "opaque","#.to_owned(),
        3 => format!(r#""returns": {{"type": "Custom", "schema": {}}},"#, make::schema(choices)),
        4 => r#""returns": {"type": "ListResult", "description": "Some.", "examples": [{"success": true, "data": []}]},"#.to_owned(),
        5 => r#""returns": {"type": "ListResult", "schema": {"properties": {"data": {"maxItems": 3}}}},"#.to_owned(),
        _ => String::new(),
    };
    let more = match kind / 32 {
        0 => {
            r#""effects": {"read_only": true, "idempotent": false}, "timeout_ms": 500, "text": "{{ data }}","#
        }
        1 => r#""effects": {"destructive": true, "durable": true, "idempotency_key": false},"#,
        _ => "",
    };
    let text = format!(
        r#"{{{returns}{more}"name": "try_it", "description": "Tries it.", "parameters": {parameters}}}"#
    );
    Contract::from_json(text).ok()
}

fn plain(kind: u8, closed: bool) -> String {
    let close = if closed {
        r#","additionalProperties": false"#
    } else {
        ""
    };
    let types = ["string", "integer", "boolean", "number"];
    let name = types[usize::from(kind / 7) % 4];
    let required = if kind.is_multiple_of(3) {
        ""
    } else {
        r#","required": ["a", "b"]"#
    };
    // Some dialects have scalars only.
    let other = match kind % 5 {
        0 => r#""type": "string""#.to_owned(),
        _ => format!(r#""type": "array", "items": {{"type": "{name}"}}"#),
    };
    format!(
        r#"{{"type": "object", "properties": {{
            "a": {{"type": "{name}", "description": "The a."}},
            "b": {{{other}, "description": "Some."}}
        }}{required}{close}}}"#
    )
}
