//! Configs that are wrong, each with its place.

use serde_json::json;
use toolpact_serve::config::starter;
use toolpact_serve::{Config, check};

use crate::support::Running;

#[test]
fn mistakes_have_a_place() {
    for (config, place, word) in [
        ("sauces: []\n", (1, 1), "sauces"),
        (
            "listen: 127.0.0.1:80\nlimits: { body_bytes: many }\n",
            (2, 23),
            "integer",
        ),
        ("listen: nowhere\n", (1, 9), "address"),
        (
            "auth_token: { env: TOOLPACT_NO_SUCH }\n",
            (1, 13),
            "TOOLPACT_NO_SUCH",
        ),
        (
            "allowed_origins: [https://a.example/x]\n",
            (1, 19),
            "origin",
        ),
        (
            "allowed_hosts: ['a.example:80']\n",
            (1, 17),
            "without a port",
        ),
        (
            "policy: { approval: { held: { approvers: { groups: [leads] } } } }\n",
            (1, 42),
            "nobody could approve",
        ),
        (
            "auth_token: { literal: x }\npolicy: { approval: { held: { approvers: { principals: [anonymous] } } } }\n",
            (2, 57),
            "somebody who is known",
        ),
        (
            "calls: { each: { retries: { most: 1, first_ms: 1, kinds: [INTERNAL_CANCELLED] } } }\n",
            (1, 59),
            "INTERNAL_CANCELLED",
        ),
        ("sources:\n  - mcp: {}\n", (2, 10), "neither"),
        ("limits: { call_ms: 0 }\n", (1, 20), "at least 1"),
        (
            "sources:\n  - shop: {}\n  - shop: {}\n",
            (3, 11),
            "one shop",
        ),
        (
            "sources:\n  - files: { name: a, paths: [a] }\n  - files: { name: a, paths: [b] }\n",
            (3, 20),
            "no other source",
        ),
        (
            "sources:\n  - mcp: { url: 'ftp://a.example' }\n",
            (2, 17),
            "http://",
        ),
        (
            "sources:\n  - files:\n      paths: [a]\n      tools: { t: { http: { url: 'http://{h}/' } } }\n",
            (4, 34),
            "fixed host",
        ),
    ] {
        assert_problem(config, place, word);
    }
}

#[test]
fn misspelt_fields_say_what_was_meant() {
    for (config, place, word) in [
        // The source that is meant is the one that is named.
        (
            "sources:\n  - files: { path: [a], paths: [a] }\n",
            (2, 14),
            "found `path`; did you mean `paths`?",
        ),
        // One mistake is told once.
        (
            "sources: [{ files: { path: [a] } }]\n",
            (1, 22),
            "found `path`; did you mean `paths`?",
        ),
        (
            "sources: [{ fils: { paths: [a] } }]\n",
            (1, 11),
            "expected one of `shop`, `files`, `mcp` and `grid`, found `fils`; did you mean `files`?",
        ),
        (
            "sources: [{ shop: {}, files: { paths: [a] } }]\n",
            (1, 11),
            "expected one of `shop`, `files`, `mcp` and `grid`, found several of them",
        ),
        (
            "limits: { cal_ms: 5 }\n",
            (1, 11),
            "found `cal_ms`; did you mean `call_ms`?",
        ),
        (
            "sources: [{ mcp: { comand: [a] } }]\n",
            (1, 20),
            "found `comand`; did you mean `command`?",
        ),
        (
            "sources: [{ files: { paths: [a], tools: { t: { htp: { url: 'http://a/' } } } } }]\n",
            (1, 48),
            "found `htp`; did you mean `http`?",
        ),
        (
            "sources: [{ files: { paths: [a], tools: { t: { http: { url: 'http://a/', method: PSOT } } } } }]\n",
            (1, 82),
            "did you mean `POST`?",
        ),
        (
            "sources: [{ files: { paths: [a], tools: { t: {} } } }]\n",
            (1, 46),
            "expected `command` or `http`, found neither",
        ),
        (
            "sources: [{ files: { paths: [a], tools: { t: { command: [] } } } }]\n",
            (1, 57),
            "at least 1",
        ),
    ] {
        assert_problem(config, place, word);
    }
}

