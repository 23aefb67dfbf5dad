//! Three public MCP servers behind `toolpact serve`, all at once: their tools listed and called over
//! REST and over MCP, and what becomes of one that is killed.

use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio_util::sync::{CancellationToken, DropGuard};
use toolpact::{Call, Registry, Session};
use toolpact_core::json::Value;
use toolpact_serve::{Client, Config, Service, SourceState, View};
use toolpact_upstream::Upstream;

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// What every server is started through: it says what its number is, and starts only if it may.
const DOOR: &str = r#"[ -e "$0.closed" ] && exit 1; echo $$ > "$0.pid"; exec node "$@""#;

/// A folder with what the servers keep.
pub(crate) struct Sandbox {
    pub(crate) package: PathBuf,
    folder: TempDir,
}

impl Sandbox {
    /// If the servers are installed.
    pub(crate) fn new() -> Option<Self> {
        let package = conformance::suite("mcp-servers").or_leave_out()?;
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("files")).unwrap();
        Some(Self { package, folder })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file of the folder that the server of files may use.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path("files").join(name)
    }

    /// Whether a server may start.
    pub(crate) fn close(&self, name: &str, closed: bool) {
        let path = self.path(&format!("{name}.closed"));
        match closed {
            true => std::fs::write(path, "").unwrap(),
            false => std::fs::remove_file(path).unwrap(),
        }
    }

    /// The number of the process of a server.
    pub(crate) fn process(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(&format!("{name}.pid"))).unwrap()
    }

    /// The program of a server and its arguments.
    pub(crate) fn command(&self, name: &str) -> Vec<String> {
        let script = format!("node_modules/@modelcontextprotocol/server-{name}/dist/index.js");
        let (door, script) = (self.path(name), self.package.join(script));
        let mut words = vec!["sh".to_owned(), "-c".to_owned(), DOOR.to_owned()];
        words.extend([door, script].map(|path| path.display().to_string()));
        if name == "filesystem" {
            words.push(self.path("files").display().to_string());
        }
        words
    }

    /// Serves these servers, each of which has its name in front of those of its tools.
    pub(crate) async fn serve(&self, names: &[&str]) -> Served {
        let memory = self.path("memory.jsonl");
        let source = |name: &&str| {
            json!({"mcp": {
                "name": name,
                "command": self.command(name),
                "env": {"MEMORY_FILE_PATH": memory},
            }})
        };
        let sources: Vec<Json> = names.iter().map(source).collect();
        self.serve_sources(names[0], &sources).await
    }

    /// Serves these sources. Tools without a namespace are those of `first`.
    pub(crate) async fn serve_sources(&self, first: &str, sources: &[Json]) -> Served {
        self.serve_config(first, json!({"sources": sources})).await
    }

    /// Serves these sources mocked: this is what all tools do besides answering.
    pub(crate) async fn serve_mock(&self, sources: &[Json], all: Json) -> Served {
        let mock = json!({"all": all});
        self.serve_config("", json!({"sources": sources, "mock": mock}))
            .await
    }

    async fn serve_config(&self, first: &str, mut config: Json) -> Served {
        config["listen"] = json!("127.0.0.1:0");
        config["data"] = json!(self.path("data"));
        let config = Config::from_json(config.to_string().as_bytes()).unwrap();
        let stop = CancellationToken::new();
        let listener = Service::bind(&config).await.unwrap();
        let service = Service::start(config, None, stop.clone()).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let service = Arc::new(service);
        let listening = Arc::clone(&service);
        tokio::spawn(async move { listening.listen(listener).await.unwrap() });
        Served {
            service,
            client: Client::new(&url, None).unwrap(),
            first: first.to_owned(),
            url,
            _stop: stop.drop_guard(),
        }
    }
}

/// A server of ours that runs. It stops with this.
pub(crate) struct Served {
    service: Arc<Service>,
    pub(crate) client: Client,
    /// The server whose tools are called.
    first: String,
    pub(crate) url: String,
    _stop: DropGuard,
}

impl Served {
    /// Whether a call over REST worked, and its result or its error.
    pub(crate) async fn call(&self, name: &str, args: &Json) -> (bool, Json) {
        let args = Value::from_json(args.to_string()).unwrap();
        let name = match name.contains("__") {
            true => name.to_owned(),
            false => format!("{}__{name}", self.first),
        };
        let called = self.client.call(&name, &args, View::Json);
        let called = tokio::time::timeout(PATIENCE, called).await.unwrap();
        let (worked, text) = called.unwrap();
        (worked, serde_json::from_str(&text).unwrap())
    }

