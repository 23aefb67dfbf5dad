//! Prompts and resources of other servers, which pass through as they are. The other servers say what a
//! test lets them say.

use std::sync::{Arc, Mutex};

use crate::scripted::Scripted;
use crate::support::{Client, echo, listening, modern, server, soon};
use serde_json::{Value as Json, json};
use toolpact::Registry;
use toolpact_mcp::Server;
use toolpact_mcp::http::{Connections, Http};
use toolpact_upstream::{Upstream, Upstreams};

/// A server with prompts and resources, which writes down what it is asked.
async fn library(name: &'static str) -> (Scripted, Arc<Mutex<Vec<(String, Json)>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let written = Arc::clone(&asked);
    let capabilities = json!({"prompts": {}, "resources": {"subscribe": true}, "completions": {}});
    let scripted = Scripted::start(capabilities, move |method, params| {
        written
            .lock()
            .unwrap()
            .push((method.to_owned(), params.clone()));
        Ok(match (method, params["cursor"].as_str()) {
            ("tools/list", _) => json!({"tools": []}),
            ("prompts/list", None) => json!({
                "prompts": [{"name": "review", "arguments": [{"name": "code", "required": true}]}],
                "nextCursor": "more",
            }),
            ("prompts/list", Some(_)) => json!({"prompts": [{"name": "plan", "title": name}]}),
            ("resources/list", _) => json!({"resources": [
                {"uri": format!("{name}://one"), "name": "one", "mimeType": "text/plain"},
                {"uri": "shared://it", "name": name},
            ]}),
            ("resources/templates/list", _) => json!({"resourceTemplates": [
                {"uriTemplate": format!("{name}://book/{{id}}"), "name": "book"},
            ]}),
            ("prompts/get", _) => {
                let content = json!({"type": "text", "text": format!("{name}: {params}")});
                json!({"messages": [{"role": "user", "content": content}]})
            }
            ("resources/read", _) if params["uri"] == "one://broken" => {
                return Err(json!({"code": -32050, "message": "It is torn.", "data": {"page": 7}}));
            }
            ("resources/read", _) => {
                let uri = &params["uri"];
                json!({"contents": [{"uri": uri, "text": format!("{uri} of {name}")}]})
            }
            ("completion/complete", _) => {
                json!({"completion": {"values": [params["ref"].to_string()], "hasMore": false}})
            }
            _ => json!({}),
        })
    });
    (scripted.await, asked)
}

fn front(upstreams: &Upstreams) -> Server {
    Server::builder(Registry::new())
        .passthrough(upstreams.clone())
        .build()
        .unwrap()
}

