//! What a result is, over every boundary that carries results. The cases are the rows of
//! `boundaries/rows.yaml`; the tests are the boundaries. Scripts have a test of their own in the crate
//! `toolpact-code`, which has the interpreter, with the same rows.

pub(crate) mod http;
mod rust;
mod rust_rows;
mod table;

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use toolpact::{Call, Completed, Definition, Registry, Session};
use toolpact_core::contract::ContractDocument;
use toolpact_core::json::Value;
use toolpact_plan::{Plan, PlanLimits, StepOutcome};
use toolpact_upstream::{Upstream, UpstreamBuilder};

use self::http::{get, post};
use self::table::{Row, Seen, fixture, rows};
use crate::run::{Folder, run_with_stdin};
use crate::serve::Server;

/// Waits until the tools of all sources are there.
fn serve(folder: &Folder, config: &str, rows: &[Row]) -> Server {
    let server = Server::start(folder, &[config]);
    let patience = Instant::now() + Duration::from_secs(60);
    let is_there = || {
        let contracts = get(server.address(), "/v1/contracts").json();
        contracts["contracts"].as_array().unwrap().len() == rows.len()
    };
    while !is_there() {
        assert!(Instant::now() < patience, "{}", folder.read("stderr.log"));
        std::thread::sleep(Duration::from_millis(50));
    }
    server
}

/// Fills in the members of a failure that an error carries beside the envelope.
fn of_error(error: &Json) -> Json {
    let mut result = error["details"]["result"].clone();
    if result.is_null() {
        result = json!({});
    }
    result["error"] = error.clone();
    result
}

#[test]
fn library() {
    on_a_session(&async |session: &Session, rows: &[Row]| {
        for row in rows {
            let completed = session.call(Call::new(&*row.name, empty())).await;
            row.check(&seen(&completed));
            let adm = completed.to_adm().unwrap().to_json();
            let status = match row.fails {
                Some(_) => r#""status":"ERROR""#,
                None => r#""status":"SUCCESS""#,
            };
            assert!(adm.contains(status), "{adm}");
            let entry = session.get(&row.name).unwrap();
            let failures: u64 = entry.metrics().failures().map(|(_, count)| count).sum();
            assert_eq!(failures, u64::from(row.fails.is_some()), "{}", row.name);
        }
    });
}

#[test]
fn plans() {
    on_a_session(&async |session: &Session, rows: &[Row]| {
        for row in rows {
            let plan = json!([{"id": "s", "tool": row.name}]).to_string();
            let plan = Plan::from_text(&plan).unwrap();
            let result = plan.run(session, PlanLimits::default()).await;
            let seen = match result.step("s").unwrap().outcome() {
                StepOutcome::Done(value) => Seen {
                    result: Some(json_of(value)),
                    ..Seen::default()
                },
                StepOutcome::Failed(error) => Seen {
                    error: Some(error.code().to_owned()),
                    result: Some(of_error(&serde_json::from_str(&error.to_json()).unwrap())),
                    ..Seen::default()
                },
                StepOutcome::Skipped { .. } => panic!("{}", row.name),
            };
            row.check(&seen);
        }
    });
}

#[test]
fn plans_over_rest() {
    let rows = rows();
    let folder = fixture(&rows);
    let server = serve(&folder, "config.yaml", &rows);
    for row in &rows {
        let plan = json!([{"id": "s", "tool": row.name}]);
        let answer = post(server.address(), "/v1/plan", &[], &plan).json();
        let step = &answer["steps"][0];
        let error = step.get("error");
        row.check(&Seen {
            error: error.map(|error| error["code"].as_str().unwrap().to_owned()),
            result: Some(error.map_or_else(|| step["value"].clone(), of_error)),
            ..Seen::default()
        });
    }
}

