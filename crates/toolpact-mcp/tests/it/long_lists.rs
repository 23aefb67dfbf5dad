//! Long lists of tools, of other servers and for clients.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::{Value as Json, json};
use toolpact::Registry;
use toolpact_mcp::Server;
use toolpact_mcp::http::{Connections, Http};
use toolpact_upstream::Upstream;

use crate::http::{answer, post};
use crate::scripted::Scripted;
use crate::support::{json_value, listening, modern, tool};

fn listed(name: &str, about: &str) -> Json {
    json!({
        "name": name,
        "description": about,
        "inputSchema": {
            "type": "object",
            "properties": {"n": {"type": "integer", "minimum": 0}, "text": {"type": "string", "maxLength": 9}},
            "required": ["n"],
        },
    })
}

/// A server whose list can be changed.
async fn listing(tools: Vec<Json>) -> (Scripted, Arc<Mutex<Vec<Json>>>) {
    let tools = Arc::new(Mutex::new(tools));
    let answered = Arc::clone(&tools);
    let server = Scripted::start(json!({"tools": {}}), move |_, _| {
        Ok(json!({"tools": *answered.lock().unwrap()}))
    });
    (server.await, tools)
}

/// There is one thread here, so others come to their turn only if none is blocked. A whole server with many tools that
/// change, its health and its end are measured by `scripts/many-tools`.
#[tokio::test]
async fn a_long_list_does_not_block_who_answers_requests() {
    let pages: Vec<Vec<Json>> = (0..TOOLS / PAGE)
        .map(|page| {
            let numbers = page * PAGE..(page + 1) * PAGE;
            let tools = numbers.map(|n| listed(&format!("tool_{n}"), "One of many."));
            tools.collect()
        })
        .collect();
    let server = Scripted::start(json!({"tools": {}}), move |_, params| {
        let page = params["cursor"]
            .as_str()
            .map_or(0, |at| at.parse().unwrap());
        let mut answer = json!({"tools": pages[page]});
        if page + 1 < pages.len() {
            answer["nextCursor"] = (page + 1).to_string().into();
        }
        Ok(answer)
    });
    let server = server.await;
    let (turns, longest) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
    let others = tokio::spawn({
        let (turns, longest) = (Arc::clone(&turns), Arc::clone(&longest));
        async move {
            let mut last = Instant::now();
            loop {
                tokio::task::yield_now().await;
                let waited = u64::try_from(last.elapsed().as_millis()).unwrap();
                longest.fetch_max(waited, Ordering::Relaxed);
                turns.fetch_add(1, Ordering::Relaxed);
                last = Instant::now();
            }
        }
    });
    let upstream = Upstream::http(&*server.url).most_tools(TOOLS);
    let upstream = upstream.most_tools_bytes(64 << 20).connect().await.unwrap();
    assert_eq!(upstream.definitions().len(), TOOLS);
    // To convert the list takes seconds, in which there are many thousands of turns. On this thread, there would be about
    // one for each message.
    let turns = turns.load(Ordering::Relaxed);
    let longest = longest.load(Ordering::Relaxed);
    others.abort();
    assert!(turns > 1000, "{turns}");
    // A turn that is lost to others on the machine is far shorter than the list takes.
    assert!(longest < 2000, "{longest} ms");
}

const TOOLS: usize = 25_000;
const PAGE: usize = 1_000;

#[tokio::test]
async fn what_did_not_change_is_not_converted_again() {
    let tools: Vec<Json> = (0..20)
        .map(|n| listed(&format!("tool_{n}"), "One of many."))
        .collect();
    let (server, list) = listing(tools).await;
    let first = server.upstream().await;
    let same = first.refresh().await.unwrap();
    assert!(same.has_same_tools(&first));

    list.lock().unwrap()[3] = listed("tool_3", "Another one.");
    list.lock().unwrap().push(listed("tool_20", "One more."));
    list.lock().unwrap().remove(0);
    let second = first.refresh().await.unwrap();
    assert!(!second.has_same_tools(&first));
    let (before, now) = (first.definitions(), second.definitions());
    assert_eq!(now.len(), 20);
    for tool in &now {
        let name = tool.contract().name();
        let old = before.iter().find(|one| one.contract().name() == name);
        let is_kept = old.is_some_and(|old| std::ptr::eq(old.contract(), tool.contract()));
        let is_new = ["tool_3", "tool_20"].contains(&name.as_str());
        assert_eq!(is_kept, !is_new, "{name}");
    }
    let changed = now
        .iter()
        .find(|tool| tool.contract().name().as_str() == "tool_3");
    assert_eq!(changed.unwrap().contract().description(), "Another one.");
}

