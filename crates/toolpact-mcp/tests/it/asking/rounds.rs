//! Clients that have none call again with the answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{first, given, name, next, questions, round, sealed, server, serving, text, whom};
use crate::support::{Client, soon};
use serde_json::json;
use toolpact::call::{Decision, Proposal};
use toolpact::core::json::Value;
use toolpact::elicitation::{Form, PendingAnswer, Question, UserAnswer, answer_pending};
use toolpact::{Context, Registry, ToolError, tool};
use toolpact_mcp::Server;

#[tokio::test]
async fn without_a_session_the_client_calls_again() {
    let server = serving(&server()).await;
    let params = first("match_up");
    let asked = round(&server, &params).await;
    assert_eq!(questions(&asked), ["one", "other"]);
    // What is missing is asked again, and what was answered is not.
    let once = next(
        &params,
        &asked,
        json!({"one": given("Ada"), "else": given("Eve")}),
    );
    let asked = round(&server, &once).await;
    assert_eq!(questions(&asked), ["other"]);
    let twice = next(&params, &asked, json!({"other": given("Bob")}));
    let asked = round(&server, &twice).await;
    assert_eq!(questions(&asked), ["match"]);
    let content = json!([{"type": "text", "text": "Y"}, {"type": "text", "text": "es."}]);
    let said = json!({"role": "assistant", "model": "m", "content": content});
    let last = next(&params, &asked, json!({"match": said}));
    let answered = round(&server, &last).await;
    assert_eq!(answered["result"]["resultType"], "complete");
    // It has run four times, as it says: a tool asks before it does anything else.
    assert_eq!(text(&answered), "Ada and Bob: Yes. (4)");
}

/// A name that is asked again is another question, and a loop has an end.
#[tokio::test]
async fn a_tool_may_insist() {
    let server = serving(&server()).await;
    let params = first("insist");
    let asked = round(&server, &params).await;
    assert_eq!(questions(&asked), ["name"]);
    let again = next(&params, &asked, json!({"name": given("Bob")}));
    let asked = round(&server, &again).await;
    assert_eq!(questions(&asked), ["name#2"]);
    let again = next(&params, &asked, json!({"name#2": given("Ada")}));
    assert_eq!(text(&round(&server, &again).await), "At last.");
}

/// An answer is to a question as it was put.
#[tokio::test]
async fn what_reads_otherwise_is_asked_again() {
    let mut client = Client::silent(&server());
    let params = first("waver");
    let asked = client.ask("tools/call", params.clone()).await;
    let first = &asked["result"]["inputRequests"]["name"]["params"]["message"];
    assert_eq!(first, "Really, 1 times?");
    let again = next(&params, &asked, json!({"name": given("Ada")}));
    let asked = client.ask("tools/call", again).await;
    let second = &asked["result"]["inputRequests"]["name"]["params"]["message"];
    assert_eq!(second, "Really, 2 times?");
    let again = next(&params, &asked, json!({"name": given("Ada")}));
    let answered = client.ask("tools/call", again).await;
    assert!(text(&answered).contains("Ada"), "{answered}");
}

/// What was answered in an earlier round stays as it was.
#[tokio::test]
async fn an_answer_is_given_once() {
    let server = serving(&server()).await;
    let params = first("match_up");
    let asked = round(&server, &params).await;
    let both = json!({"one": given("Ada"), "other": given("Bob")});
    let asked = round(&server, &next(&params, &asked, both)).await;
    let content = json!({"type": "text", "text": "Yes."});
    let said = json!({"role": "assistant", "model": "m", "content": content});
    let last = next(&params, &asked, json!({"one": given("Eve"), "match": said}));
    let answered = round(&server, &last).await;
    assert!(
        text(&answered).starts_with("Ada and Bob: Yes."),
        "{answered}"
    );
}

/// What somebody else will answer later is not for the client to answer.
#[tokio::test]
async fn questions_for_others_are_not_passed_on() {
    struct Slow;
    impl toolpact::elicitation::Responder for Slow {
        fn can_ask(&self, what: Question) -> bool {
            what == Question::User
        }
        fn ask_user<'a>(&'a self, _: &'a str, _: &'a Form) -> PendingAnswer<'a, UserAnswer<Value>> {
            Box::pin(async { Err(answer_pending()) })
        }
    }
    let registry = Registry::new();
    registry.add(super::greet::tool()).unwrap();
    let server = Server::builder(registry)
        .session(|session| session.answered_by(Slow))
        .build()
        .unwrap();
    let listening = serving(&server).await;
    let mut params = first("greet");
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let answered = round(&listening, &params).await;
    assert_eq!(answered["result"]["resultType"], "complete", "{answered}");
    assert_eq!(answered["result"]["isError"], true);
}

/// The same over lines.
#[tokio::test]
async fn lines_have_rounds_too() {
    let mut client = Client::silent(&server());
    let params = first("greet");
    let asked = client.ask("tools/call", params.clone()).await;
    assert_eq!(questions(&asked), ["name"]);
    let params = next(&params, &asked, json!({"name": given("Ada")}));
    let answered = client.ask("tools/call", params).await;
    assert_eq!(text(&answered), "Hello, Ada!");
}

