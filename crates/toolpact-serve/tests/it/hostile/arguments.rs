//! Arguments that would like to be something else.

use serde_json::{Value as Json, json};

use super::{goes_on, mcp_call};
use crate::support::{Running, TOOLS};

/// Tells how many words its program was started with, and what was on its standard input.
const TOLD: &str = r#"
  - name: told
    description: Tells what it was told.
    parameters: { type: object, properties: { text: {}, more: {} } }
    returns: { type: object, properties: { words: { type: integer }, input: { type: object } }, required: [words, input] }
    run: { command: [sh, -c, 'printf "{\"words\": %s, \"input\": %s}" "$#" "$(cat)"'] }
"#;

async fn server() -> Running {
    let config = "sources: [{ files: { paths: [tools.yaml] } }]";
    Running::of(config, &[("tools.yaml", &format!("{TOOLS}{TOLD}"))]).await
}

/// The file would be made by whoever takes an argument for a command.
fn tricks(file: &str) -> Vec<Json> {
    let texts = [
        format!("; touch {file}"),
        format!("\"; touch {file}; \""),
        format!("'; touch {file}; '"),
        format!("$(touch {file})"),
        format!("`touch {file}`"),
        format!("\\\"$(touch {file})\\\""),
        format!("| touch {file}"),
        format!("&& touch {file} #"),
        format!("a\ntouch {file}\n"),
        format!("a\r\ntouch {file}\r\n"),
        format!("> {file}"),
        format!("${{IFS}}touch${{IFS}}{file}"),
        format!("}}\ntouch {file}\n{{"),
    ];
    let plain = [
        "--help",
        "-c",
        "--",
        "-",
        "%s%s%n",
        "%n",
        "{}",
        "$0 $@ $#",
        "*",
        "~",
        "!!",
        "\\",
        "\"",
        "'",
        "a\u{0}b",
        "\u{7f}\u{1b}[2J",
        "\u{202e}",
        "\u{feff}",
        "\u{1f600}",
    ];
    let texts = texts.into_iter().chain(plain.map(str::to_owned));
    let long = Json::from("$(:)".repeat(200_000));
    let others = [
        json!(["-c", format!("touch {file}")]),
        json!({"--help": {"$(:)": null}}),
        json!(1e300),
    ];
    texts.map(Json::from).chain(others).chain([long]).collect()
}

#[tokio::test]
async fn arguments_are_never_commands() {
    let server = server().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made");
    for text in tricks(file.to_str().unwrap()) {
        let args = json!({"text": text, "more": {"-x": text}});
        let expected = json!({"words": 0, "input": args});
        let (status, told) = server.call("told", args.clone()).await;
        let shown = text.to_string().chars().take(60).collect::<String>();
        assert_eq!(status, 200, "{shown}");
        assert!(told == expected, "{shown}");
        let (status, told) = server.post("/v1/tools/told", &args).await;
        assert!(status == 200 && told == expected, "{shown}");
        let (status, told) = mcp_call(&server, "told", &args).await;
        assert_eq!(status, 200, "{shown}");
        assert!(told["result"]["structuredContent"] == expected, "{shown}");
        assert!(!file.exists(), "{shown}");
    }
    goes_on(&server).await;
}

#[tokio::test]
async fn names_are_never_commands() {
    let server = server().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made");
    let touch = format!("told; touch {}", file.display());
    for name in [
        &*touch,
        "../told",
        "/bin/sh",
        "sh",
        "told\u{0}",
        "told\n",
        " told",
        "TOLD",
        "",
        "$(told)",
        "told/../echo",
    ] {
        let (status, error) = server.call(name, json!({})).await;
        assert!(matches!(status, 400 | 404), "{name:?}: {status} {error}");
        let (status, said) = server
            .post("/mcp", &super::mcp_message(name, &json!({})))
            .await;
        assert_ne!(
            said["result"]["isError"], false,
            "{name:?}: {status} {said}"
        );
        assert!(status < 500, "{name:?}: {status} {said}");
    }
    for path in [
        "..%2ftold",
        "%2e%2e%2fcall",
        "told%00",
        "told%0a",
        "%2fbin%2fsh",
        "%ff",
    ] {
        let (status, error) = server.post(&format!("/v1/tools/{path}"), &json!({})).await;
        assert!(matches!(status, 400 | 404), "{path}: {status} {error}");
    }
    assert!(!file.exists());
    goes_on(&server).await;
}