/// What people write who know other configs.
#[test]
fn what_is_nearly_right_says_what_to_write() {
    for (config, place, word) in [
        ("port: 9000\n", (1, 1), "write `listen: 9000`"),
        (
            "mcpServers: { a: { command: npx } }\n",
            (1, 1),
            "each server is one of the `sources`: `- mcp:",
        ),
        (
            "sources: [{ mcp: { command: [npx], args: [foo] } }]\n",
            (1, 36),
            "arguments follow the program",
        ),
        (
            "sources: [{ mcp: { command: npx -y foo } }]\n",
            (1, 29),
            "write `[npx, -y, foo]`",
        ),
        // `/env` in a program is not the place of a secret.
        (
            "sources: [{ mcp: { command: /usr/bin/env python3 } }]\n",
            (1, 29),
            "found the string \"/usr/bin/env python3\"; write `[/usr/bin/env, python3]`",
        ),
        (
            "sources: [{ files: { paths: tools.yaml } }]\n",
            (1, 29),
            "write `[tools.yaml]`",
        ),
        (
            "sources: [{ files: { paths: [a], tools: { t: { command: date -u } } } }]\n",
            (1, 57),
            "expected a list, the program and its arguments; write `[date, -u]`",
        ),
        (
            "sources: [{ files: { paths: [a], tools: { t: { command: 'sh -c \"a b\"' } } } }]\n",
            (1, 57),
            "expected a list, the program and its arguments; write a list: `[…]`",
        ),
        (
            "sources: [{ files: { paths: [a], tools: { t: { run: { command: [date] } } } } }]\n",
            (1, 48),
            "write its `command` here",
        ),
        (
            "sources: [{ files: { paths: [a], tools: { t: { command: [a], env: LANG } } } }]\n",
            (1, 67),
            "expected the type array, found something else; name the variables, as in `[LANG]`",
        ),
        (
            "auth_token: abc\n",
            (1, 13),
            "expected an object with one of `env` and `literal`, found something else; a secret is",
        ),
    ] {
        assert_problem(config, place, word);
    }
}

/// One mistake is told once, in its place.
#[track_caller]
fn assert_problem(config: &str, place: (usize, usize), word: &str) {
    let error = Config::from_yaml(config.as_bytes()).unwrap_err();
    assert_eq!(error.problems().len(), 1, "{config}{error}");
    let problem = &error.problems()[0];
    assert_eq!(problem.place, Some(place), "{config}{error}");
    assert!(error.to_string().contains(word), "{config}{error}");
}

#[test]
fn secrets_are_in_no_error() {
    for config in [
        "auth_token: s3cret\n",
        "auth_token: { literal: [s3cret] }\n",
        "auth_token: { litral: s3cret }\n",
        "auth_token: { s3cret: literal }\n",
        "sources: [{ mcp: { url: 'http://a.example', headers: { X-Key: [s3cret] } } }]\n",
        "sources: [{ mcp: { command: [a], env: { KEY: [s3cret] } } }]\n",
        "sources: [{ mcp: { command: [a], env: s3cret } }]\n",
        "sources: [{ files: { paths: [a], tools: { t: { command: [a], env: s3cret } } } }]\n",
        "sources: [{ files: { paths: [a], tools: { t: { command: { run: [a], env: s3cret } } } } }]\n",
    ] {
        let error = Config::from_yaml(config.as_bytes()).unwrap_err();
        assert!(!error.to_string().contains("s3cret"), "{error}");
        assert!(error.to_string().contains("expected"), "{error}");
    }
}

#[test]
fn secrets_are_in_no_debugging_output() {
    let config = Config::from_yaml(
        b"auth_token: { literal: s3cret }
sources:
  - mcp: { url: 'http://a.example', headers: { X-Key: s3cret } }
  - files: { paths: [a], tools: { t: { http: { url: 'http://a.example/', headers: { X-Key: s3cret } } } } }
",
    );
    assert!(!format!("{:?}", config.unwrap()).contains("s3cret"));
}

#[tokio::test]
async fn files_are_looked_at_without_starting_anything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toolpact.yaml");
    std::fs::write(&path, "sources: [{ files: { paths: [nothing.yaml] } }]").unwrap();
    let wrong = check(&Config::from_file(&path).unwrap()).await;
    assert_eq!(wrong.len(), 1);
    assert!(wrong[0].contains("nothing.yaml"), "{wrong:?}");
    std::fs::write(
        folder.path().join("nothing.yaml"),
        "toolpact: 1\ntools: []\n",
    )
    .unwrap();
    let wrong = check(&Config::from_file(&path).unwrap()).await;
    assert!(wrong[0].contains("expected at least one tool"), "{wrong:?}");
}

#[tokio::test]
async fn limits_may_be_as_large_as_numbers_are() {
    let most = u64::MAX;
    let limits = format!(
        "limits: {{ body_bytes: {most}, body_ms: {most}, connections: {most}, sessions: {most}, \
         idle_ms: {most}, resume_ms: {most}, drain_ms: {most}, call_ms: {most}, batch: {most}, results_bytes: {most} }}"
    );
    let server = Running::with(&limits).await;
    let (status, said) = server.call("echo", json!({"text": "hi"})).await;
    assert_eq!(status, 200, "{said}");
    let upstream = toolpact_upstream::Upstream::http(server.url("/mcp"));
    assert_eq!(upstream.connect().await.unwrap().definitions().len(), 3);
}

