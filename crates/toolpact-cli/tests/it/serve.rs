//! A server that is started, asked and stopped.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use toolpact_core::json::Value;
use toolpact_serve::{Client, ClientError, View};

use crate::run::{Folder, Ran, cleaned};

/// A server that runs, and its address. It is killed when this is dropped, so also when a test
/// panics.
pub(crate) struct Server(Child, String, String);

impl Server {
    pub(crate) fn start(folder: &Folder, arguments: &[&str]) -> Self {
        Self::start_with(folder, arguments, &[])
    }

    pub(crate) fn start_with(
        folder: &Folder,
        arguments: &[&str],
        environment: &[(&str, PathBuf)],
    ) -> Self {
        let mut command = folder.command(["serve", "--listen", "127.0.0.1:0"]);
        command.args(arguments);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        Self::run(folder, command)
    }

    pub(crate) fn run(folder: &Folder, mut command: Command) -> Self {
        // A pipe that nobody reads would be full at some time.
        let log = File::create(folder.path("stderr.log")).unwrap();
        command.stdout(Stdio::piped()).stderr(log);
        let mut server = Self(command.spawn().unwrap(), String::new(), String::new());
        let mut output = BufReader::new(server.0.stdout.as_mut().unwrap());
        for _ in 0..3 {
            output.read_line(&mut server.2).unwrap();
        }
        let first = server.2.lines().next().unwrap_or_default();
        // What does not start may be named after it.
        let mut words = first.split(' ');
        let address = words.find(|word| word.starts_with("http://"));
        let address = address.unwrap_or_default();
        let log = || folder.read("stderr.log");
        assert!(address.starts_with("http://"), "{first}{}", log());
        server.1 = address.to_owned();
        server
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.1
    }

    /// Its process.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits until the shop is open, which a new one is after a moment.
    pub(crate) fn wait_for_shop(&self) {
        self.client().wait_for_shop();
    }

    /// What it said when it began to listen.
    pub(crate) fn said(&self) -> &str {
        &self.2
    }

    /// Stops it as an operator would.
    pub(crate) fn stop(mut self) -> i32 {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
        self.0.wait().unwrap().code().unwrap()
    }

    /// Ends it without a word: this is SIGKILL.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    pub(crate) fn client(&self) -> Caller {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        Caller(Client::new(&self.1, None).unwrap(), runtime.unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A client that waits for each answer.
pub(crate) struct Caller(Client, tokio::runtime::Runtime);

impl Caller {
    /// What came of a call. Fails if the server is gone.
    pub(crate) fn try_call(&self, tool: &str, args: &Json) -> Result<(bool, Json), ClientError> {
        let args = Value::from_json(args.to_string()).unwrap();
        let called = self.0.call(tool, &args, View::Json);
        let (worked, text) = self.1.block_on(called)?;
        Ok((worked, serde_json::from_str(&text).unwrap()))
    }

    pub(crate) fn call(&self, tool: &str, args: &Json) -> Json {
        let (worked, answer) = self.try_call(tool, args).unwrap();
        assert!(worked, "{tool}: {answer}");
        answer
    }

