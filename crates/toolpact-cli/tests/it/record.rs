//! Records of calls: what is in them, what a replay says, and answers without the tools.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::boundaries::http::{Response, post};
use crate::over_mcp::{modern, round};
use crate::run::{Folder, Ran};
use crate::serve::Server;

const SHOP: &str = "sources:\n  - shop: { orders: 300 }\n";

/// A tool whose program says what is in a file.
const PRICES: &str = r#"
toolpact: 1
tools:
  - name: price
    description: Says what a thing costs.
    parameters: { type: object, properties: { thing: { type: string } }, required: [thing] }
    returns: NumberValue
    effects: { read_only: true, idempotent: true }
    run: { command: [sh, -c, 'cat price.txt; test ! -e broken'] }
  - name: moment
    description: Says when it was asked.
    parameters: { type: object }
    returns:
      type: object
      properties: { at: { type: string }, nanos: { type: string }, kept: { type: integer } }
    effects: { read_only: true, idempotent: true }
    run: { command: [sh, -c, 'printf "{\"at\":\"%s\",\"nanos\":\"%s\",\"kept\":%s}" "$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)" "$(date +%s%N)" "$(cat price.txt)"'] }
  - name: order
    description: Orders a thing.
    parameters: { type: object, properties: { thing: { type: string } } }
    returns: VoidResult
    run: { command: [sh, -c, 'echo ordered >> orders.txt; echo "{\"success\":true}"'] }
"#;

fn prices() -> Folder {
    Folder::new()
        .file("prices.yaml", PRICES)
        .file("price.txt", "3")
}

impl Folder {
    fn record(&self, words: &[&str]) -> Ran {
        let own = ["call"].into_iter().chain(words.iter().copied());
        self.run(own.chain(["--tools", "prices.yaml", "--record", "records"]))
    }

    fn replay(&self, words: &[&str]) -> Ran {
        let own = ["replay", "records", "--tools", "prices.yaml"];
        self.run(own.into_iter().chain(words.iter().copied()))
    }

    fn lines(&self) -> Vec<Json> {
        let files = std::fs::read_dir(self.path("records")).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
        files.sort();
        let text: String = files
            .iter()
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }
}

fn rest(server: &Server, tool: &str, args: &Json) -> Response {
    post(
        server.address(),
        "/v1/call",
        &[],
        &json!({"name": tool, "args": args}),
    )
}

fn mcp(server: &Server, tool: &str, args: &Json) -> Json {
    let params = json!({"name": tool, "arguments": args, "_meta": modern(&json!({}))});
    round(server, "tools/call", &params)
}

/// An address and what is called there: every read-only tool, and some that write.
fn session(server: &Server) -> Vec<(String, Json)> {
    let client = server.client();
    let products = client.call("search_products", &json!({"text": "tea", "per_page": 3}));
    let product = products["data"][0]["sku"].as_str().unwrap();
    let lines = json!([{"product": product, "quantity": 1}]);
    let order = client.call(
        "create_order",
        &json!({"customer": "C-105", "lines": lines}),
    );
    let order = order.as_str().or(order["id"].as_str()).unwrap();
    let order = order.to_owned();
    client.call(
        "create_order",
        &json!({"customer": "C-106", "lines": lines}),
    );
    let archived = client
        .try_call("archive_order", &json!({"order": order}))
        .unwrap();
    assert!(!archived.0, "it is not delivered");
    let started = client.call("start_reindex", &json!({}));
    let operation = started["operation_id"].as_str().unwrap().to_owned();
    client.call(
        "get_operation",
        &json!({"operation": operation, "wait": 20}),
    );
    let backup = client.call("backup_database", &json!({}));
    let backup = backup["chunk_id"].as_str().unwrap().to_owned();
    let customer = json!({"customer": "C-105"});
    let calls = [
        (
            "search_orders",
            json!({"filter": {"status": "paid"}, "per_page": 2}),
        ),
        ("get_order", json!({"order": order})),
        ("get_order", json!({"order": "O-99"})),
        ("summarize_order", json!({"order": "O-1002"})),
        ("count_orders", json!({})),
        ("search_products", json!({"text": "tea", "per_page": 3})),
        ("get_product", json!({"product": product})),
        ("suggest_slug", json!({"name": "Earl Grey, 100 g"})),
        ("get_customer", customer),
        ("customer_exists", json!({"email": "nobody@example.com"})),
        ("sum_sales", json!({})),
        ("export_orders", json!({"filter": {"status": "paid"}})),
        ("sales_chart", json!({"until": "2026-08", "months": 3})),
        ("watch_orders", json!({"after": 0, "most": 2, "seconds": 5})),
        ("get_operation", json!({"operation": operation})),
        ("read_backup", json!({"backup": backup})),
        ("get_order", json!({"ordre": "O-1001"})),
        ("create_order", json!({"customer": "C-1", "lines": []})),
    ];
    calls.map(|(tool, args)| (tool.to_owned(), args)).into()
}

