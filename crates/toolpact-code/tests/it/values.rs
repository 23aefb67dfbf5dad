//! Values in and out.

use crate::bench::{Bench, json, tool};

#[test]
fn every_kind_of_value_comes_back_the_same() {
    let bench = Bench::new();
    let values = [
        "null",
        "true",
        "false",
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "0.5",
        "-1.5e-300",
        "1e+300",
        r#""""#,
        r#""tab\t quote\" backslash\\ null\u0000 umlaut ä emoji 😀 line\n""#,
        "[]",
        "{}",
        r#"[1,[2,[3,[]]],{"a":{"b":[null]}}]"#,
        r#"{"from":1,"a-b":2,"":3,"ä":4,"__class__":5}"#,
    ];
    for value in values {
        let returns = tool(
            r#"{"name": "get", "description": "Gets.", "parameters": {"type": "object"}}"#,
            move |_| Ok(json(value)),
        );
        let getting = Bench::with([returns]);
        let got = getting.value("get()");
        assert_eq!(
            json(&got).to_canonical(),
            json(value).to_canonical(),
            "{value}"
        );
        // And as an argument.
        let literal = python(value);
        let got = bench.value(&format!("echo({literal})"));
        assert_eq!(
            json(&got).to_canonical(),
            json(value).to_canonical(),
            "{literal}"
        );
    }
}

/// These values as Python writes them.
fn python(value: &str) -> String {
    let words = [("null", "None"), ("true", "True"), ("false", "False")];
    match value.starts_with('"') {
        true => value.to_owned(),
        false => words.iter().fold(value.to_owned(), |text, (json, python)| {
            text.replace(json, python)
        }),
    }
}

#[test]
fn integers_are_exact() {
    let bench = Bench::new();
    assert_eq!(bench.value("echo(9007199254740993)"), "9007199254740993");
    assert_eq!(
        bench.value("add(9223372036854775806, 1)"),
        "9223372036854775807"
    );
    assert_eq!(
        bench.value("echo(18446744073709551615) - 1"),
        "18446744073709551614"
    );
}

#[test]
fn what_json_cannot_hold_is_refused_where_it_is() {
    let bench = Bench::new();
    let cases = [
        (
            "echo(18446744073709551616)",
            "ValueError: echo() argument 1 is not JSON: an integer beyond 64 bits",
        ),
        (
            "echo(-9223372036854775809)",
            "ValueError: echo() argument 1 is not JSON: an integer beyond 64 bits",
        ),
        (
            "echo(value=float('nan'))",
            "ValueError: echo() argument value is not JSON: a float that is NaN",
        ),
        (
            "echo([1, {'a': float('inf')}])",
            "ValueError: echo() argument 1 is not JSON at [1][\"a\"]: a float that is inf",
        ),
        (
            "echo({1: 2})",
            "TypeError: echo() argument 1 is not JSON: the key 1, which is no str",
        ),
        (
            "echo({1, 2})",
            "TypeError: echo() argument 1 is not JSON: a set, which has no order; make it a list with sorted()",
        ),
        (
            "echo(b'a')",
            "TypeError: echo() argument 1 is not JSON: bytes; make them a str with decode() or base64",
        ),
        (
            "a = []\na.append(a)\necho(a)",
            "ValueError: echo() argument 1 is not JSON at [0]: a value that contains itself",
        ),
        (
            "echo(echo)",
            "TypeError: echo() argument 1 is not JSON: a function; call it",
        ),
    ];
    for (script, expected) in cases {
        let error = bench.error(script);
        assert_eq!(error.code(), "raised", "{script}");
        let text = error.to_string();
        assert_eq!(text.lines().last().unwrap(), expected, "{script}");
    }
    let results = [
        (
            "2 ** 64",
            "the result is not JSON: an integer beyond 64 bits",
        ),
        (
            "[0, float('-inf')]",
            "the result is not JSON at [1]: a float that is -inf",
        ),
        (
            "{'a': {1, 2}}",
            "the result is not JSON at [\"a\"]: a set, which has no order; make it a list with sorted()",
        ),
        (
            "x = []\nfor i in range(300): x = [x]\nx",
            "nested more than 200 deep",
        ),
    ];
    for (script, expected) in results {
        let error = bench.error(script);
        assert_eq!(error.code(), "value", "{script}");
        assert!(error.to_string().ends_with(expected), "{error}");
    }
}

