//! What a config says about calls: retries by kind, limits of sources, how strictly results are checked.

use std::path::Path;

use serde_json::json;

use crate::support::Running;

/// Tools that fail and write down that they ran: one that may run twice, and one that may not.
fn tools(folder: &Path) -> String {
    let runs = folder.join("runs");
    let tool = |name: &str, effects: &str| {
        format!(
            "  - name: {name}\n    description: Fails.\n    parameters: {{ type: object }}\n    returns: opaque\n    \
             effects: {{ {effects} }}\n    \
             run: {{ command: [sh, -c, 'echo ran >> {}; exit 3'] }}\n",
            runs.display()
        )
    };
    let (twice, once) = (tool("twice", "idempotent: true"), tool("once", ""));
    format!("toolpact: 1\ntools:\n{twice}{once}")
}

/// How often a tool runs that fails with `INTERNAL_ERROR`.
async fn runs(calls: &str, tool: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let config =
        format!("calls: {calls}\nsources:\n  - files: {{ name: desk, paths: [tools.yaml] }}\n");
    let server = Running::of(&config, &[("tools.yaml", &tools(folder.path()))]).await;
    let (_, error) = server.call(&format!("desk__{tool}"), json!({})).await;
    assert_eq!(error["code"], "INTERNAL_ERROR", "{error}");
    let text = std::fs::read_to_string(folder.path().join("runs")).unwrap();
    text.lines().count()
}

#[tokio::test]
async fn calls_are_tried_again_as_the_config_says() {
    let retries = |more: &str| format!("{{ retries: {{ most: 2, first_ms: 1{more} }} }}");
    let (kind, other) = (", kinds: [INTERNAL_ERROR]", ", kinds: [EXTERNAL_TIMEOUT]");
    let own = ", by_kind: { INTERNAL_ERROR: { most: 4 } }, longest_ms: 1";
    let twice = format!("{kind}, even_if_done_twice: true");
    for (calls, tool, expected) in [
        ("{}".to_owned(), "twice", 1),
        // The error does not say that it helps.
        (format!("{{ each: {} }}", retries("")), "twice", 1),
        (format!("{{ each: {} }}", retries(kind)), "twice", 3),
        (format!("{{ each: {} }}", retries(other)), "twice", 1),
        (format!("{{ each: {} }}", retries(own)), "twice", 5),
        // It may have done its work.
        (format!("{{ each: {} }}", retries(kind)), "once", 1),
        (format!("{{ each: {} }}", retries(&twice)), "once", 3),
        // A source, and a tool of it.
        (
            format!("{{ sources: {{ desk: {} }} }}", retries(kind)),
            "twice",
            3,
        ),
        (
            format!("{{ sources: {{ other: {} }} }}", retries(kind)),
            "twice",
            1,
        ),
        (
            format!("{{ tools: {{ desk__twice: {} }} }}", retries(kind)),
            "twice",
            3,
        ),
        (
            format!(
                "{{ sources: {{ desk: {} }}, tools: {{ desk__twice: {{ at_once: 7 }} }} }}",
                retries(kind)
            ),
            "twice",
            3,
        ),
        (
            format!(
                "{{ each: {}, sources: {{ desk: {{ retries: {{ most: 0, first_ms: 0 }} }} }} }}",
                retries(kind)
            ),
            "twice",
            1,
        ),
    ] {
        assert_eq!(runs(&calls, tool).await, expected, "{calls} {tool}");
    }
}

#[tokio::test]
async fn the_tools_of_a_source_have_limits() {
    let rate = "rate: { calls: 1, per_ms: 3600000 }";
    for (calls, expected) in [
        (format!("{{ sources: {{ '': {{ {rate} }} }} }}"), [200, 429]),
        (
            format!("{{ sources: {{ other: {{ {rate} }} }} }}"),
            [200, 200],
        ),
        (
            format!("{{ each_principal: {{ all: {{ {rate} }} }} }}"),
            [200, 429],
        ),
        (format!("{{ all: {{ {rate} }} }}"), [200, 429]),
        (format!("{{ tools: {{ echo: {{ {rate} }} }} }}"), [200, 429]),
    ] {
        let server = Running::with(&format!("calls: {calls}")).await;
        let mut statuses = [0; 2];
        for status in &mut statuses {
            *status = server.call("echo", json!({"text": "hi"})).await.0;
        }
        assert_eq!(statuses, expected, "{calls}");
    }
}

/// The right shape, and a time that is none.
const ODD: &str = r#"
toolpact: 1
tools:
  - name: odd
    description: Tells a wrong time.
    parameters: { type: object }
    returns: OperationStatus
    run: { command: [echo, '{"operation_id": "1", "status": "running", "created_at": "15 February 2026"}'] }
"#;

#[tokio::test]
async fn results_are_checked_as_strictly_as_the_config_says() {
    for (results, expected) in [
        ("{}", 500),
        ("{ all: { level: shape } }", 200),
        (
            "{ all: { level: shape }, sources: { '': { level: meaning } } }",
            500,
        ),
        ("{ sources: { '': { level: shape } } }", 200),
        (
            "{ all: { level: shape }, tools: { odd: { level: meaning } } }",
            500,
        ),
        (
            "{ tools: { odd: { level: meaning, enforcement: warn } } }",
            200,
        ),
    ] {
        let config =
            format!("results: {results}\nsources: [{{ files: {{ paths: [odd.yaml] }} }}]\n");
        let server = Running::of(&config, &[("odd.yaml", ODD)]).await;
        let (status, answer) = server.call("odd", json!({})).await;
        assert_eq!(status, expected, "{results}: {answer}");
    }
}