#[test]
fn the_session_of_the_shop_is_replayed_twice_and_answered_from() {
    let folder = Folder::new().file("toolpact.yaml", SHOP);
    let server = Server::start(&folder, &["toolpact.yaml", "--record", "records"]);
    server.wait_for_shop();
    let calls = session(&server);
    let mut answers = BTreeMap::new();
    for (tool, args) in &calls {
        let over_rest = rest(&server, tool, args);
        let key = format!("{tool} {args}");
        let answer = (
            over_rest.status(),
            over_rest.json(),
            mcp(&server, tool, args)["result"].clone(),
        );
        assert!(answer.2.is_object(), "{key}");
        answers.insert(key, answer);
    }
    // What is sent before the result, too.
    let watch = json!({"name": "watch_orders", "args": {"after": 0, "most": 2, "seconds": 5}});
    let events = [("accept", "text/event-stream")];
    let streamed = post(server.address(), "/v1/call", &events, &watch).body;
    assert_eq!(
        streamed.matches("event: order.created").count(),
        2,
        "{streamed}"
    );
    let tools = folder.run(["tools", "--json", "--server", server.address()]);
    let replay = ["replay", "records", "--server", server.address()];
    for _ in 0..2 {
        let replayed = folder.run(replay);
        replayed.assert(0, "fine: ", "");
        assert!(!replayed.stdout.contains("changed"), "{replayed:#?}");
    }
    let report = folder.run([&replay[..], &["--json"]].concat());
    let report: Json = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(report["fine"], true);
    let replayed = report["calls"].as_array().unwrap().iter();
    let replayed =
        replayed.filter(|call| ["same", "volatile"].contains(&call["verdict"].as_str().unwrap()));
    let replayed: std::collections::BTreeSet<&str> = replayed
        .map(|call| call["tool"].as_str().unwrap())
        .collect();
    let whole: Json = serde_json::from_str(&tools.stdout).unwrap();
    let all = whole["tools"].as_array().unwrap();
    let read_only = all
        .iter()
        .filter(|tool| tool["effects"]["read_only"] == true);
    let read_only: Vec<&str> = read_only
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(read_only.len() >= 15);
    assert_eq!(replayed.into_iter().collect::<Vec<_>>(), {
        let mut sorted = read_only.clone();
        sorted.sort_unstable();
        sorted
    });
    server.stop();
    // Once more without a server, which has the same data.
    folder
        .run(["replay", "records", "--config", "toolpact.yaml"])
        .assert(0, "fine: ", "");
    folder
        .run(["audit", "verify", "records"])
        .assert(0, "fine: ", "");
    answers_are_those_of_the_record(&folder, &calls, &answers, &streamed, &tools);
}

type Answers = BTreeMap<String, (u16, Json, Json)>;