    /// The result of a call over REST, which has to work.
    pub(crate) async fn ok(&self, name: &str, args: Json) -> Json {
        let (worked, result) = self.call(name, &args).await;
        assert!(worked, "{name} {args}: {result}");
        result
    }

    /// A client that has come over MCP.
    pub(crate) async fn over_mcp(&self) -> Session {
        let upstream = Upstream::http(format!("{}/mcp", self.url)).connect().await;
        let registry = Registry::new();
        registry.add_all(upstream.unwrap().definitions()).unwrap();
        registry.session().open().unwrap()
    }

    /// How a source is, and how many tools it serves.
    pub(crate) fn health(&self, name: &str) -> (SourceState, usize) {
        let health = self.service.health();
        let label = format!("mcp:{name}");
        let source = health.iter().find(|source| source.source == label);
        source.map(|source| (source.state, source.tools)).unwrap()
    }

    pub(crate) async fn until(&self, name: &str, state: SourceState) {
        let is = async {
            while self.health(name).0 != state {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, is).await.unwrap();
    }
}

/// The result of a call over MCP, which has to work.
async fn ok_over_mcp(session: &Session, name: &str, args: Json) -> Json {
    let args = Value::from_json(args.to_string()).unwrap();
    let completed = session.call(Call::new(full(session, name), args)).await;
    assert!(completed.is_success(), "{name}: {:?}", completed.error());
    serde_json::from_slice(&completed.to_json().unwrap()).unwrap()
}

/// The name of a tool with that of its server in front.
fn full<'s>(session: &'s Session, name: &str) -> &'s str {
    let is_meant = |full: &&str| full.split_once("__").is_some_and(|(_, own)| own == name);
    session.names().find(is_meant).unwrap()
}

fn names<'n>(all: impl Iterator<Item = &'n str>) -> BTreeSet<String> {
    all.map(str::to_owned).collect()
}

#[tokio::test]
async fn all_tools_are_listed() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let served = sandbox.serve(&conformance::mcp::SERVERS).await;
    for name in conformance::mcp::SERVERS {
        served.until(name, SourceState::Ready).await;
    }
    let contracts = served.client.contracts().await.unwrap();
    let rest = names(contracts.iter().map(|contract| contract.name().as_str()));
    let mcp = served.over_mcp().await;
    assert_eq!(names(mcp.names()), rest);
    // Those that the servers have when nobody is in between.
    let mut expected = BTreeSet::new();
    for name in conformance::mcp::SERVERS {
        let words = sandbox.command(name);
        let direct = Upstream::command(&*words[0]).args(&words[1..]);
        let direct = direct.connect().await.unwrap();
        assert!(direct.left_out().is_empty(), "{:?}", direct.left_out());
        let definitions = direct.definitions();
        assert_eq!(served.health(name), (SourceState::Ready, definitions.len()));
        let tools = definitions.iter().map(|tool| tool.contract().name());
        expected.extend(tools.map(|tool| format!("{name}__{tool}")));
    }
    assert_eq!(rest, expected);
    assert!(rest.len() > 30, "{}", rest.len());
}

#[tokio::test]
async fn everything() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let served = sandbox.serve(&["everything"]).await;
    served.until("everything", SourceState::Ready).await;
    let mcp = served.over_mcp().await;
    let echo = json!({"message": "hi"});
    assert_eq!(served.ok("echo", echo.clone()).await, "Echo: hi");
    assert_eq!(ok_over_mcp(&mcp, "echo", echo).await, "Echo: hi");
    let sum = json!({"a": 2, "b": 40});
    let told = served.ok("get-sum", sum).await;
    assert!(told.as_str().unwrap().contains("42"), "{told}");
    // What has a schema is held to it and comes as it is.
    let weather = json!({"location": "Chicago"});
    let told = served.ok("get-structured-content", weather.clone()).await;
    assert!(told["temperature"].is_number(), "{told}");
    assert!(told["conditions"].is_string(), "{told}");
    assert_eq!(
        ok_over_mcp(&mcp, "get-structured-content", weather).await,
        told
    );
    let image = served.ok("get-tiny-image", json!({})).await.to_string();
    assert!(image.contains("image/png"), "{image:.200}");
    // Arguments are checked before the server sees them.
    for (name, args, member) in [
        ("echo", json!({"message": 5}), "message"),
        ("get-sum", json!({"a": 1}), "b"),
        (
            "get-structured-content",
            json!({"location": "Atlantis"}),
            "location",
        ),
    ] {
        let (worked, error) = served.call(name, &args).await;
        assert!(!worked, "{name} {args}");
        assert_eq!(error["type"], "PARAMETER_VALIDATION_FAILED", "{error}");
        assert!(
            error["message"].as_str().unwrap().contains(member),
            "{error}"
        );
    }
}