    /// Waits until the shop is open, which a new one is after a moment.
    fn wait_for_shop(&self) {
        let patience = Instant::now() + Duration::from_secs(60);
        while !self.try_call("count_orders", &json!({})).unwrap().0 {
            assert!(Instant::now() < patience);
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn a_first_config_is_served() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "wrote ./toolpact.yaml", "");
    std::fs::remove_file(folder.path("tools.yaml")).unwrap();
    folder.run(["init"]).assert(
        0,
        "kept ./toolpact.yaml, which was there\nwrote ./tools.yaml\n",
        "",
    );
    let checked = folder.run(["serve", "--check", "toolpact.yaml"]);
    checked.assert(0, "fine: 1 source", "");
    let server = Server::start(&folder, &["toolpact.yaml"]);
    let ask = |words: &[&str]| -> Ran { folder.run([words, &["--server", &server.1]].concat()) };
    ask(&["tools"]).assert(0, "current_time  StringValue  Tells the time, in UTC.", "");
    ask(&["call", "current_time", "--view", "json"]).assert(0, "20", "");
    ask(&["call", "current_time", "zone=UTC"]).assert(1, "zone", "");
    ask(&["call", "nothing"]).assert(1, "nothing", "");
    assert_eq!(server.stop(), 0);
    folder
        .run(["tools", "--server", "http://127.0.0.1:1"])
        .assert(
            2,
            "",
            "127.0.0.1:1 refused the connection: no server is there; `toolpact serve` starts one",
        );
    folder
        .run(["call", "current_time", "--server", &hangs_up()])
        .assert(2, "", "the call may have taken effect");
}

/// What a line is about is told once.
#[test]
fn the_log_does_not_repeat_itself() {
    let desk = include_str!("../../../../examples/desk.yaml");
    let config = "sources: [{ files: { paths: [desk.yaml] } }]";
    let folder = Folder::new()
        .file("desk.yaml", desk)
        .file("toolpact.yaml", config);
    let failed = |form: &str| {
        let server = Server::start(&folder, &["toolpact.yaml", "--log", form]);
        let (worked, _) = server
            .client()
            .try_call("get-ticket", &json!({"number": 9}))
            .unwrap();
        assert!(!worked);
        server.stop();
        let log = folder.read("stderr.log");
        let line = log.lines().find(|line| line.contains("the tool failed"));
        assert!(line.is_some(), "{log}");
        line.unwrap().to_owned()
    };
    let text = failed("text");
    assert!(
        text.contains(
            r#" execute_tool{tool="get-ticket"}: toolpact::command: the tool failed program="sh""#
        ),
        "{text}"
    );
    let json: Json = serde_json::from_str(&failed("json")).unwrap();
    assert_eq!(json["span"]["gen_ai.tool.name"], "get-ticket");
    assert_eq!(json["spans"], Json::Null);
}

/// The address of somebody who is well, and then takes a connection and says nothing.
fn hangs_up() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        let health = r#"{"status":"ok","version":"1"}"#;
        let (length, head) = (health.len(), "HTTP/1.1 200 OK\r\nconnection: close");
        write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n{health}").unwrap();
        drop(stream);
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 1]).unwrap();
    });
    format!("http://{address}")
}

#[test]
fn mistakes_are_told_in_place() {
    let folder = Folder::new().file("wrong.yaml", "sauces: []\n").file(
        "gone.yaml",
        "sources: [{ files: { paths: [nothing.yaml] } }]\n",
    );
    folder
        .run(["serve", "--check", "wrong.yaml"])
        .assert(1, "", "wrong.yaml:1:1:");
    folder
        .run(["serve", "--check", "gone.yaml"])
        .assert(1, "", "nothing.yaml");
}

#[test]
fn tools_of_files_are_called_here() {
    let tools = r#"{"toolpact": 1, "tools": [{"name": "echo", "description": "Says it again.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
        "returns": {"type": "object"}, "run": {"command": ["cat"]}}]}"#;
    let folder = Folder::new().file("tools.json", tools);
    folder
        .run(["tools", "--tools", "tools.json"])
        .assert(0, "echo  Custom   Says it again.", "");
    folder
        .run(["call", "echo", "text=5", "--tools", "tools.json"])
        .assert(0, r#"text: "5""#, "");
    folder
        .run(["call", "echo", "text:=5", "--tools", "tools.json"])
        .assert(1, "text", "");
    folder
        .run([
            "call",
            "echo",
            "--json",
            r#"{"text": "a"}"#,
            "--view",
            "adm",
            "--tools",
            "tools.json",
        ])
        .assert(0, r#""status":"SUCCESS""#, "");
}

#[test]
fn one_client_is_served_on_standard_input_and_output() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "", "");
    let about = r#"{"name": "test", "version": "1"}"#;
    let messages = format!(
        r#"{{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {{"protocolVersion": "2025-11-25", "capabilities": {{}}, "clientInfo": {about}}}}}
{{"jsonrpc": "2.0", "method": "notifications/initialized"}}
{{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}}
"#
    );
    let command = folder.command(["serve", "toolpact.yaml", "--stdio"]);
    let ran = crate::run::run_with_stdin(command, messages.as_bytes());
    ran.assert(0, r#""name":"current_time""#, "the source is ready");
    for line in ran.stdout.lines() {
        assert!(line.starts_with('{'), "{line}");
    }
}

/// An order that the server has confirmed.
struct Confirmed {
    order: String,
    note: String,
}

const PRODUCTS: [&str; 2] = ["TEA-004", "TEA-001"];

/// Most orders of a round, of which there are three: the shop has 196 pieces of the second product.
const MOST: usize = 60;

/// Orders until the server is gone, and returns what it had confirmed by then.
fn order_on(caller: &Caller, writer: &str, so_far: &AtomicUsize) -> Vec<Confirmed> {
    let mut confirmed = Vec::new();
    for number in 0.. {
        // On a busy machine the shop would be sold out before the server is killed.
        if so_far.load(Ordering::Relaxed) >= MOST {
            break;
        }
        let note = format!("{writer}, order {number}");
        let lines = PRODUCTS.map(|product| json!({"product": product, "quantity": 1}));
        let order = json!({"customer": "C-117", "lines": lines, "note": note, "reference": note});
        let Ok((worked, answer)) = caller.try_call("create_order", &order) else {
            break;
        };
        assert!(worked, "{answer}");
        let order = answer["id"].as_str().unwrap().to_owned();
        confirmed.push(Confirmed { order, note });
        so_far.fetch_add(1, Ordering::Relaxed);
    }
    confirmed
}