#[test]
fn call() {
    let rows = rows();
    let folder = fixture(&rows);
    let server = serve(&folder, "config.yaml", &rows);
    for row in &rows {
        let local = row.answers.is_none().then_some(["--tools", "tools.yaml"]);
        for place in [Some(["--server", server.address()]), local]
            .into_iter()
            .flatten()
        {
            let call = |view: &str| {
                let words = ["call", &*row.name, "--view", view];
                let ran = folder.run([&words[..], &place].concat());
                let status = i32::from(row.fails.is_some());
                assert_eq!(ran.status, status, "{} {place:?}: {ran:#?}", row.name);
                ran.stdout
            };
            let json: Json = serde_json::from_str(&call("json")).unwrap();
            row.check(&Seen {
                error: row
                    .fails
                    .as_ref()
                    .map(|_| json["code"].as_str().unwrap().to_owned()),
                outcome: None,
                text: Some(call("text")),
                result: Some(serde_json::from_str(&call("adl")).unwrap()),
            });
        }
    }
}

#[test]
fn rest() {
    let rows = rows();
    let folder = fixture(&rows);
    let server = serve(&folder, "config.yaml", &rows);
    over_rest(server.address(), &rows);
    let document = get(server.address(), "/v1/openapi.json").json();
    for row in &rows {
        for expected in &row.http {
            let headers: Vec<_> = { expected.accept.iter() }
                .map(|accept| ("accept", &**accept))
                .collect();
            let path = format!("/v1/tools/{}", row.name);
            let response = post(server.address(), &path, &headers, &json!({}));
            let (name, accept) = (&row.name, &expected.accept);
            assert_eq!(
                response.header("content-type"),
                Some(&*expected.content_type),
                "{name} {accept:?}"
            );
            assert_eq!(response.body, expected.body, "{name} {accept:?}");
            assert_eq!(response.header("toolpact-outcome"), Some("SUCCESS"));
            let declared = &document["paths"][&format!("/tools/{name}")]["post"]["responses"]["200"]
                ["content"];
            let declared = declared.as_object().unwrap();
            let own = |key: &&String| expected.content_type.starts_with(&***key);
            assert!(declared.keys().any(|key| own(&key)), "{name}: {declared:?}");
        }
    }
}

/// The tools of one server, as tools of another.
#[test]
fn upstream() {
    let rows = rows();
    let folder = fixture(&rows);
    let first = serve(&folder, "config.yaml", &rows);
    let url = format!("{}/mcp", first.address());
    let second = Folder::new().file(
        "config.yaml",
        json!({"sources": [{"mcp": {"url": url}}]}).to_string(),
    );
    let server = serve(&second, "config.yaml", &rows);
    over_rest(server.address(), &rows);
}

#[test]
fn mcp_over_http() {
    let rows = rows();
    let folder = fixture(&rows);
    let server = serve(&folder, "config.yaml", &rows);
    let ask = |session: Option<&str>, body: &Json| {
        let mut headers = vec![("accept", "application/json, text/event-stream")];
        headers.extend(session.map(|session| ("mcp-session-id", session)));
        post(server.address(), "/mcp", &headers, body)
    };
    let hello = ask(None, &initialize());
    let session = hello.header("mcp-session-id").map(str::to_owned);
    ask(
        session.as_deref(),
        &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    );
    ask(
        session.as_deref(),
        &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    );
    for row in &rows {
        let answer = ask(session.as_deref(), &tools_call(3, row));
        let data = answer
            .body
            .lines()
            .rfind(|line| line.contains(r#""result""#));
        let data = data.unwrap_or_else(|| panic!("{}", answer.body));
        let message: Json = serde_json::from_str(data.trim_start_matches("data: ")).unwrap();
        row.check(&of_mcp(&message["result"]));
    }
}

#[test]
fn mcp_over_stdio() {
    let rows = rows();
    let folder = fixture(&rows);
    // Programs that are sources start while the first calls come in.
    let (programs, _): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.answers.is_none());
    let folder = folder.file(
        "files.yaml",
        r#"{"sources": [{"files": {"paths": ["tools.yaml"]}}]}"#,
    );
    let mut messages = vec![
        initialize(),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ];
    messages.extend((100..).zip(&programs).map(|(id, row)| tools_call(id, row)));
    let lines: Vec<String> = messages
        .iter()
        .map(|message| format!("{message}\n"))
        .collect();
    let command = folder.command(["serve", "files.yaml", "--stdio"]);
    let ran = run_with_stdin(command, lines.concat().as_bytes());
    for (id, row) in (100..).zip(programs) {
        let answers = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<Json>(line).unwrap());
        let mut answers = answers.filter(|answer| answer["id"] == id);
        row.check(&of_mcp(&answers.next().unwrap()["result"]));
    }
}