fn answers_are_those_of_the_record(
    folder: &Folder,
    calls: &[(String, Json)],
    answers: &Answers,
    streamed: &str,
    tools: &Ran,
) {
    // Without the data of the shop.
    let elsewhere = Folder::new();
    let record = folder.path("records");
    let record = record.to_str().unwrap();
    let server = Server::start(&elsewhere, &["--replay", record]);
    let now = folder.run(["tools", "--json", "--server", server.address()]);
    let sorted = |ran: &Ran| {
        let tools: Json = serde_json::from_str(&ran.stdout).unwrap();
        let mut tools = tools["tools"].as_array().unwrap().clone();
        tools.sort_by_key(|tool| tool["name"].as_str().map(str::to_owned));
        tools
    };
    assert_eq!(sorted(&now), sorted(tools));
    let watch = json!({"name": "watch_orders", "args": {"after": 0, "most": 2, "seconds": 5}});
    let events = [("accept", "text/event-stream")];
    // The last call of these arguments is the one that was streamed.
    for _ in 0..2 {
        rest(&server, "watch_orders", &watch["args"]);
    }
    assert_eq!(
        post(server.address(), "/v1/call", &events, &watch).body,
        streamed
    );
    for (tool, args) in calls {
        let key = format!("{tool} {args}");
        // Earlier calls with the same arguments come first.
        let mut given = rest(&server, tool, args);
        for _ in 0..3 {
            given = rest(&server, tool, args);
        }
        let (status, json, over_mcp) = &answers[&key];
        assert_eq!((given.status(), &given.json()), (*status, json), "{key}");
        assert_eq!(&mcp(&server, tool, args)["result"], over_mcp, "{key}");
        assert_eq!(given.header("toolpact-stand-in"), None);
    }
}

/// What is said of a tool that was changed on the way.
#[test]
fn each_change_has_its_word() {
    let folder = prices();
    folder
        .record(&["price", "thing=tea", "--view", "json"])
        .assert(0, "3\n", "");
    folder
        .replay(&[])
        .assert(0, "fine: 1 call made again: 1 same", "");
    folder.write("price.txt", "4");
    let changed = folder.replay(&[]);
    changed.assert(1, "1 value changed", "");
    changed.assert(1, "(all of it): 3 before, 4 now", "");
    folder.write("price.txt", "dear");
    folder.replay(&[]).assert(1, "1 broken contract", "");
    folder.write("price.txt", "3");
    folder.write("broken", "");
    folder.replay(&[]).assert(1, "1 failed", "");
    std::fs::remove_file(folder.path("broken")).unwrap();
    folder.write(
        "prices.yaml",
        &PRICES.replace("returns: NumberValue", "returns: StringValue"),
    );
    let changed = folder.replay(&[]);
    changed.assert(1, "1 contract changed", "");
    changed.assert(1, "the contract /returns", "");
    changed.assert(1, "it breaks the recorded contract: ", "");
    folder.write(
        "prices.yaml",
        &PRICES.replace("Says what a thing costs.", "Names the price."),
    );
    folder.replay(&[]).assert(
        1,
        r#""Says what a thing costs." before, "Names the price." now"#,
        "",
    );
    folder.write("prices.yaml", &PRICES.replace("name: price", "name: cost"));
    let gone = folder.replay(&[]);
    gone.assert(1, "1 gone", "");
    gone.assert(1, "new, and not in the record: cost", "");
    folder.write("prices.yaml", PRICES);
    folder.replay(&[]).assert(0, "fine: ", "");
}