/// Four who order at once, and a server that is killed while they do.
fn killed_while_writing(server: Server, round: usize) -> Vec<Confirmed> {
    let so_far = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let start = |writer| {
            let caller = server.client();
            let (name, so_far) = (format!("round {round}, writer {writer}"), &so_far);
            scope.spawn(move || order_on(&caller, &name, so_far))
        };
        let writers: Vec<_> = (0..4).map(start).collect();
        while so_far.load(Ordering::Relaxed) < 20
            && !writers.iter().any(ScopedJoinHandle::is_finished)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        server.kill();
        let confirmed = writers.into_iter().flat_map(|one| one.join().unwrap());
        confirmed.collect()
    })
}

/// How many orders there are, and how many pieces of each product.
fn counted(caller: &Caller) -> (i64, [i64; 2]) {
    let orders = caller.call("count_orders", &json!({}));
    let stock = |product| {
        let product = caller.call("get_product", &json!({"product": product}));
        product["attributes"]["stock"].as_i64().unwrap()
    };
    (orders["value"].as_i64().unwrap(), PRODUCTS.map(stock))
}

#[test]
fn what_was_confirmed_outlives_kill_9() {
    let folder = Folder::new();
    let start = || {
        let server = Server::start(&folder, &["--data", "kept"]);
        server.client().wait_for_shop();
        server
    };
    let mut server = start();
    let (orders, stock) = counted(&server.client());
    let mut confirmed: Vec<Confirmed> = Vec::new();
    for round in 1..=3 {
        confirmed.extend(killed_while_writing(server, round));
        assert!(confirmed.len() >= 20 * round, "{}", confirmed.len());
        server = start();
        let caller = server.client();
        for Confirmed { order, note } in &confirmed {
            let kept = caller.call("get_order", &json!({"order": order}));
            let kept = &kept["attributes"];
            assert_eq!(kept["note"], **note, "{kept}");
            let lines = kept["lines"].as_array().unwrap().iter();
            let products: Vec<&Json> = lines.map(|line| &line["product"]).collect();
            assert_eq!(products, PRODUCTS, "{kept}");
        }
        // What was on its way then is there as a whole, or not at all.
        let (orders_now, stock_now) = counted(&caller);
        let made = orders_now - orders;
        assert!(usize::try_from(made).unwrap() >= confirmed.len(), "{made}");
        assert_eq!(stock_now, stock.map(|pieces| pieces - made));
    }
    assert_eq!(server.stop(), 0);
}

/// A read of standard input cannot be called off, and must not keep the program from ending.
#[test]
fn a_server_on_standard_input_can_be_stopped() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "", "");
    let mut command = folder.command(["serve", "toolpact.yaml", "--stdio"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(File::create(folder.path("stderr.log")).unwrap());
    let mut server = Server(command.spawn().unwrap(), String::new(), String::new());
    let patience = Instant::now() + Duration::from_secs(60);
    while !folder.read("stderr.log").contains("the source is ready") {
        assert!(Instant::now() < patience);
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = server.0.id().to_string();
    assert!(Command::new("kill").arg(id).status().unwrap().success());
    while server.0.try_wait().unwrap().is_none() {
        assert!(Instant::now() < patience);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.0.wait().unwrap().code(), Some(0));
}

/// What a shell allows its programs is no limit of the server.
#[test]
fn more_connections_than_files_were_allowed() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "", "");
    let serve = folder.command(["serve", "toolpact.yaml", "--listen", "127.0.0.1:0"]);
    let mut shell = cleaned(Command::new("sh"));
    shell.args(["-c", r#"ulimit -Sn 100 && exec "$0" "$@""#]);
    shell.arg(serve.get_program()).args(serve.get_args());
    shell.current_dir(folder.path(""));
    let server = Server::run(&folder, shell);
    let address = server.1.strip_prefix("http://").unwrap();
    let connect = |_| TcpStream::connect(address).unwrap();
    let idle: Vec<TcpStream> = (0..300).map(connect).collect();
    let started = Instant::now();
    server.client().call("current_time", &json!({}));
    assert!(started.elapsed() < Duration::from_secs(5));
    drop(idle);
    assert_eq!(server.stop(), 0);
}
