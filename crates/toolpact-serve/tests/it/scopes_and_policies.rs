//! Scopes and policies together: what callers are told, and what is recorded.

use reqwest::Response;
use serde_json::{Value as Json, json};
use toolpact_identity::{NewToken, TokenFile};

use crate::oauth::KEYS;
use crate::support::{Running, TOOLS};

const POLICIES: &str = r#"
@id("only a")
permit(principal in Group::"staff", action == Action::"echo", resource)
when { context.input.text like "a*" };
@id("admins")
permit(principal in Group::"admins", action, resource);
"#;

const CONFIG: &str = "
identity:
  tokens: tokens.json
  jwt: [{ issuer: 'https://login.example.com', algorithms: [ES256], jwks: { file: keys.json } }]
  oauth:
    resource: https://tools.example.com/mcp
    scopes: { echo: [speak], liar: [lie], nothing: [lie] }
audit: { directory: audit }
policy: { files: [policies.cedar] }
sources:
  - files: { paths: [tools.yaml] }
";

struct Desk {
    server: Running,
    tokens: Vec<(&'static str, String)>,
}

impl Desk {
    async fn open() -> Self {
        let files = [
            ("tools.yaml", TOOLS),
            ("keys.json", KEYS),
            ("policies.cedar", POLICIES),
        ];
        let server = Running::of(CONFIG, &files).await;
        let file = TokenFile::at(server.file("tokens.json"));
        let add = |name: &'static str, group: &str, scopes: &[&str]| {
            let new = NewToken {
                name: name.to_owned(),
                groups: vec![group.to_owned()],
                scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
                ..NewToken::default()
            };
            (name, file.add(new).unwrap())
        };
        let tokens = vec![
            add("mute", "staff", &[]),
            add("speaker", "staff", &["speak"]),
            add("admin", "admins", &[]),
        ];
        let desk = Self { server, tokens };
        while desk
            .send("admin", "/v1/batch", json!({"calls": []}))
            .await
            .status()
            == 401
        {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        desk
    }

    async fn send(&self, who: &str, path: &str, body: Json) -> Response {
        let token = self.tokens.iter().find(|(name, _)| *name == who).unwrap();
        let request = self.server.client.post(self.server.url(path));
        let request = request
            .bearer_auth(&token.1)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json");
        let request = match body["params"]["name"].as_str() {
            Some(tool) if body["params"]["_meta"].is_object() => request
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "tools/call")
                .header("mcp-name", tool),
            _ => request,
        };
        request.body(body.to_string()).send().await.unwrap()
    }

    /// The status, the challenge and the text of a call, by each way.
    async fn calls(&self, who: &str, tool: &str, args: &Json) -> Vec<(u16, String, String)> {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": tool, "arguments": args, "_meta": meta});
        let ways = [
            ("/v1/call", json!({"name": tool, "args": args})),
            (&*format!("/v1/tools/{tool}"), args.clone()),
            (
                "/mcp",
                json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}),
            ),
            ("/v1/authorizations", json!({"name": tool, "args": args})),
        ];
        let mut all = Vec::new();
        for (path, body) in ways {
            let mut answer = self.send(who, path, body).await;
            if answer.status() == 201 {
                let allowed: Json = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
                let id = allowed["authorization"].as_str().unwrap();
                let (path, report) = (format!("/v1/authorizations/{id}"), json!({"result": args}));
                answer = self.send(who, &path, report).await;
            }
            let challenge = answer.headers().get("www-authenticate");
            let challenge = challenge.map_or("", |one| one.to_str().unwrap()).to_owned();
            let status = answer.status().as_u16();
            let text = answer.text().await.unwrap();
            all.push((status, challenge, text.replace(tool, "TOOL")));
        }
        all
    }

    fn audit(&self) -> Vec<Json> {
        let files = std::fs::read_dir(self.server.file("audit")).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let is_audit = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with("audit-")
        };
        let text = files
            .filter(is_audit)
            .map(|path| std::fs::read_to_string(path).unwrap());
        let text: Vec<String> = text.collect();
        let lines = text.iter().flat_map(|text| text.lines());
        let lines = lines.map(|line| serde_json::from_str::<Json>(line).unwrap());
        lines.filter(|line| line["event"].is_null()).collect()
    }
}

#[tokio::test]
async fn who_lacks_scopes_is_told_so_about_tools_they_see() {
    let desk = Desk::open().await;
    // Scopes come first, whatever the arguments are: right, denied by a policy, or wrong.
    for args in [
        json!({"text": "abc"}),
        json!({"text": "xyz"}),
        json!({"txt": 1}),
    ] {
        for (status, challenge, _) in desk.calls("mute", "echo", &args).await {
            assert_eq!(status, 403, "{args}");
            let expected = "Bearer error=\"insufficient_scope\", scope=\"speak\", ";
            assert!(challenge.starts_with(expected), "{args}: {challenge}");
        }
    }
    for (status, challenge, _) in desk.calls("admin", "liar", &json!({})).await {
        assert_eq!(status, 403);
        assert!(challenge.contains("scope=\"lie\""), "{challenge}");
    }
    // What is hidden is unknown, although it needs a scope.
    for who in ["mute", "speaker"] {
        let hidden = desk.calls(who, "liar", &json!({})).await;
        let unknown = desk.calls(who, "nothing", &json!({})).await;
        assert_eq!(hidden, unknown, "{who}");
        for (status, challenge, text) in hidden {
            assert!(status == 404 || text.contains("There is no tool"), "{text}");
            assert_eq!(challenge, "");
        }
    }
    // With the scopes, policies decide, and nothing is said about scopes.
    for (_, challenge, text) in desk.calls("speaker", "echo", &json!({"text": "xyz"})).await {
        assert_eq!(challenge, "", "{text}");
        assert!(text.contains("FORBIDDEN_ACCESS"), "{text}");
    }
    for (status, _, text) in desk.calls("speaker", "echo", &json!({"text": "abc"})).await {
        assert_eq!(status, 200, "{text}");
        assert!(text.contains("abc"), "{text}");
    }
}

#[tokio::test]
async fn each_call_is_recorded_with_what_decided() {
    let desk = Desk::open().await;
    let calls = [
        (
            "mute",
            "echo",
            json!({"text": "abc"}),
            "FORBIDDEN_ACCESS",
            json!({"verdict": "denied"}),
        ),
        ("mute", "liar", json!({}), "NOT_FOUND_ENDPOINT", Json::Null),
        (
            "speaker",
            "echo",
            json!({"text": "xyz"}),
            "FORBIDDEN_ACCESS",
            json!({"verdict": "denied"}),
        ),
        (
            "speaker",
            "echo",
            json!({"text": "abc"}),
            "SUCCESS",
            json!({"verdict": "allowed", "policies": ["only a"]}),
        ),
        (
            "admin",
            "echo",
            json!({"text": "abc"}),
            "FORBIDDEN_ACCESS",
            json!({"verdict": "denied"}),
        ),
    ];
    let mut expected = Vec::new();
    for (who, tool, args, outcome, decision) in &calls {
        for _ in desk.calls(who, tool, args).await {
            expected.push(json!([who, tool, outcome, decision]));
        }
    }
    let found = desk.audit();
    let found = found.iter().map(|line| {
        let name = &line["principal"]["name"];
        json!([name, line["tool"], line["outcome"], line["decision"]])
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}