#[tokio::test]
async fn answers_are_held_to_what_they_are_of() {
    let server = serving(&server()).await;
    for (said, expected) in [
        (
            json!(5),
            "expected `inputResponses.name` to be an object whose `action`",
        ),
        (
            json!({"action": "accept", "content": 5}),
            "expected `inputResponses.name`",
        ),
    ] {
        let mut params = first("greet");
        params["inputResponses"] = json!({"name": said});
        let refused = round(&server, &params).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{message}");
    }
    for wrong in [json!({"inputResponses": []}), json!({"requestState": 5})] {
        let mut params = first("greet");
        params
            .as_object_mut()
            .unwrap()
            .extend(wrong.as_object().unwrap().clone());
        let refused = round(&server, &params).await;
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("`inputResponses`"), "{message}");
    }
    // One that does not fit the form is for the tool.
    let mut params = first("greet");
    params["inputResponses"] = json!({"name": {"action": "accept", "content": {"name": 5}}});
    let failed = round(&server, &params).await;
    assert!(text(&failed).contains("/name"), "{failed}");
}

/// What a client carries from round to round is bound to its call.
#[tokio::test]
async fn a_state_is_for_one_call_of_one_server() {
    let server = serving(&sealed(Some("a key of some length"))).await;
    let same = serving(&sealed(Some("a key of some length"))).await;
    let other = serving(&sealed(Some("another of some length"))).await;
    let by_chance = serving(&sealed(None)).await;
    let params = first("greet");
    let asked = round(&server, &params).await;
    let good = next(&params, &asked, json!({"name": given("Ada")}));
    for server in [&server, &same] {
        assert_eq!(text(&round(server, &good).await), "Hello, Ada!");
    }
    let mut tampered = good.clone();
    tampered["requestState"] = format!("{}x", good["requestState"].as_str().unwrap()).into();
    let mut changed = good.clone();
    let state = good["requestState"].as_str().unwrap();
    // Another letter in the middle of what is sealed.
    let middle = state.len() / 2;
    let letter = if &state[middle..=middle] == "A" {
        "B"
    } else {
        "A"
    };
    let state = format!("{}{letter}{}", &state[..middle], &state[middle + 1..]);
    changed["requestState"] = state.into();
    let mut elsewhere = good.clone();
    elsewhere["name"] = "salute".into();
    let mut otherwise = good.clone();
    otherwise["arguments"] = json!({"greeting": "Bye"});
    let mut empty = good.clone();
    empty["requestState"] = "".into();
    for (server, params) in [
        (&server, tampered),
        (&server, changed),
        (&server, elsewhere),
        (&server, otherwise),
        (&server, empty),
        (&other, good.clone()),
        (&by_chance, good),
    ] {
        let refused = round(server, &params).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("call again without it"), "{message}");
    }
}

/// A guard asks before the tool runs, and so the tool runs once.
#[tokio::test]
async fn a_user_approves_of_a_call() {
    let guard = |_: &Proposal<'_>| Decision::AskCaller("Sure?".to_owned());
    let registry = Registry::builder().guard(guard).build();
    registry.add(whom::tool()).unwrap();
    let server = serving(&Server::new(registry).unwrap()).await;
    let params = first("whom");
    let asked = round(&server, &params).await;
    assert_eq!(questions(&asked), ["toolpact/approval"]);
    for (approve, expected) in [(true, "[true, true, true]"), (false, "needs an approval")] {
        let said = json!({"action": "accept", "content": {"approve": approve}});
        let again = next(&params, &asked, json!({"toolpact/approval": said}));
        let answered = round(&server, &again).await;
        assert!(text(&answered).contains(expected), "{answered}");
    }
}

/// Counts when it is dropped.
struct Counts(Arc<AtomicUsize>);

impl Drop for Counts {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Asks, and is dropped.
#[tool(opaque)]
async fn counted(cx: &Context) -> Result<String, ToolError> {
    let counts = cx
        .get::<Arc<AtomicUsize>>()
        .map(|runs| Counts(Arc::clone(&runs)));
    let name = name(cx, "name").await;
    drop(counts);
    name
}

/// A tool that waits for an answer that cannot come any more is stopped.
#[tokio::test]
async fn tools_are_dropped_at_their_questions() {
    let runs = Arc::new(AtomicUsize::new(0));
    let registry = Registry::new();
    registry.add(counted::tool()).unwrap();
    let shared = Arc::clone(&runs);
    let server = Server::builder(registry)
        .session(move |session| session.with(Arc::clone(&shared)))
        .build()
        .unwrap();
    let listening = serving(&server).await;
    for _ in 0..5 {
        questions(&round(&listening, &first("counted")).await);
    }
    let all = async {
        while runs.load(Ordering::SeqCst) < 5 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    soon(all).await;
}