#[tokio::test]
async fn memory() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let served = sandbox.serve(&["memory"]).await;
    served.until("memory", SourceState::Ready).await;
    let mcp = served.over_mcp().await;
    let ada = json!({"name": "Ada", "entityType": "person", "observations": ["wrote programs"]});
    let engine = json!({"name": "Engine", "entityType": "machine", "observations": []});
    let created = served
        .ok("create_entities", json!({"entities": [ada]}))
        .await;
    assert_eq!(created, json!({"entities": [ada]}));
    let created = ok_over_mcp(&mcp, "create_entities", json!({"entities": [engine]})).await;
    assert_eq!(created, json!({"entities": [engine]}));
    let about = json!({"from": "Ada", "to": "Engine", "relationType": "wrote for"});
    served
        .ok("create_relations", json!({"relations": [about]}))
        .await;
    let graph = json!({"entities": [ada, engine], "relations": [about]});
    assert_eq!(served.ok("read_graph", json!({})).await, graph);
    assert_eq!(ok_over_mcp(&mcp, "read_graph", json!({})).await, graph);
    let found = served
        .ok("search_nodes", json!({"query": "programs"}))
        .await;
    assert_eq!(found["entities"], json!([ada]));
    served
        .ok("delete_entities", json!({"entityNames": ["Engine"]}))
        .await;
    let graph = served.ok("read_graph", json!({})).await;
    assert_eq!(graph, json!({"entities": [ada], "relations": []}));
}

#[tokio::test]
async fn filesystem() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let served = sandbox.serve(&["filesystem"]).await;
    served.until("filesystem", SourceState::Ready).await;
    let mcp = served.over_mcp().await;
    let note = sandbox.file("note.txt");
    served
        .ok("write_file", json!({"path": note, "content": "one line\n"}))
        .await;
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "one line\n");
    let read = json!({"path": note});
    let told = served.ok("read_text_file", read.clone()).await;
    assert_eq!(told["content"], "one line\n", "{told}");
    assert_eq!(ok_over_mcp(&mcp, "read_text_file", read).await, told);
    served
        .ok("create_directory", json!({"path": sandbox.file("more")}))
        .await;
    let told = served
        .ok("list_directory", json!({"path": sandbox.path("files")}))
        .await;
    let listed = told.to_string();
    assert!(
        listed.contains("[FILE] note.txt") && listed.contains("[DIR] more"),
        "{listed}"
    );
}

