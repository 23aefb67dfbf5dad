//! Scopes of tools: of several calls, those alone fail that lack theirs.

use serde_json::{Value as Json, json};

use super::http::{Response, post};
use super::{Place, Server, initialize, tools_call};

const CONFIG: &str = "
identity:
  tokens: tokens.json
  jwt: [{ issuer: 'https://login.example.com', algorithms: [ES256], jwks: { file: keys.json } }]
  oauth:
    resource: https://tools.example.com/mcp
    scopes: { get-ticket: ['tickets:read'] }
code: {}
sources:
  - files: { paths: [tools.yaml] }
";

/// The public key of an example in RFC 7517.
const KEYS: &str = r#"{"keys": [{"kty": "EC", "crv": "P-256", "kid": "1",
    "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
    "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}"#;

/// A server, and the tokens of those who call it.
struct Desk {
    place: Place,
    server: Server,
    mute: String,
    reader: String,
}

/// Somebody with a token.
struct Caller<'a>(&'a Desk, &'a str);

impl Desk {
    fn open() -> Self {
        let place = Place::new(CONFIG);
        place.file("keys.json", KEYS);
        let token = |name: &str, scope: &str| {
            let mut add = place.command(&["token", "add", name, "--scope", scope]);
            let added = add.output().unwrap();
            assert!(added.status.success(), "{added:?}");
            let token = String::from_utf8(added.stdout).unwrap();
            format!("Bearer {}", token.trim())
        };
        let mute = token("mute", "tickets:write");
        let reader = token("reader", "tickets:read");
        let server = place.serve();
        Self {
            place,
            server,
            mute,
            reader,
        }
    }

    /// How often the tool with a scope has run.
    fn ran(&self) -> usize {
        self.place.read("tickets").lines().count()
    }
}

impl Caller<'_> {
    fn send(&self, path: &str, body: &Json) -> Response {
        let accept = "application/json, text/event-stream";
        let headers = [("authorization", self.1), ("accept", accept)];
        post(&self.0.server.1, path, &headers, body)
    }

    /// What comes of a script over MCP.
    fn over_mcp(&self, script: &str) -> Json {
        let begun = self.send("/mcp", &initialize());
        let session = begun.header("mcp-session-id").unwrap();
        let headers = [
            ("authorization", self.1),
            ("accept", "application/json, text/event-stream"),
            ("mcp-session-id", session),
        ];
        let ask = |body: &Json| post(&self.0.server.1, "/mcp", &headers, body);
        ask(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let answer = ask(&tools_call(2, script));
        let mut lines = { answer.body.lines() }.map(|line| line.trim_start_matches("data: "));
        let last = lines.rfind(|line| line.contains(r#""result""#));
        serde_json::from_str::<Json>(last.unwrap()).unwrap()["result"].take()
    }
}

const TICKET: &str = "get_ticket(1)['from']";

/// Goes on after its call.
const CAREFUL: &str = "
try:
    got = get_ticket(1)['from']
except ToolError as e:
    got = tool_error(e)['code']
[got, 1 + 1]
";

#[test]
fn of_several_calls_those_alone_fail_that_lack_their_scopes() {
    let desk = Desk::open();
    let (mute, reader) = (Caller(&desk, &desk.mute), Caller(&desk, &desk.reader));
    let ticket = json!({"name": "get-ticket", "args": {"number": 1}});
    let other = json!({"name": "run_code", "args": {"script": "1 + 1"}});
    let batch = json!({"calls": [ticket, other]});
    let plan = json!({"steps": [
        {"id": "a", "tool": "get-ticket", "args": {"number": 1}},
        {"id": "b", "tool": "run_code", "args": {"script": "1 + 1"}},
    ]});
    for (caller, expected) in [(&mute, "FORBIDDEN_ACCESS"), (&reader, "Ada")] {
        let ran = desk.ran();
        let several = caller.send("/v1/batch", &batch);
        // It is no challenge: the request as a whole is answered.
        assert_eq!(
            (several.status(), several.header("www-authenticate")),
            (200, None)
        );
        let several = several.json();
        let (first, second) = (&several["results"][0], &several["results"][1]);
        assert!(first.to_string().contains(expected), "{several}");
        assert!(second.to_string().contains(r#""value":2"#), "{several}");
        let steps = caller.send("/v1/plan", &plan);
        assert_eq!(
            (steps.status(), steps.header("www-authenticate")),
            (200, None)
        );
        let steps = steps.json();
        let (first, second) = (&steps["steps"][0], &steps["steps"][1]);
        assert!(first.to_string().contains(expected), "{steps}");
        assert!(second.to_string().contains(r#""value":2"#), "{steps}");
        let script = json!({"script": CAREFUL});
        let ran_code = caller.send("/v1/tools/run_code", &script);
        assert_eq!(ran_code.status(), 200, "{}", ran_code.body);
        assert_eq!(ran_code.json()["value"], json!([expected, 2]));
        let over_mcp = caller.over_mcp(CAREFUL);
        let value = &over_mcp["structuredContent"]["value"];
        assert_eq!(*value, json!([expected, 2]), "{over_mcp}");
        let calls = if expected == "Ada" { 4 } else { 0 };
        assert_eq!(desk.ran(), ran + calls);
    }
    // A script that does not expect it fails with it.
    let failed = mute
        .send("/v1/tools/run_code", &json!({"script": TICKET}))
        .json();
    let error = &failed["details"]["tool_error"];
    assert_eq!(error["code"], "FORBIDDEN_ACCESS", "{failed}");
    assert_eq!(mute.over_mcp(TICKET)["isError"], true);
    assert_ne!(reader.over_mcp(TICKET)["isError"], true);
    assert_eq!(desk.ran(), 5);
}