#[test]
fn what_changes_from_call_to_call_does_not_count() {
    let folder = prices();
    folder.record(&["moment"]).assert(0, "", "");
    let replayed = folder.replay(&[]);
    replayed.assert(0, "1 same but volatile", "");
    replayed.assert(0, "volatile: /at, /nanos", "");
    folder.replay(&["--exact"]).assert(1, "1 value changed", "");
    let told = folder.replay(&["--exact", "--ignore", "/at", "--ignore", "/nanos"]);
    told.assert(0, "1 same but volatile", "");
    folder.write("price.txt", "9");
    let replayed = folder.replay(&[]);
    replayed.assert(1, "/kept: 3 before, 9 now", "");
    assert!(!replayed.stdout.contains("nanos: "), "{replayed:#?}");
    folder
        .replay(&["--ignore", "/kept"])
        .assert(0, "same but volatile", "");
    folder
        .replay(&["--ignore", "kept"])
        .assert(2, "", "expected a JSON Pointer");
}

#[test]
fn what_changes_something_is_called_only_if_it_is_named() {
    let folder = prices();
    folder.record(&["order", "thing=tea"]).assert(0, "", "");
    let orders = || folder.read("orders.txt").lines().count();
    let nothing = folder.replay(&[]);
    nothing.assert(1, "nothing to compare", "");
    nothing.assert(
        1,
        "the tool is not read-only; --tool order makes it again",
        "",
    );
    assert_eq!(orders(), 1);
    folder.replay(&["--tool", "order"]).assert(0, "1 same", "");
    folder.replay(&["--all"]).assert(0, "1 same", "");
    assert_eq!(orders(), 3);
    // A value that is another one because of a call that the record has, too.
    folder.record(&["price", "thing=tea"]).assert(0, "", "");
    folder.record(&["order", "thing=tea"]).assert(0, "", "");
    folder.write("price.txt", "4");
    folder.replay(&[]).assert(
        1,
        "a later call of the record may have changed it: order at ",
        "",
    );
}

#[test]
fn what_the_audit_leaves_out_is_not_in_the_record_and_not_replayed() {
    const CONFIG: &str = "
audit: { directory: audit, redact: [thing], arguments: redacted }
sources: [{ files: { paths: [prices.yaml] } }]
";
    let folder = prices().file("toolpact.yaml", CONFIG);
    let server = Server::start(&folder, &["toolpact.yaml", "--record", "records"]);
    rest(&server, "price", &json!({"thing": "tea"}));
    rest(&server, "moment", &json!({}));
    server.stop();
    let lines = folder.lines();
    let price = lines
        .iter()
        .find(|line| line["tool"] == "price" && line["args"].is_object());
    assert_eq!(price.unwrap()["args"], json!({"thing": "[redacted]"}));
    assert_eq!(price.unwrap()["result"], 3);
    let replayed = folder.replay(&[]);
    replayed.assert(
        0,
        "/thing of its arguments was redacted when it was recorded",
        "",
    );
    // What was left out may be anything.
    let server = Server::start(&folder, &["--replay", "records"]);
    assert_eq!(
        rest(&server, "price", &json!({"thing": "coffee"})).json(),
        3
    );
    // The audit is there as well, and is no record: it has neither values nor contracts.
    let audit = folder.run(["replay", "audit", "--tools", "prices.yaml"]);
    audit.assert(1, "nothing to compare", "");
    folder
        .run(["serve", "--replay", "audit", "--port", "0"])
        .assert(2, "", "without the contracts of their tools");
}