/// Each way out of the folder that it may use.
#[tokio::test]
async fn paths_that_lead_out_of_the_filesystem() {
    use std::os::unix::fs::symlink;
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let outside = sandbox.path("outside");
    std::fs::create_dir(&outside).unwrap();
    let secret = outside.join("secret.txt");
    std::fs::write(&secret, "s3cret").unwrap();
    // A folder whose name begins as that of the right one does.
    std::fs::create_dir(sandbox.path("files-of-others")).unwrap();
    std::fs::write(sandbox.path("files-of-others/secret.txt"), "s3cret").unwrap();
    symlink(&outside, sandbox.file("link")).unwrap();
    symlink(&secret, sandbox.file("secret-link.txt")).unwrap();
    symlink("../outside/new.txt", sandbox.file("new-link.txt")).unwrap();
    let served = sandbox.serve(&["filesystem"]).await;
    served.until("filesystem", SourceState::Ready).await;
    let mcp = served.over_mcp().await;
    let inside = |rest: &str| format!("{}/{rest}", sandbox.path("files").display());
    let ways = [
        secret.display().to_string(),
        inside("../outside/secret.txt"),
        inside("more/../../outside/secret.txt"),
        inside("./.././outside//secret.txt"),
        inside("link/secret.txt"),
        inside("secret-link.txt"),
        inside("new-link.txt"),
        sandbox
            .path("files-of-others/secret.txt")
            .display()
            .to_string(),
        "../outside/secret.txt".to_owned(),
    ];
    let refused = async |tool: &str, args: Json| {
        let (worked, error) = served.call(tool, &args).await;
        assert!(!worked, "{tool} {args}: {error}");
        assert_eq!(
            error["code"], "EXTERNAL_API_ERROR",
            "{tool} {args}: {error}"
        );
        assert!(
            !error.to_string().contains("s3cret"),
            "{tool} {args}: {error}"
        );
    };
    for path in &ways {
        let edits = json!([{"oldText": "s3cret", "newText": "taken"}]);
        refused("write_file", json!({"path": path, "content": "taken"})).await;
        refused("edit_file", json!({"path": path, "edits": edits})).await;
        refused(
            "move_file",
            json!({"source": path, "destination": inside("taken.txt")}),
        )
        .await;
    }
    // Nothing is tried on these that would do harm.
    let more = [
        format!("file://{}", secret.display()),
        "~/secret.txt".to_owned(),
        "/etc/passwd".to_owned(),
        "/proc/self/environ".to_owned(),
        inside("note.txt\0/../../outside/secret.txt"),
        inside("..%2foutside%2fsecret.txt"),
        inside("..\\outside\\secret.txt"),
        inside(&"../".repeat(2000)),
    ];
    for path in ways.iter().chain(&more) {
        for tool in [
            "read_text_file",
            "read_media_file",
            "get_file_info",
            "list_directory",
        ] {
            refused(tool, json!({"path": path})).await;
        }
        let args = Value::from_json(json!({"path": path}).to_string()).unwrap();
        let name = full(&mcp, "read_text_file");
        let refused = mcp.call(Call::new(name, args)).await;
        assert!(!refused.is_success(), "{path:?}: {}", refused.text());
    }
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), "s3cret");
    assert!(!outside.join("new.txt").exists());
    assert!(!sandbox.file("taken.txt").exists());
    // It goes on.
    let note = json!({"path": sandbox.file("note.txt"), "content": "fine"});
    served.ok("write_file", note).await;
    assert_eq!(served.health("filesystem").0, SourceState::Ready);
}

/// Nobody has to do anything about a server that is killed.
#[tokio::test]
async fn a_server_that_is_killed_comes_back() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    sandbox.close("memory", true);
    let served = sandbox.serve(&["memory", "everything"]).await;
    served.until("everything", SourceState::Ready).await;
    // It does not start, and the other serves.
    served.until("memory", SourceState::Failing).await;
    assert_eq!(served.health("memory").1, 0);
    let (worked, error) = served.call("read_graph", &json!({})).await;
    assert!(!worked && error["code"] == "NOT_FOUND_ENDPOINT", "{error}");
    sandbox.close("memory", false);
    served.until("memory", SourceState::Ready).await;
    let ada = json!({"name": "Ada", "entityType": "person", "observations": []});
    let ada = json!({"entities": [ada]});
    served.ok("create_entities", ada.clone()).await;

    let first = sandbox.process("memory");
    kill(&first);
    let graph = comes_back(&served, "read_graph").await;
    assert_eq!(graph["entities"], ada["entities"]);
    assert_ne!(sandbox.process("memory"), first);
    served.until("memory", SourceState::Ready).await;

    // As long as it cannot start, calls fail; the other serves on.
    sandbox.close("memory", true);
    kill(&sandbox.process("memory"));
    let (worked, error) = served.call("read_graph", &json!({})).await;
    assert!(!worked, "{error}");
    assert!(
        error["code"].as_str().unwrap().starts_with("EXTERNAL_"),
        "{error}"
    );
    assert_eq!(
        served
            .ok("everything__echo", json!({"message": "hi"}))
            .await,
        "Echo: hi"
    );
    sandbox.close("memory", false);
    let graph = comes_back(&served, "read_graph").await;
    assert_eq!(graph["entities"], ada["entities"]);
    served.until("memory", SourceState::Ready).await;
}

fn kill(process: &str) {
    let mut kill = Command::new("kill");
    assert!(
        kill.args(["-9", process.trim()])
            .status()
            .unwrap()
            .success()
    );
}

/// What a tool returns, as soon as it works.
async fn comes_back(served: &Served, tool: &str) -> Json {
    let called = async {
        loop {
            match served.call(tool, &json!({})).await {
                (true, result) => return result,
                (false, _) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    };
    tokio::time::timeout(PATIENCE, called).await.unwrap()
}