/// What is wrong with a list is said of the whole list, whatever is known of it already.
#[tokio::test]
async fn a_list_that_changes_is_read_as_if_it_were_new() {
    let bad = json!({"name": "bad", "inputSchema": {"type": "objekt"}});
    let odd = |n: u8| listed(&format!("odd.name {n}"), "Its name is changed.");
    let lists = [
        vec![listed("a", "A."), odd(1), listed("b", "B.")],
        vec![listed("a", "A."), odd(1), listed("b", "B."), bad.clone()],
        vec![
            listed("a", "A."),
            odd(1),
            listed("b", "Changed."),
            bad.clone(),
        ],
        vec![
            bad.clone(),
            listed("c", "C."),
            odd(1),
            listed("b", "Changed."),
        ],
        vec![
            listed("odd_name_1", "Its own."),
            odd(1),
            odd(1),
            listed("a", "A."),
        ],
        vec![],
        vec![listed("a", "A."), listed("a", "Again.")],
        vec![listed("a", "Again."), listed("a", "A.")],
    ];
    let (server, list) = listing(Vec::new()).await;
    let mut known = server.upstream().await;
    for tools in lists {
        list.lock().unwrap().clone_from(&tools);
        known = known.refresh().await.unwrap();
        let fresh = server.upstream().await;
        let shown = |upstream: &Upstream| {
            let tools = upstream.definitions();
            let tools: Vec<String> = tools.iter().map(|tool| tool.contract().to_json()).collect();
            let left_out = upstream.left_out().iter();
            let left_out =
                left_out.map(|bad| format!("{} {} {}", bad.name, bad.place, bad.violations));
            (tools, left_out.collect::<Vec<_>>())
        };
        assert_eq!(shown(&known), shown(&fresh), "{tools:?}");
    }
}

#[tokio::test]
async fn a_list_beyond_the_limits_is_cut() {
    let tools: Vec<Json> = (0..20)
        .map(|n| listed(&format!("tool_{n:02}"), "One of many."))
        .collect();
    let length = tools[0].to_string().len();
    let (server, _) = listing(tools).await;
    let upstream = || Upstream::http(&*server.url);
    let few = upstream().most_tools(5).connect().await.unwrap();
    assert_eq!(few.definitions().len(), 5);
    let excess = few.excess().unwrap().to_string();
    assert_eq!(
        excess,
        "15 tools or more are left out: a list may have 5 tools and 33554432 bytes"
    );
    let short = upstream()
        .most_tools_bytes(length * 7 + 1)
        .connect()
        .await
        .unwrap();
    assert_eq!(
        (short.definitions().len(), short.excess().unwrap().seen),
        (7, 13)
    );
    let all = upstream().connect().await.unwrap();
    assert_eq!((all.definitions().len(), all.excess()), (20, None));
}

/// Also one who has no session, while the tools change.
#[tokio::test]
async fn who_reads_page_by_page_reads_one_list() {
    let registry = Registry::new();
    let tools = (0..7).map(|n| tool(&format!("tool_{n}"), "", || json_value("1")));
    registry.add_all(tools).unwrap();
    let server = Server::builder(registry.clone()).page_size(3).build();
    let server = listening(&server.unwrap(), Http::default(), Connections::default()).await;
    let (mut names, mut cursor) = (Vec::new(), None);
    loop {
        let mut params = json!({"_meta": modern()});
        if let Some(cursor) = cursor {
            params["cursor"] = cursor;
        }
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
        let request = post(&server, &request)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/list");
        let mut page = answer(request.send().await.unwrap()).await;
        let tools = page["result"]["tools"].as_array();
        let tools = tools.unwrap_or_else(|| panic!("{page}"));
        names.extend(
            tools
                .iter()
                .map(|tool| tool["name"].as_str().unwrap().to_owned()),
        );
        let n = names.len();
        registry
            .add(tool(&format!("new_{n}"), "", || json_value("1")))
            .unwrap();
        match page["result"]["nextCursor"].take() {
            Json::Null => break,
            next => cursor = Some(next),
        }
    }
    assert_eq!(
        names,
        (0..7).map(|n| format!("tool_{n}")).collect::<Vec<_>>()
    );
}