/// A server that is killed leaves what it answered, and perhaps a part of a line.
#[test]
fn a_torn_line_is_told_and_the_rest_is_used() {
    let folder = prices().file(
        "toolpact.yaml",
        "sources: [{ files: { paths: [prices.yaml] } }]",
    );
    let server = Server::start(&folder, &["toolpact.yaml", "--record", "records"]);
    rest(&server, "price", &json!({"thing": "tea"}));
    let second = folder.run([
        "serve",
        "toolpact.yaml",
        "--port",
        "0",
        "--record",
        "records",
    ]);
    second.assert(
        2,
        "",
        "or records its calls there; give each a directory of its own",
    );
    server.kill();
    let file = std::fs::read_dir(folder.path("records")).unwrap();
    let mut files = file.map(|file| file.unwrap().path());
    let file = files
        .find(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}{{\"time\":\"2026-11-")).unwrap();
    let replayed = folder.replay(&[]);
    replayed.assert(0, "fine: 1 call made again: 1 same", "");
    replayed.assert(0, "", "the line is not complete");
    let server = Server::start(&folder, &["--replay", "records"]);
    assert_eq!(rest(&server, "price", &json!({"thing": "tea"})).json(), 3);
    drop(server);
    // The next server moves it aside, and records on.
    let server = Server::start(&folder, &["toolpact.yaml", "--record", "records"]);
    rest(&server, "price", &json!({"thing": "coffee"}));
    server.stop();
    let replayed = folder.replay(&[]);
    replayed.assert(0, "2 calls made again: 2 same", "");
    assert_eq!(replayed.stderr, "");
    // A line that is no line of a record is another matter.
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}nonsense\n")).unwrap();
    folder
        .replay(&[])
        .assert(1, "fine: ", "this is no line of a record: ");
    folder
        .run(["replay", "nowhere", "--tools", "prices.yaml"])
        .assert(2, "", "nowhere");
}

#[test]
fn answers_come_in_their_order_or_from_the_nearest_call() {
    let folder = prices();
    for (price, thing) in [("3", "tea"), ("4", "tea"), ("9", "coffee")] {
        folder.write("price.txt", price);
        folder
            .record(&["price", &format!("thing={thing}")])
            .assert(0, "", "");
    }
    folder.write("broken", "");
    folder.record(&["price", "thing=milk"]).assert(1, "", "");
    let strict = Server::start(&folder, &["--replay", "records"]);
    let tea = json!({"thing": "tea"});
    let values: Vec<Json> = (0..3)
        .map(|_| rest(&strict, "price", &tea).json().clone())
        .collect();
    assert_eq!(values, [3, 4, 4]);
    let failed = rest(&strict, "price", &json!({"thing": "milk"}));
    assert_eq!(
        (failed.status(), failed.json()["code"].as_str()),
        (500, Some("INTERNAL_ERROR"))
    );
    let unknown = rest(&strict, "price", &json!({"thing": "teas"}));
    assert_eq!(unknown.status(), 404);
    assert_eq!(unknown.json()["code"], "NOT_FOUND_RECORDED_CALL");
    assert_eq!(
        unknown.json()["details"]["nearest"][0],
        json!({"args": tea, "differs_at": "/thing"})
    );
    assert_eq!(
        rest(&strict, "moment", &json!({})).json()["message"],
        "The record has no call of `moment`."
    );
    assert_eq!(
        rest(&strict, "price", &json!({})).json()["code"],
        "VALIDATION_REQUIRED"
    );
    drop(strict);
    let nearest = Server::start(
        &folder,
        &["--replay", "records", "--replay-match", "nearest"],
    );
    let answer = rest(&nearest, "price", &json!({"thing": "teas"}));
    assert_eq!(answer.json(), 3);
    assert_eq!(
        answer.header("toolpact-stand-in"),
        Some("nearest recorded call")
    );
    let exact = rest(&nearest, "price", &json!({"thing": "coffee"}));
    assert_eq!(
        (exact.json().as_i64(), exact.header("toolpact-stand-in")),
        (Some(9), None)
    );
    let over_mcp = mcp(&nearest, "price", &json!({"thing": "sugar"}));
    assert_eq!(
        over_mcp["result"]["_meta"]["toolpact/stand-in"],
        "nearest recorded call"
    );
}

