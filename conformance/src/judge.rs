//! Judges of what is written for providers: their own SDKs, asked by the scripts in `python` and
//! `node`. What a judge looks at is said there.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a judge says of a tool, or of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The name of the tool; of a message, like `calls/0`; and `*` where it is about all of them.
    pub tool: String,
    /// Whether there are no problems.
    pub ok: bool,
    /// What the SDK, or the API of the provider, does not take.
    pub problems: Vec<String>,
}

/// What the SDK of a provider says of exported tools; `package` is `provider-sdks`.
///
/// # Panics
///
/// When there is no verdict: the script could not be run, or it failed.
#[must_use]
pub fn dialect(package: &Path, dialect: &str, exported: &str) -> Vec<Verdict> {
    ask(python("judge_dialect.py"), package, dialect, exported)
}

/// What the SDK of a provider says of `{"calls": […], "results": […]}`, written as its messages;
/// `package` is `provider-sdks`.
///
/// # Panics
///
/// When there is no verdict: the script could not be run, or it failed.
#[must_use]
pub fn messages(package: &Path, dialect: &str, messages: &str) -> Vec<Verdict> {
    ask(python("judge_messages.py"), package, dialect, messages)
}

/// What MCP clients say of exported tools, and of results beside them; `package` is `mcp-sdk`.
///
/// # Panics
///
/// When there is no verdict: the script could not be run, or it failed.
#[must_use]
pub fn mcp_clients(package: &Path, dialect: &str, exported: &str) -> Vec<Verdict> {
    let mut node = Command::new("node");
    node.arg(script("node/judge_mcp.js"));
    ask(node, package, dialect, exported)
}

fn python(name: &str) -> Command {
    let mut python = Command::new("python3");
    // Isolated, and without what is installed on the machine: the packages are all that counts.
    python
        .args(["-I", "-S"])
        .arg(script(&format!("python/{name}")));
    python
}

fn script(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[expect(clippy::panic, reason = "this is how a test fails")]
fn ask(command: Command, package: &Path, dialect: &str, input: &str) -> Vec<Verdict> {
    match answer(command, package, dialect, input) {
        Ok(verdicts) => verdicts,
        Err(why) => panic!("no verdict on {dialect}: {why}"),
    }
}

fn answer(
    mut command: Command,
    package: &Path,
    dialect: &str,
    input: &str,
) -> Result<Vec<Verdict>, String> {
    let mut running = command
        .arg(package)
        .arg(dialect)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    if let Some(mut stdin) = running.stdin.take() {
        // A script that ended early says why.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = running.wait_with_output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8(output.stdout).map_err(|e| e.to_string())?;
    text.lines().map(verdict).collect()
}

fn verdict(line: &str) -> Result<Verdict, String> {
    let value: Value = serde_json::from_str(line).map_err(|e| format!("{e}: {line}"))?;
    let (Some(ok), Some(problems)) = (value["ok"].as_bool(), value["problems"].as_array()) else {
        return Err(format!("not a verdict: {line}"));
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(Verdict {
        tool: text(&value["tool"]),
        ok,
        problems: problems.iter().map(text).collect(),
    })
}