fn names(answer: &Json, list: &str, key: &str) -> Vec<String> {
    let list = answer["result"][list]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"));
    list.iter()
        .map(|item| item[key].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn prompts_and_resources_of_upstreams_pass_through() {
    let ((one, asked), (other, _)) = (library("one").await, library("other").await);
    let upstreams = Upstreams::default();
    upstreams.sort(["first", "second"]);
    // The order is that of the config, whoever is there first.
    upstreams.set("second", None, &other.upstream().await);
    upstreams.set("first", Some("lib"), &one.upstream().await);
    let server = front(&upstreams);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let list = client.ask("prompts/list", json!({})).await;
    let expected = ["lib__review", "lib__plan", "review", "plan"];
    assert_eq!(names(&list, "prompts", "name"), expected);
    assert_eq!(list["result"]["prompts"][0]["arguments"][0]["name"], "code");
    let list = client.ask("resources/list", json!({})).await;
    assert_eq!(
        names(&list, "resources", "uri"),
        ["one://one", "shared://it", "other://one"]
    );
    assert_eq!(
        list["result"]["resources"][1]["name"], "one",
        "the first wins"
    );
    let list = client.ask("resources/templates/list", json!({})).await;
    let templates = names(&list, "resourceTemplates", "uriTemplate");
    assert_eq!(templates, ["one://book/{id}", "other://book/{id}"]);

    let params =
        json!({"name": "lib__review", "arguments": {"code": "x"}, "_meta": {"progressToken": 1}});
    client.ask("prompts/get", params).await;
    let mut sent = asked.lock().unwrap().last().unwrap().clone();
    assert!(sent.1["_meta"]["io.modelcontextprotocol/clientInfo"].is_null());
    sent.1.as_object_mut().unwrap().remove("_meta");
    let expected = json!({"name": "review", "arguments": {"code": "x"}});
    assert_eq!(sent, ("prompts/get".to_owned(), expected));
    for (uri, text) in [
        ("one://one", "\"one://one\" of one"),
        ("other://one", "\"other://one\" of other"),
        ("shared://it", "\"shared://it\" of one"),
        ("other://book/7", "\"other://book/7\" of other"),
        // Not listed, as what a tool has just made may be.
        ("other://new", "\"other://new\" of other"),
    ] {
        let read = client.ask("resources/read", json!({"uri": uri})).await;
        assert_eq!(read["result"]["contents"][0]["text"], text, "{read}");
        assert!(read["result"].get("resultType").is_none(), "{read}");
    }
    for (reference, expected) in [
        (
            json!({"type": "ref/prompt", "name": "lib__plan"}),
            json!({"type": "ref/prompt", "name": "plan"}),
        ),
        (
            json!({"type": "ref/resource", "uri": "one://book/{id}"}),
            json!({"type": "ref/resource", "uri": "one://book/{id}"}),
        ),
    ] {
        let params = json!({"ref": reference, "argument": {"name": "id", "value": "1"}});
        let completed = client.ask("completion/complete", params).await;
        let value = completed["result"]["completion"]["values"][0]
            .as_str()
            .unwrap();
        assert_eq!(serde_json::from_str::<Json>(value).unwrap(), expected);
    }
}

#[tokio::test]
async fn errors_of_upstreams_pass_through() {
    let (one, _) = library("one").await;
    let upstreams = Upstreams::default();
    upstreams.set("one", None, &one.upstream().await);
    let server = front(&upstreams);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let error = async |client: &mut Client, method: &str, params: Json| {
        client.ask(method, params).await["error"].clone()
    };
    let torn = error(
        &mut client,
        "resources/read",
        json!({"uri": "one://broken"}),
    )
    .await;
    assert_eq!(
        torn,
        json!({"code": -32050, "message": "It is torn.", "data": {"page": 7}})
    );
    let unknown = error(&mut client, "resources/read", json!({"uri": "none://x"})).await;
    assert_eq!(unknown["code"], -32002, "{unknown}");
    let unknown = error(&mut client, "prompts/get", json!({"name": "none"})).await;
    assert_eq!(unknown["code"], -32602, "{unknown}");
    for params in [json!({}), json!({"uri": 5})] {
        let wrong = error(&mut client, "resources/read", params).await;
        assert_eq!(wrong["code"], -32602, "{wrong}");
        assert!(
            wrong["message"].as_str().unwrap().contains("`uri`"),
            "{wrong}"
        );
    }
    let wrong = error(&mut client, "prompts/list", json!({"cursor": "5.5"})).await;
    assert_eq!(wrong["code"], -32602, "{wrong}");
    one.task.abort();
    let lost = soon(error(
        &mut client,
        "resources/read",
        json!({"uri": "one://one"}),
    ))
    .await;
    assert_eq!(lost["data"]["code"], "EXTERNAL_API_ERROR", "{lost}");
    assert!(!lost.to_string().contains("127.0.0.1"), "{lost}");
}

/// Each version has answers of its own form, whichever the server behind us speaks.
#[tokio::test]
async fn what_passes_through_has_the_form_of_the_version() {
    let (one, _) = library("one").await;
    let upstreams = Upstreams::default();
    upstreams.set("one", None, &one.upstream().await);
    let server = front(&upstreams);
    let mut client = Client::silent(&server);
    let params = |more: Json| {
        let mut params = json!({"_meta": modern()});
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        params
    };
    let found = client.ask("server/discover", params(json!({}))).await;
    let declared = &found["result"]["capabilities"];
    assert_eq!(
        declared["resources"],
        json!({"listChanged": true, "subscribe": true})
    );
    assert_eq!(declared["prompts"], json!({"listChanged": true}));
    for (method, more) in [
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "one://one"})),
    ] {
        let answer = client.ask(method, params(more)).await;
        let result = &answer["result"];
        assert_eq!(result["resultType"], "complete", "{answer}");
        assert_eq!(
            (&result["ttlMs"], &result["cacheScope"]),
            (&json!(0), &json!("private"))
        );
    }
    let answer = client
        .ask("prompts/get", params(json!({"name": "plan"})))
        .await;
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    let unknown = client
        .ask("resources/read", params(json!({"uri": "none://x"})))
        .await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let subscribed = client
        .ask("resources/subscribe", params(json!({"uri": "one://one"})))
        .await;
    assert_eq!(subscribed["error"]["code"], -32601, "{subscribed}");
    // What it wants to be told of, it says when it listens.
    let wanted = json!({"notifications": {"promptsListChanged": true, "resourceSubscriptions": ["one://one"]}});
    client.begin("subscriptions/listen", params(wanted)).await;
    let acknowledged = client.read().await;
    let accepted = &acknowledged["params"]["notifications"];
    assert_eq!(
        *accepted,
        json!({"promptsListChanged": true, "resourceSubscriptions": ["one://one"]})
    );
    upstreams.remove("one");
    let told = client.read().await;
    assert_eq!(
        told["method"], "notifications/prompts/list_changed",
        "{told}"
    );
    assert!(told["params"]["_meta"].is_object(), "{told}");
}