#[test]
fn answers_take_their_time_if_asked_to() {
    let folder = prices().file(
        "slow.yaml",
        PRICES.replace("cat price.txt; test", "sleep 1; cat price.txt; test"),
    );
    folder
        .run([
            "call",
            "price",
            "thing=tea",
            "--tools",
            "slow.yaml",
            "--record",
            "records",
        ])
        .assert(0, "3", "");
    let took = |more: &[&str]| {
        let server = Server::start(&folder, &[&["--replay", "records"], more].concat());
        let began = Instant::now();
        assert_eq!(rest(&server, "price", &json!({"thing": "tea"})).json(), 3);
        began.elapsed()
    };
    assert!(took(&["--replay-delays"]) >= Duration::from_secs(1));
    folder
        .run(["serve", "--replay-delays"])
        .assert(2, "", "--replay");
}

/// Whichever way a call comes in, it is in the record, and in the audit beside it.
#[test]
fn calls_of_all_ways_in_are_recorded() {
    const CONFIG: &str = "
audit: { directory: audit }
code: {}
sources: [{ files: { name: shop, paths: [prices.yaml] } }]
";
    let folder = prices().file("toolpact.yaml", CONFIG);
    let server = Server::start(&folder, &["toolpact.yaml", "--record", "records"]);
    let call = |number: u32| json!({"name": "shop__price", "args": {"thing": format!("{number}")}});
    let send = |path: &str, body: &Json| {
        let response = post(server.address(), path, &[], body);
        assert_eq!(response.status(), 200, "{}", response.body);
        response
    };
    send("/v1/call", &call(1));
    send("/v1/tools/shop__price", &json!({"thing": "2"}));
    send("/v1/batch", &json!({"calls": [call(3), call(4)]}));
    let steps = json!([{"id": "s1", "tool": "shop__price", "input": {"thing": "5"}}]);
    send("/v1/plan", &json!({"goal": "A price.", "steps": steps}));
    mcp(&server, "shop__price", &json!({"thing": "6"}));
    server.stop();
    let things = |lines: &[Json]| {
        let calls = lines.iter().filter(|line| line["tool"] == "shop__price");
        let things = calls.filter_map(|line| line["args"]["thing"].as_str());
        let mut things: Vec<String> = things.map(str::to_owned).collect();
        things.sort();
        things
    };
    assert_eq!(things(&folder.lines()), ["1", "2", "3", "4", "5", "6"]);
    for place in ["records", "audit"] {
        folder
            .run(["audit", "verify", place])
            .assert(0, "fine: 6 calls", "");
    }
    folder
        .run(["replay", "records", "--config", "toolpact.yaml"])
        .assert(0, "fine: 6 calls made again: 6 same", "");
}

/// A file that may not grow is a disk that is full: no call is answered that is not in the record.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_answered_that_cannot_be_recorded() {
    let folder = prices().file(
        "toolpact.yaml",
        "sources: [{ files: { paths: [prices.yaml] } }]",
    );
    let program = crate::run::command().get_program().to_owned();
    let mut shell = crate::run::cleaned(std::process::Command::new("sh"));
    shell.args([
        "-c",
        "trap '' XFSZ; ulimit -S -f 16; exec \"$0\" serve toolpact.yaml --record records --listen 127.0.0.1:0",
    ]);
    shell.arg(program).current_dir(folder.path(""));
    let server = Server::run(&folder, shell);
    let thing = json!({"thing": "x".repeat(200)});
    let answers: Vec<Response> = (0..20).map(|_| rest(&server, "price", &thing)).collect();
    let answered = answers
        .iter()
        .filter(|answer| answer.status() == 200)
        .count();
    assert!(0 < answered && answered < 20);
    let last = answers.last().unwrap().json();
    assert_eq!(
        (&last["code"], &last["details"]["call_made"]),
        (&json!("INTERNAL_AUDIT"), &json!(false))
    );
    server.kill();
    let replayed = folder.run(["replay", "records", "--tools", "prices.yaml", "--json"]);
    let report: Json = serde_json::from_str(&replayed.stdout).unwrap();
    assert_eq!(report["calls"].as_array().unwrap().len(), answered);
}
