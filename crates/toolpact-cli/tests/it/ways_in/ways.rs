//! The ways in. Each makes a call and says what came of it: the code of its error, or `ok`.

use serde_json::{Value as Json, json};

use super::people::Person;
use super::place::Asked;
use crate::over_mcp::{Client, initialize, modern};

/// A way in over HTTP.
pub(super) struct Way {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) call: fn(&Asked, &Person, &str, &Json) -> String,
}

/// A way in over standard input.
pub(super) struct StdioWay {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) call: fn(&mut Client, &str, &Json) -> String,
}

/// What a way leaves in the audit.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Call,
    Plan,
    Script,
    /// The caller runs the tool itself.
    Authorization,
}

const fn way(
    name: &'static str,
    kind: Kind,
    call: fn(&Asked, &Person, &str, &Json) -> String,
) -> Way {
    Way { name, kind, call }
}

pub(super) const WAYS: [Way; 14] = [
    way("call", Kind::Call, |server, person, tool, args| {
        let body = json!({"name": tool, "args": args});
        of_rest(&server.post(person, "/v1/call", &body).json())
    }),
    way(
        "call in another view",
        Kind::Call,
        |server, person, tool, args| {
            let body = json!({"name": tool, "args": args, "view": "mcp"});
            in_text(&server.post(person, "/v1/call", &body).body)
        },
    ),
    way("tool", Kind::Call, |server, person, tool, args| {
        of_rest(
            &server
                .post(person, &format!("/v1/tools/{tool}"), args)
                .json(),
        )
    }),
    way("stream", Kind::Call, |server, person, tool, args| {
        let body = json!({"name": tool, "args": args}).to_string();
        let headers = [("accept", "text/event-stream")];
        in_text(&server.ask(person, "POST", "/v1/call", &headers, &body).body)
    }),
    way("session", Kind::Call, |server, person, tool, args| {
        let opened = server.post(person, "/v1/sessions", &json!({})).json();
        let body = json!({"name": tool, "args": args, "session": opened["session"]});
        of_rest(&server.post(person, "/v1/call", &body).json())
    }),
    way("batch", Kind::Call, |server, person, tool, args| {
        let body = json!({"calls": [{"name": tool, "args": args}]});
        in_text(&server.post(person, "/v1/batch", &body).body)
    }),
    way("plan", Kind::Plan, |server, person, tool, args| {
        let body = json!({"steps": [{"id": "a", "tool": tool, "args": args}]});
        of_plan(&server.post(person, "/v1/plan", &body).json())
    }),
    way(
        "plan in a session",
        Kind::Plan,
        |server, person, tool, args| {
            let opened = server.post(person, "/v1/sessions", &json!({})).json();
            let steps = json!([{"id": "a", "tool": tool, "args": args}]);
            let body = json!({"steps": steps, "session": opened["session"]});
            of_plan(&server.post(person, "/v1/plan", &body).json())
        },
    ),
    way(
        "MCP without a session",
        Kind::Call,
        |server, person, tool, args| {
            of_mcp(&sessionless(server, person, "tools/call", Some(tool), args))
        },
    ),
    way(
        "MCP in a session",
        Kind::Call,
        |server, person, tool, args| {
            let params = json!({"name": tool, "arguments": args});
            of_mcp(&in_session(server, person, "tools/call", &params))
        },
    ),
    way("script", Kind::Script, |server, person, tool, args| {
        let args = json!({"script": script(tool, args)});
        of_script(&server.post(person, "/v1/tools/run_code", &args).json())
    }),
    way(
        "script over MCP",
        Kind::Script,
        |server, person, tool, args| {
            let args = json!({"script": script(tool, args)});
            let answer = sessionless(server, person, "tools/call", Some("run_code"), &args);
            of_script_over_mcp(&answer)
        },
    ),
    way(
        "authorization",
        Kind::Authorization,
        |server, person, tool, args| {
            let body = json!({"name": tool, "args": args});
            of_rest(&authorized(server, person, &body))
        },
    ),
    way(
        "authorization in a session",
        Kind::Authorization,
        |server, person, tool, args| {
            let opened = server.post(person, "/v1/sessions", &json!({})).json();
            let body = json!({"name": tool, "args": args, "session": opened["session"]});
            of_rest(&authorized(server, person, &body))
        },
    ),
];

pub(super) const STDIO_WAYS: [StdioWay; 3] = [
    StdioWay {
        name: "stdio",
        kind: Kind::Call,
        call: |client, tool, args| {
            of_mcp(&client.ask("tools/call", &json!({"name": tool, "arguments": args})))
        },
    },
    StdioWay {
        name: "stdio without a session",
        kind: Kind::Call,
        call: |client, tool, args| {
            let params = json!({"name": tool, "arguments": args, "_meta": modern(&json!({}))});
            of_mcp(&client.ask("tools/call", &params))
        },
    },
    StdioWay {
        name: "script over stdio",
        kind: Kind::Script,
        call: |client, tool, args| {
            let args = json!({"script": script(tool, args)});
            let params = json!({"name": "run_code", "arguments": args});
            of_script_over_mcp(&client.ask("tools/call", &params))
        },
    },
];