#[test]
fn large_integers_of_tools_are_refused() {
    let large = tool(
        r#"{"name": "large", "description": "Gets.", "parameters": {"type": "object"}}"#,
        |_| Ok(json(r#"{"a": [1, 18446744073709551616]}"#)),
    );
    let error = Bench::with([large]).error("large()");
    let text = error.to_string();
    let expected = "ValueError: the result has the integer 18446744073709551616 at /a/1, which is beyond 64 bits";
    assert_eq!(text.lines().last().unwrap(), expected);
}

#[test]
fn the_last_expression_is_the_value() {
    let bench = Bench::new();
    assert_eq!(bench.value("1 + 1"), "2");
    assert_eq!(bench.value("x = 1"), "null");
    assert_eq!(bench.value(""), "null");
    assert_eq!(bench.value("(1, 'a', None)"), r#"[1,"a",null]"#);
    assert_eq!(bench.value("{'b': 1, 'a': 2.0}"), r#"{"b":1,"a":2.0}"#);
}

#[test]
fn what_is_printed_is_kept() {
    let bench = Bench::new();
    let ran = bench.ran("print('a', 1, sep='-')\nprint('ä', end='')\necho(1)\nprint('x' * 9000)");
    assert_eq!(ran.printed, format!("a-1\nä{}\n", "x".repeat(9000)));
    // Also of a script that fails.
    assert_eq!(bench.ran("print(1)\n1 / 0").printed, "1\n");
}

/// The success itself, as declared.
#[test]
fn envelopes_are_taken_off() {
    let of = |returns: &str, value: &'static str| {
        let contract = format!(
            r#"{{"name": "get", "description": "Gets.", "parameters": {{"type": "object"}}, "returns": {returns}}}"#
        );
        Bench::with([tool(&contract, move |_| Ok(json(value)))]).value("get()")
    };
    assert_eq!(
        of(r#""StringValue""#, r#"{"success": true, "value": "a"}"#),
        r#""a""#
    );
    assert_eq!(of(r#""NumberValue""#, "5"), "5");
    assert_eq!(of(r#""VoidResult""#, r#"{"success": true}"#), "null");
    assert_eq!(of(r#""opaque""#, r#""text""#), r#""text""#);
    let list = r#"{"success": true, "data": [{"id": 1}], "pagination": {"total": 1}}"#;
    let got = of(r#""ListResult""#, list);
    assert_eq!(
        json(got).to_canonical(),
        r#"{"data":[{"id":1}],"pagination":{"total":1}}"#
    );
}

/// What a plain call leaves out, a script gets from the second function of the tool.
#[test]
fn scripts_get_the_whole_of_a_result() {
    let rows = [
        (
            "NumberValue",
            r#"{"success":true,"value":21.5,"unit":"celsius"}"#,
            "do() + 1",
            "22.5",
            "do_result()['unit']",
            r#""celsius""#,
        ),
        (
            "IdentifierValue",
            r#"{"success":true,"id":"u1","type":"user"}"#,
            "do().upper()",
            r#""U1""#,
            "do_result()['type']",
            r#""user""#,
        ),
        (
            "ObjectResult",
            r#"{"success":true,"data":{"a":1},"metadata":{"request_id":"r7"}}"#,
            "do()['a']",
            "1",
            "do_result()['metadata']['request_id']",
            r#""r7""#,
        ),
        (
            "VoidResult",
            r#"{"success":true,"message":"Sent."}"#,
            "do()",
            "null",
            "do_result()['message']",
            r#""Sent.""#,
        ),
    ];
    for (returns, result, plain, value, whole, more) in rows {
        let contract = format!(
            r#"{{"name": "do", "description": "Does.", "parameters": {{"type": "object"}}, "returns": "{returns}"}}"#
        );
        let bench = Bench::with([tool(&contract, move |_| Ok(json(result)))]);
        assert_eq!(bench.value(plain), value, "{returns}");
        assert_eq!(bench.value(whole), more, "{returns}");
        assert_eq!(bench.value("do_result()"), result, "{returns}");
        let task = "import asyncio\n(await asyncio.gather(tool_task(do_result)))[0]";
        assert_eq!(bench.value(task), result, "{returns}");
        // The type checker knows its keys.
        assert_eq!(
            bench.check("do_result()['colour']").unwrap_err().code(),
            "types"
        );
    }
}

/// The type checker infers what is in a dictionary that may be a `TypedDict` without its context.
#[test]
fn lists_in_a_map_that_may_be_an_object_are_taken() {
    let value = r#"{"anyOf": [
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"type": "object", "additionalProperties": {"type": "array", "items": {"type": ["integer", "null"]}}}
    ]}"#;
    let take = format!(
        r#"{{"name": "take", "description": "Takes it.",
        "parameters": {{"type": "object", "properties": {{"value": {value}}}, "required": ["value"]}},
        "returns": {{"type": "Custom", "schema": {value}}}}}"#
    );
    let echo =
        |args: &toolpact::core::json::Value| Ok(args.root().get("value").unwrap().to_value());
    let bench = Bench::with([tool(&take, echo)]);
    for (script, expected) in [
        (r#"take({"k": [1, None]})"#, r#"{"k":[1,null]}"#),
        (r#"take({"k": [1]})"#, r#"{"k":[1]}"#),
        (r#"take(take({"a": 1}))"#, r#"{"a":1}"#),
    ] {
        assert_eq!(bench.value(script), expected, "{script}");
    }
}
