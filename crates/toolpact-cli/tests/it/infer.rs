//! `toolpact infer --call`: contracts from calls of a server that runs.

use serde_json::{Value as Json, json};

use crate::run::{Folder, Ran};
use crate::serve::Server;

/// Calls of the shop, all of tools that only read.
const CALLS: &[&str] = &[
    r#"get_order {"order": "O-1001"}"#,
    r#"get_order {"order": "O-1002"}"#,
    "count_orders",
    r#"search_products {"text": "tea"}"#,
    r#"customer_exists {"email": "nobody@example.com"}"#,
];

fn infer(folder: &Folder, server: &Server, calls: &[&str], more: &[&str]) -> Ran {
    let mut words = vec!["infer", "--server", server.address()];
    words.extend(calls.iter().flat_map(|call| ["--call", *call]));
    words.extend(more);
    folder.run(words)
}

/// Results in files, a line each, held to contracts.
fn validate(folder: &Folder, results: &[Json]) -> Ran {
    let lines: Vec<String> = results.iter().map(Json::to_string).collect();
    std::fs::write(folder.path("results.jsonl"), lines.join("\n")).unwrap();
    folder.run([
        "validate",
        "--tools",
        "tools.yaml",
        "--results",
        "results.jsonl",
    ])
}

#[test]
fn the_contract_accepts_what_the_tools_return() {
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    server.wait_for_shop();
    let ran = infer(&folder, &server, CALLS, &["--output", "tools.yaml"]);
    ran.assert(0, "", "get_order: from 2 calls and 2 results");
    ran.assert(0, "", "all results are of the standard type EntityResult");
    // The warnings are about missing examples.
    folder
        .run(["check", "tools.yaml"])
        .assert(0, "1 document checked", "");
    let client = server.client();
    let result = |call: &&str| {
        let (tool, args) = call.split_once(' ').unwrap_or((call, "{}"));
        let content = client.call(tool, &serde_json::from_str(args).unwrap());
        json!({"name": tool, "status": "SUCCESS", "content": content})
    };
    let results: Vec<Json> = CALLS.iter().map(result).collect();
    validate(&folder, &results).assert(0, "5 results, all valid", "");
    // An order that it was not made from.
    let other = result(&r#"get_order {"order": "O-1003"}"#);
    validate(&folder, &[other]).assert(0, "1 result, all valid", "");
    let mut wrong = results[0].clone();
    wrong["content"]["attributes"]["version"] = json!("3");
    validate(&folder, &[wrong]).assert(1, "at /content/attributes/version", "");
    // What the server says of its tools stays, but for `returns`.
    let tools = folder.read("tools.yaml");
    for said in [
        "Says whether there is a customer with this e-mail address.",
        "^O-[0-9]{1,15}$",
        "read_only: true",
    ] {
        assert!(tools.contains(said), "no {said} in {tools}");
    }
    assert!(!tools.contains("Inferred from"), "{tools}");
}

/// The list is looked at before the first call.
#[test]
fn only_tools_that_read_are_called() {
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    server.wait_for_shop();
    let client = server.client();
    let orders = || client.call("count_orders", &json!({}));
    let before = orders();
    let order = r#"{"customer": "C-101", "lines": [{"product": "TEA-001", "quantity": 1}]}"#;
    for calls in [
        &[&*format!("create_order {order}")][..],
        &["count_orders", &*format!("create_order {order}")],
        &["archive_order {\"order\": \"O-1001\"}", "count_orders"],
    ] {
        let ran = infer(&folder, &server, calls, &[]);
        ran.assert(2, "", "does not say that it is read-only");
        assert_eq!(ran.stdout, "");
    }
    assert_eq!(orders(), before);
    // The call is one that would have done it.
    client.call("create_order", &serde_json::from_str(order).unwrap());
    assert_ne!(orders(), before);
}

#[test]
fn calls_that_fail_promise_nothing() {
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    server.wait_for_shop();
    let failed = infer(&folder, &server, &[r#"get_order {"order": "O-9"}"#], &[]);
    failed.assert(
        0,
        "EntityResult",
        "from 1 call and 0 results; 1 call failed",
    );
    failed.assert(0, "", "so `returns` is what the server says");
    assert!(!failed.stderr.contains("all results"), "{failed:#?}");
    for (call, why) in [
        ("get_ordr {}", "the server has no tool get_ordr"),
        ("get_order {", "with its arguments as JSON"),
        ("get_order [1]", "to be a JSON object"),
    ] {
        infer(&folder, &server, &[call], &[]).assert(2, "", why);
    }
}