/// What MCP lists, in both versions.
pub(super) fn lists(server: &Asked, person: &Person) -> [String; 2] {
    [
        sessionless(server, person, "tools/list", None, &json!({})).to_string(),
        in_session(server, person, "tools/list", &json!({})).to_string(),
    ]
}

/// What comes of a call that its caller runs, which returns text.
fn authorized(server: &Asked, person: &Person, body: &Json) -> Json {
    let allowed = server.post(person, "/v1/authorizations", body);
    match allowed.json()["authorization"].as_str() {
        Some(id) => {
            let path = format!("/v1/authorizations/{id}");
            server
                .post(person, &path, &json!({"result": "done"}))
                .json()
        }
        None => allowed.json(),
    }
}

fn sessionless(
    server: &Asked,
    person: &Person,
    method: &str,
    tool: Option<&str>,
    args: &Json,
) -> Json {
    let mut headers = vec![
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", method),
    ];
    let mut params = json!({"_meta": modern(&json!({}))});
    if let Some(tool) = tool {
        headers.push(("mcp-name", tool));
        params["name"] = tool.into();
        params["arguments"] = args.clone();
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let answer = server.ask(person, "POST", "/mcp", &headers, &body.to_string());
    last_message(&answer.body)
}

fn in_session(server: &Asked, person: &Person, method: &str, params: &Json) -> Json {
    let accept = ("accept", "application/json, text/event-stream");
    let message = |method: &str, params: &Json| {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
    };
    let hello = message("initialize", &initialize(&json!({})));
    let hello = server.ask(person, "POST", "/mcp", &[accept], &hello);
    let session = hello.header("mcp-session-id").unwrap();
    let headers = [accept, ("mcp-session-id", session)];
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    server.ask(person, "POST", "/mcp", &headers, &ready.to_string());
    let answer = server.ask(person, "POST", "/mcp", &headers, &message(method, params));
    last_message(&answer.body)
}

fn last_message(text: &str) -> Json {
    let lines = text.lines().map(|line| line.trim_start_matches("data: "));
    let mut messages = lines.filter_map(|line| serde_json::from_str::<Json>(line).ok());
    messages
        .rfind(|message| message["jsonrpc"] == "2.0")
        .unwrap()
}

/// The call as Python writes it.
fn script(tool: &str, args: &Json) -> String {
    let args = args.as_object().unwrap().iter();
    let args: Vec<String> = args
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{tool}({})", args.join(", "))
}

fn of_rest(answer: &Json) -> String {
    answer["code"].as_str().unwrap_or("ok").to_owned()
}

fn of_plan(answer: &Json) -> String {
    let problem = &answer["details"]["problems"][0]["rule"];
    let error = &answer["steps"][0]["error"]["code"];
    match (answer["done"] == true, problem == "plan-unknown-tool") {
        (true, false) => "ok".to_owned(),
        (_, true) => "NOT_FOUND_ENDPOINT".to_owned(),
        (false, false) => error.as_str().unwrap_or("nothing").to_owned(),
    }
}

/// One of the codes that is somewhere in an answer. The arguments have none of them.
fn in_text(answer: &str) -> String {
    let codes = ["FORBIDDEN_ACCESS", "NOT_FOUND_ENDPOINT", "ERROR"];
    let found = codes.iter().find(|code| answer.contains(**code));
    found.map_or("ok", |code| code).to_owned()
}

pub(super) fn of_mcp(answer: &Json) -> String {
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    match (message.starts_with("There is no tool `"), &answer["result"]) {
        (true, _) => "NOT_FOUND_ENDPOINT".to_owned(),
        (false, Json::Null) => message.to_owned(),
        (false, result) if result["isError"] == true => {
            let error = &result["_meta"]["toolpact/error"]["code"];
            error.as_str().unwrap_or("nothing").to_owned()
        }
        (false, _) => "ok".to_owned(),
    }
}

/// A function that is not there is found by the type checker.
fn of_script(answer: &Json) -> String {
    let details = &answer["details"];
    match (&answer["code"], details["reason"].as_str()) {
        (Json::Null, _) => "ok".to_owned(),
        (_, Some("types")) => "NOT_FOUND_ENDPOINT".to_owned(),
        (_, Some("raised")) => {
            let code = details["tool_error"]["code"].as_str();
            code.unwrap_or("nothing").to_owned()
        }
        _ => answer.to_string(),
    }
}

fn of_script_over_mcp(answer: &Json) -> String {
    let result = &answer["result"];
    match result["isError"] == true {
        true => of_script(&result["_meta"]["toolpact/error"]),
        false if result.is_null() => answer.to_string(),
        false => "ok".to_owned(),
    }
}