/// The names of the capabilities of a server, sorted.
fn declared(begun: &Json) -> Vec<&str> {
    let capabilities = begun["result"]["capabilities"].as_object().unwrap();
    let mut names: Vec<&str> = capabilities.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// What upstreams have is declared, also if they come later, and clients are told.
#[tokio::test]
async fn capabilities_follow_upstreams() {
    let upstreams = Upstreams::default();
    let server = front(&upstreams);
    let initialize = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    });
    let begun = Client::silent(&server)
        .ask("initialize", initialize.clone())
        .await;
    assert_eq!(declared(&begun), ["logging", "tools"]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let refused = client.ask("prompts/list", json!({})).await;
    assert_eq!(refused["error"]["code"], -32601, "{refused}");

    let (one, _) = library("one").await;
    upstreams.set("one", None, &one.upstream().await);
    for expected in ["prompts", "resources"] {
        let told = client.read().await;
        let expected = format!("notifications/{expected}/list_changed");
        assert_eq!(told["method"], expected, "{told}");
    }
    let begun = Client::silent(&server).ask("initialize", initialize).await;
    let expected = ["completions", "logging", "prompts", "resources", "tools"];
    assert_eq!(declared(&begun), expected);
    // The same again is no change.
    upstreams.set("one", None, &one.upstream().await);
    upstreams.remove("one");
    assert_eq!(
        client.read().await["method"],
        "notifications/prompts/list_changed"
    );
}

/// Over HTTP, where headers name what is asked for.
#[tokio::test]
async fn resources_pass_through_over_http() {
    let (one, _) = library("one").await;
    let upstreams = Upstreams::default();
    upstreams.set("one", Some("lib"), &one.upstream().await);
    let front = listening(&front(&upstreams), Http::default(), Connections::default()).await;
    for sessionless in [false, true] {
        let builder = Upstream::http(front.url());
        let upstream = match sessionless {
            true => builder.sessionless().connect().await.unwrap(),
            false => builder.connect().await.unwrap(),
        };
        // A server of ours behind another one of ours.
        let upstreams = Upstreams::default();
        upstreams.set("front", Some("far"), &upstream);
        let server = Server::builder(Registry::new())
            .passthrough(upstreams.clone())
            .build()
            .unwrap();
        let mut client = Client::begun(&server, "2025-11-25").await;
        let list = client.ask("prompts/list", json!({})).await;
        assert_eq!(
            names(&list, "prompts", "name"),
            ["far__lib__review", "far__lib__plan"]
        );
        let got = client
            .ask("prompts/get", json!({"name": "far__lib__plan"}))
            .await;
        assert!(
            got["result"]["messages"][0]["content"]["text"]
                .as_str()
                .unwrap()
                .starts_with("one:"),
            "{got}"
        );
        let read = client
            .ask("resources/read", json!({"uri": "one://book/7"}))
            .await;
        assert_eq!(
            read["result"]["contents"][0]["text"], "\"one://book/7\" of one",
            "{read}"
        );
    }
}

/// Lists that never end, or are none, are left out; the tools are served.
#[tokio::test]
async fn lists_of_hostile_upstreams_are_left_out() {
    let pages = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&pages);
    let capabilities = json!({"tools": {}, "prompts": {}, "resources": {}});
    let hostile = Scripted::start(capabilities, move |method, _| match method {
        "tools/list" => Ok(json!({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})),
        "prompts/list" => Ok(json!({"prompts": 5})),
        "resources/list" => {
            let mut page = counted.lock().unwrap();
            *page += 1;
            let items: Vec<Json> = (0..500)
                .map(|n| json!({"uri": format!("x://{page}/{n}"), "name": "x"}))
                .collect();
            Ok(json!({"resources": items, "nextCursor": page.to_string()}))
        }
        "resources/templates/list" => {
            Ok(json!({"resourceTemplates": [5, {}, {"uriTemplate": "x://{id}", "name": "x"}]}))
        }
        _ => Err(json!({"code": -32601, "message": method})),
    })
    .await;
    let upstream = soon(hostile.upstream()).await;
    assert_eq!(upstream.definitions().len(), 1);
    assert!(*pages.lock().unwrap() <= 25, "{pages:?} pages were read");
    let upstreams = Upstreams::default();
    upstreams.set("hostile", None, &upstream);
    let server = front(&upstreams);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let list = client.ask("prompts/list", json!({})).await;
    assert_eq!(list["result"]["prompts"], json!([]), "{list}");
    let list = client.ask("resources/list", json!({})).await;
    assert_eq!(list["result"]["resources"], json!([]), "{list}");
    let list = client.ask("resources/templates/list", json!({})).await;
    assert_eq!(
        names(&list, "resourceTemplates", "uriTemplate"),
        ["x://{id}"]
    );
    // Answers that are none pass through as they are.
    let read = client.ask("resources/read", json!({"uri": "x://1"})).await;
    assert_eq!(read["error"]["code"], -32601, "{read}");
}

/// Without any of this, all is as it was.
#[tokio::test]
async fn tools_need_no_upstreams() {
    let mut client = Client::begun(&server([echo()]), "2025-11-25").await;
    let refused = client.ask("resources/list", json!({})).await;
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
}