#[test]
fn a_sum_that_is_too_small() {
    let wrong = |limits: &str| {
        let config = format!("limits: {{ {limits} }}\nsources: []\n");
        Config::from_yaml(config.as_bytes())
            .err()
            .map(|error| error.to_string())
    };
    let told = wrong("memory_bytes: 1000000").unwrap();
    assert!(told.starts_with("1:"), "{told}");
    assert!(told.contains("expected at least 134217728, "), "{told}");
    assert_eq!(wrong("memory_bytes: 134217728"), None);
    // What is left for the others has to be enough.
    assert!(wrong("memory_bytes: 134217728, results_bytes: 67108864").is_some());
    let most = usize::MAX;
    assert!(wrong(&format!("memory_bytes: {most}, results_bytes: {most}")).is_some());
    assert!(wrong("memory_bytes: 0").is_some());
    let told = wrong("memory_byte: 5").unwrap();
    assert!(told.contains("memory_bytes"), "{told}");
    let config = "limits: { memory_bytes: 1000000, body_bytes: 100000 }\ncalls: { each: { result_bytes: 100000 } }\n";
    Config::from_yaml(config.as_bytes()).unwrap();
}

/// A name that no tool has limits nothing, which nobody would notice.
#[tokio::test]
async fn limits_of_tools_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toolpact.yaml");
    std::fs::write(folder.path().join("tools.yaml"), crate::support::TOOLS).unwrap();
    let wrong = async |tools: &str, sources: &str| {
        let config = format!("calls: {{ tools: {{ {tools} }} }}\nsources: [{sources}]\n");
        std::fs::write(&path, config).unwrap();
        check(&Config::from_file(&path).unwrap()).await
    };
    let files = "{ files: { paths: [tools.yaml] } }";
    let limit = "{ at_once: 1 }";
    assert!(wrong(&format!("echo: {limit}"), files).await.is_empty());
    let told = wrong(&format!("ecko: {limit}"), files).await;
    let expected =
        "`calls.tools` has limits for `ecko`, but no source has such a tool; did you mean `echo`?";
    assert_eq!(told, [expected]);
    let named = "{ files: { name: desk, paths: [tools.yaml] } }";
    let told = wrong(&format!("echo: {limit}, desk__liar: {limit}"), named).await;
    assert_eq!(told.len(), 1, "{told:?}");
    // A source that is not asked may have any tool that begins with its name.
    let unasked = format!("{files}, {{ mcp: {{ name: far, url: 'http://127.0.0.1:1/mcp' }} }}");
    assert!(
        wrong(&format!("far__x: {limit}"), &unasked)
            .await
            .is_empty()
    );
    assert_eq!(wrong(&format!("near__x: {limit}"), &unasked).await.len(), 1);
    let shop = format!("{files}, {{ shop: {{}} }}");
    assert!(
        wrong(&format!("create_order: {limit}"), &shop)
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn the_first_config_works() {
    let (config, tools) = starter();
    let server = Running::of(config, &[("tools.yaml", tools)]).await;
    assert_eq!(server.names().await, ["current_time"]);
    let (status, time) = server.call("current_time", json!({})).await;
    assert_eq!(status, 200, "{time}");
}

#[tokio::test]
async fn the_shop_is_there_without_a_config() {
    let server = Running::of("sources: [{ shop: { orders: 50 } }]", &[]).await;
    let (status, text) = server
        .post(
            "/v1/call",
            &json!({"name": "summarize_order", "args": {"order": "O-1001"}, "view": "text"}),
        )
        .await;
    assert_eq!(status, 200);
    assert!(text.as_str().unwrap().starts_with("O-1001 of "), "{text}");
}

#[tokio::test]
async fn results_are_checked_as_the_config_says() {
    for (results, expected) in [
        ("{}", 500),
        ("{ all: { enforcement: warn } }", 200),
        ("{ sources: { '': { enforcement: off } } }", 200),
        (
            "{ all: { enforcement: off }, tools: { liar: { enforcement: enforce } } }",
            500,
        ),
        (
            "{ sources: { '': { enforcement: enforce } }, tools: { liar: { enforcement: warn } } }",
            200,
        ),
    ] {
        let server = Running::with(&format!("results: {results}")).await;
        let (status, answer) = server.call("liar", json!({})).await;
        assert_eq!(status, expected, "{results}: {answer}");
    }
}

#[tokio::test]
async fn each_principal_has_limits() {
    let limits =
        "calls: { each_principal: { tools: { echo: { rate: { calls: 2, per_ms: 3600000 } } } } }";
    let server = Running::with(limits).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(server.call("echo", json!({"text": "hi"})).await.0);
    }
    assert_eq!(statuses, [200, 200, 429]);
}
