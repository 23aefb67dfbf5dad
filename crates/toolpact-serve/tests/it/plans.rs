//! `POST /v1/plan`.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::support::{PATIENCE, Running};

fn two_steps() -> Json {
    json!([
        {"id": "a", "tool": "echo", "args": {"text": "hi"}},
        {"id": "b", "tool": "echo", "args": {"text": "{{a.text}} again"}},
    ])
}

#[tokio::test]
async fn a_plan_answers_with_every_step() {
    let server = Running::with("").await;
    let step = |id: &str, text: &str| json!({"id": id, "tool": "echo", "status": "done", "value": {"text": text}});
    let expected = json!({"done": true, "steps": [step("a", "hi"), step("b", "hi again")]});
    for body in [
        two_steps(),
        json!({"steps": two_steps()}),
        json!({"goal": "Greet.", "steps": two_steps(), "check": false}),
    ] {
        let (status, answer) = server.post("/v1/plan", &body).await;
        assert_eq!((status, &answer), (200, &expected), "{body}");
    }
}

/// A step that fails is one of the answers, in the form that errors have everywhere.
#[tokio::test]
async fn a_plan_goes_on_without_the_steps_that_need_a_failed_one() {
    let server = Running::with("").await;
    let plan = json!([
        {"id": "bad", "tool": "liar"},
        {"id": "next", "tool": "echo", "args": {"text": "{{bad.value}}"}},
        {"id": "free", "tool": "echo", "args": {"text": "x"}},
    ]);
    let (status, answer) = server.post("/v1/plan", &plan).await;
    assert_eq!((status, &answer["done"]), (200, &json!(false)), "{answer}");
    let (_, alone) = server.call("liar", json!({})).await;
    assert_eq!(answer["steps"][0]["error"], alone);
    assert_eq!(answer["steps"][0]["held_up"], json!(["next"]));
    assert_eq!(answer["steps"][1]["because"], "bad");
    assert_eq!(answer["steps"][2]["value"]["text"], "x");
}

#[tokio::test]
async fn a_wrong_plan_is_refused_and_runs_nothing() {
    let server = Running::with("").await;
    let plan = json!([
        {"id": "a", "tool": "echo", "args": {"text": "hi"}},
        {"id": "b", "tool": "ehco", "args": {"text": "{{a.txt}}"}},
    ]);
    let (status, error) = server.post("/v1/plan", &plan).await;
    assert_eq!(
        (status, &error["code"]),
        (400, &json!("VALIDATION_FORMAT")),
        "{error}"
    );
    let problem = &error["details"]["problems"][0];
    assert_eq!(problem["rule"], "plan-unknown-tool");
    assert_eq!(
        (&problem["step"], &problem["at"]),
        (&json!("b"), &json!("/tool"))
    );
    assert_eq!(problem["suggestion"], "did you mean `echo`?");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("did you mean `echo`?"),
        "{error}"
    );
    let (_, metrics) = server.get("/v1/metrics").await;
    let none = r#"toolpact_calls_total{tool="echo",outcome="SUCCESS"} 0"#;
    assert!(metrics.as_str().unwrap().contains(none));
}

#[tokio::test]
async fn what_is_no_plan_is_refused() {
    let server = Running::with("limits: { batch: 1 }").await;
    let two = two_steps().to_string();
    for body in [
        "",
        "[]",
        "{",
        "5",
        r#"{"steps": []}"#,
        r#"{"steps": [{"tool": "echo", "args": {"text": "a"}}], "sesion": "x"}"#,
        r#"{"steps": [{"tool": "echo", "args": {"text": "a"}}], "session": 5}"#,
        r#"{"steps": [{"tool": "echo", "args": {"text": "a"}}], "check": "yes"}"#,
        &two,
    ] {
        let (status, text) = server.ask(Method::POST, "/v1/plan", body).await;
        assert_eq!(status, 400, "{body}: {text}");
        assert!(text.contains("\"message\""), "{body}: {text}");
    }
}

#[tokio::test]
async fn a_plan_can_only_be_checked() {
    let server = Running::with("").await;
    let check = async |steps: Json| {
        let body = json!({"steps": steps, "check": true});
        server.post("/v1/plan", &body).await
    };
    let fine = (200, json!({"valid": true, "problems": []}));
    assert_eq!(check(two_steps()).await, fine);
    let (status, answer) = check(json!([{"tool": "nothing"}])).await;
    assert_eq!((status, &answer["valid"]), (200, &json!(false)));
    assert_eq!(answer["problems"][0]["rule"], "plan-unknown-tool");
    let (status, answer) = check(json!([5])).await;
    assert_eq!((status, &answer["valid"]), (200, &json!(false)), "{answer}");
}

/// Its calls are those of the session.
#[tokio::test]
async fn a_plan_runs_in_a_session() {
    let server = Running::with("").await;
    let (_, opened) = server.post("/v1/sessions", &json!({})).await;
    let id = opened["session"].as_str().unwrap();
    let body = json!({"steps": two_steps(), "session": id});
    assert_eq!(server.post("/v1/plan", &body).await.0, 200);
    let (status, _) = server
        .ask(Method::DELETE, &format!("/v1/sessions/{id}"), "")
        .await;
    assert_eq!(status, 204);
    assert_eq!(server.post("/v1/plan", &body).await.0, 404);
}

#[tokio::test]
async fn a_plan_needs_the_token_as_well() {
    let server = Running::with("auth_token: { literal: s3cret }").await;
    assert_eq!(server.post("/v1/plan", &two_steps()).await.0, 401);
}

/// A server that is told to stop lets a plan come to its end, as it does calls.
#[tokio::test]
async fn a_plan_is_waited_for_at_the_end() {
    let server = Running::with("").await;
    let plan = json!([{"id": "a", "tool": "sleepy"}, {"tool": "echo", "args": {"text": "{{a}}"}}]);
    let answer = async { server.post("/v1/plan", &plan).await };
    let stop = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.stop.cancel();
    };
    let ((status, answer), ()) = tokio::join!(answer, stop);
    assert_eq!((status, &answer["done"]), (200, &json!(true)), "{answer}");
}

/// And cuts it when it takes too long: the answer says which step.
#[tokio::test]
async fn a_plan_is_cut_after_the_time_to_drain() {
    let server = Running::with("limits: { drain_ms: 100 }").await;
    let plan = json!([{"id": "a", "tool": "sleepy"}, {"tool": "echo", "args": {"text": "{{a}}"}}]);
    let answer = async { server.post("/v1/plan", &plan).await };
    let stop = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.stop.cancel();
    };
    let both = async { tokio::join!(answer, stop).0 };
    let (status, answer) = tokio::time::timeout(PATIENCE, both).await.unwrap();
    assert_eq!((status, &answer["done"]), (200, &json!(false)), "{answer}");
    assert_eq!(answer["steps"][0]["status"], "failed", "{answer}");
    assert_eq!(answer["steps"][1]["status"], "skipped", "{answer}");
}