fn on_a_session(check: &impl AsyncFn(&Session, &[Row])) {
    let rows = rows();
    let folder = fixture(&rows);
    let contracts = |file| ContractDocument::from_json(folder.read(file)).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let registry = Registry::new();
        for contract in contracts("tools.yaml").tools() {
            registry
                .add(Definition::run(contract.clone()).unwrap())
                .unwrap();
        }
        let server = Upstream::command("sh");
        let server = server.args([folder.path("server.sh"), folder.path("answers")]);
        let document = contracts("contracts.yaml");
        let own = document.tools().cloned();
        let server = own.fold(server, UpstreamBuilder::contract);
        let server = server.connect().await.unwrap();
        registry.add_all(server.definitions()).unwrap();
        check(&registry.session().open().unwrap(), &rows).await;
        server.close().await;
    });
}

fn seen(completed: &Completed) -> Seen {
    Seen {
        error: completed.error().map(|error| error.code().to_owned()),
        outcome: Some(match completed.outcome() {
            Ok(outcome) => outcome.to_string(),
            Err(error) => error.code().to_owned(),
        }),
        text: Some(completed.text()),
        result: Some(json_of(&completed.to_adl())),
    }
}

fn over_rest(address: &str, rows: &[Row]) {
    for row in rows {
        let call = |view: &str| {
            let body = json!({"name": row.name, "args": {}, "view": view});
            post(address, "/v1/call", &[], &body)
        };
        let json = call("json");
        let outcome = json.header("toolpact-outcome").unwrap().to_owned();
        let error = row.fails.as_ref().map(|_| json.json());
        if let Some(error) = &error {
            // The answer by itself keeps what there is, too.
            row.check(&Seen {
                error: error["code"].as_str().map(str::to_owned),
                result: Some(of_error(error)),
                ..Seen::default()
            });
        }
        row.check(&Seen {
            error: error.map(|error| error["code"].as_str().unwrap().to_owned()),
            outcome: Some(outcome),
            text: Some(call("text").body),
            result: Some(call("adl").json()),
        });
        let adm = call("adm").json();
        let status = if row.fails.is_some() {
            "ERROR"
        } else {
            "SUCCESS"
        };
        assert_eq!(adm["status"], status, "{}: {adm}", row.name);
    }
}

fn of_mcp(result: &Json) -> Seen {
    let error = (result["isError"] == true).then(|| &result["_meta"]["toolpact/error"]);
    let outcome = &result["_meta"]["toolpact/outcome"];
    let structure = &result["structuredContent"];
    let texts = result["content"].as_array().unwrap().iter();
    let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
    Seen {
        error: error.map(|error| error["code"].as_str().unwrap().to_owned()),
        outcome: Some(outcome.as_str().unwrap_or("SUCCESS").to_owned()),
        text: Some(texts.join("\n")),
        result: Some(match error {
            Some(error) if structure.is_null() => of_error(error),
            _ => structure.clone(),
        }),
    }
}

fn initialize() -> Json {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

fn tools_call(id: u32, row: &Row) -> Json {
    let params = json!({"name": row.name, "arguments": {}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

fn empty() -> Value {
    Value::from_json("{}").unwrap()
}

fn json_of(value: &Value) -> Json {
    serde_json::from_str(value.text()).unwrap()
}
