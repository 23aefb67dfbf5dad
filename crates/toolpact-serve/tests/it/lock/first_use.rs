//! `trust: first-use`: what comes first is agreed on.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{Changing, alerts, ask_mcp, assert_refused, forecast, is_served, locked, with_lock};
use crate::support::{PATIENCE, Running};

/// The same tools make the same bytes, whoever writes them.
#[tokio::test]
async fn the_lock_is_the_same_twice() {
    let source = Changing::new(vec![forecast(), alerts()]).await;
    let lock = locked(&source).await;
    source.set(vec![alerts(), forecast()]);
    assert_eq!(locked(&source).await, lock);
    let config = toolpact_serve::Config::from_yaml(source.config("").as_bytes()).unwrap();
    let mut written = toolpact::core::lock::Lock::default();
    for source in toolpact_serve::live_sources(&config).await {
        written.set_source(&source.label, source.contracts.unwrap());
    }
    assert_eq!(written.to_text(), lock);
}

/// The lock, REST, MCP and those who write it by hand mean the same by a digest, with `sha256:` in front or without.
#[tokio::test]
async fn a_digest_means_the_same_everywhere() {
    let source = Changing::new(vec![forecast(), alerts()]).await;
    let text = locked(&source).await;
    let lock: Json = serde_json::from_str(&text).unwrap();
    let tools = lock["sources"]["mcp:weather"].as_object().unwrap();
    let mut prefixed = text.clone();
    for tool in tools.values() {
        let digest = tool["digest"].as_str().unwrap();
        prefixed = prefixed.replace(digest, &format!("sha256:{digest}"));
    }
    for lock in [text, prefixed] {
        let server = with_lock(&source, &lock).await;
        let listed = ask_mcp(&server, "tools/list", "", json!({})).await;
        let (_, contracts) = server.get("/v1/contracts").await;
        for (name, tool) in tools {
            let called = format!("weather__{name}");
            let find = |list: &Json| -> Json {
                let list = list.as_array().unwrap().iter();
                list.clone()
                    .find(|one| one["name"] == *called)
                    .unwrap()
                    .clone()
            };
            let meta = &find(&listed["result"]["tools"])["_meta"]["toolpact/digest"];
            assert_eq!(meta, &tool["digest"], "{listed}");
            assert_eq!(find(&contracts["contracts"])["digest"], tool["digest"]);
        }
    }
}

/// Others may read it, as any file that is committed.
#[cfg(unix)]
#[tokio::test]
async fn the_lock_is_no_secret() {
    use std::os::unix::fs::PermissionsExt as _;
    let source = Changing::new(vec![forecast()]).await;
    let server = Running::of(&source.config("trust: first-use"), &[]).await;
    let about = std::fs::metadata(server.file("toolpact.lock")).unwrap();
    assert_eq!(about.permissions().mode() & 0o600, 0o600);
    assert_eq!(about.permissions().mode() & 0o111, 0);
    // Nothing is left of how it was written.
    let files = std::fs::read_dir(server.folder.path()).unwrap();
    let files: Vec<String> = files
        .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(files.iter().all(|name| !name.contains(".new")), "{files:?}");
}

/// A source that does not start at first is agreed on when it first comes, and held to that from then on.
#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_comes_late_is_locked_then() {
    let source = Changing::new(vec![forecast()]).await;
    let tools = |description: &str| {
        format!(
            "toolpact: 1\ntools:\n  - {{ name: add, description: {description}, parameters: {{ type: object, \
             properties: {{}} }}, returns: NumberValue, run: {{ command: [echo, '3'] }} }}\n"
        )
    };
    let config = format!(
        "trust: first-use\nsources:\n  - mcp: {{ name: weather, url: '{}' }}\n  - files: {{ paths: [late.yaml] }}\n",
        source.server.url
    );
    let server = Running::of(&config, &[]).await;
    let lock = || std::fs::read_to_string(server.file("toolpact.lock")).unwrap();
    let before = lock();
    assert!(!before.contains("\"files\""), "{before}");
    std::fs::write(server.file("late.yaml"), tools("Adds.")).unwrap();
    let come = async {
        while server.call("add", json!({})).await.0 != 200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, come).await.unwrap();
    let after = lock();
    assert!(
        after.contains("\"files\"") && after.contains("\"mcp:weather\""),
        "{after}"
    );
    std::fs::write(server.file("late.yaml"), tools("Adds and tells others.")).unwrap();
    let kept = async {
        while server.call("add", json!({})).await.0 != 403 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, kept).await.unwrap();
    assert_refused(&server, "add").await;
    assert!(is_served(&server, "weather__forecast").await);
    // Nothing was agreed on a second time.
    assert_eq!(lock(), after);
}

/// What a source says of itself comes before what the config says of all.
#[tokio::test]
async fn sources_may_be_trusted_differently() {
    let source = Changing::new(vec![forecast()]).await;
    let lock = locked(&source).await;
    let mut other = forecast();
    other["description"] = json!("Other weather.");
    source.set(vec![other]);
    let config = source
        .config("")
        .replace("name: weather", "name: weather, trust: any");
    let server = Running::of(&config, &[("toolpact.lock", &lock)]).await;
    assert!(is_served(&server, "weather__forecast").await);
    let config = source
        .config("trust: any")
        .replace("name: weather", "name: weather, trust: locked");
    let server = Running::of(&config, &[("toolpact.lock", &lock)]).await;
    assert_refused(&server, "weather__forecast").await;
}
