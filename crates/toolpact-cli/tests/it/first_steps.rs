//! What people type first, before they have read anything.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use crate::run::Folder;
use crate::serve::Server;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: echo
    description: Says what it was told.
    parameters: { type: object, properties: { text: { type: string } } }
    returns: { type: object }
    run: { command: [cat] }
"#;

const CONFIG: &str = "sources: [{ files: { paths: [tools.yaml] } }]\n";

fn folder() -> Folder {
    Folder::new()
        .file("toolpact.yaml", CONFIG)
        .file("tools.yaml", TOOLS)
}

#[test]
fn the_config_of_the_working_directory_is_served() {
    let folder = folder();
    folder
        .run(["serve", "--check"])
        .assert(0, "fine: 1 source (the config toolpact.yaml)\n", "");
    let server = Server::start(&folder, &[]);
    assert!(server.said().starts_with("1 tool on "), "{}", server.said());
    let log = folder.read("stderr.log");
    assert!(log.contains("serving the config toolpact.yaml"), "{log}");
    assert!(!folder.path("toolpact").exists(), "no data is kept");
}

#[test]
fn a_broken_config_of_the_working_directory_is_an_error() {
    let folder = Folder::new().file("toolpact.yaml", "sorces: [garbage\n");
    for words in [&["serve", "--check"][..], &["serve"]] {
        folder.run(words).assert(1, "", "error: toolpact.yaml:");
    }
    let folder = Folder::new().file("toolpact.yml", "sorces: []\n");
    folder.run(["serve"]).assert(
        1,
        "",
        "toolpact.yml:1:1: at /sorces: expected no keys but those of the schema, found `sorces`; did you mean `sources`?",
    );
    let folder = folder_with_two_configs();
    folder.run(["serve", "--check"]).assert(
        1,
        "",
        "found `toolpact.yaml` and `toolpact.json`; name the one",
    );
}

fn folder_with_two_configs() -> Folder {
    folder().file("toolpact.json", r#"{"sources": []}"#)
}

#[test]
fn without_a_config_the_shop_is_served_and_that_is_said() {
    Folder::new().run(["serve", "--check"]).assert(
        0,
        "fine: 1 source (the shop, since there is no toolpact.yaml here)",
        "",
    );
}

#[test]
fn folders_and_documents_with_tools_are_served() {
    let folder = Folder::new()
        .file("with/toolpact.yaml", CONFIG)
        .file("with/tools.yaml", TOOLS)
        .file("without/deep/tools.yaml", TOOLS)
        .file("without/package.json", r#"{"name": "a", "type": "module"}"#)
        .file("nothing/readme.txt", "");
    for (word, said) in [
        ("with", "the config with/toolpact.yaml"),
        ("without", "the tools of without, 1 document"),
        (
            "with/tools.yaml",
            "the tools of with/tools.yaml, 1 document",
        ),
    ] {
        let fine = format!("fine: 1 source ({said})\n");
        folder.run(["serve", "--check", word]).assert(0, &fine, "");
        let server = Server::start(&folder, &[word]);
        let answer = server.client().call("echo", &json!({"text": "hi"}));
        assert_eq!(answer, json!({"text": "hi"}));
    }
    folder.run(["serve", "nothing"]).assert(
        2,
        "",
        "found neither; `toolpact init nothing` writes a first config",
    );
}

/// A document that is served without a config is followed as well.
#[test]
fn changes_of_a_document_are_followed() {
    let folder = folder();
    let server = Server::start(&folder, &["tools.yaml"]);
    fs::write(folder.path("tools.yaml"), TOOLS.replace("echo", "again")).unwrap();
    let client = server.client();
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !client.try_call("again", &json!({})).unwrap().0 {
        assert!(std::time::Instant::now() < patience);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn programs_that_are_not_there_are_told() {
    let config = "sources:
  - files: { paths: [tools.yaml], tools: { echo: { command: [datee] } } }
  - mcp: { name: other, command: [./nosuchprogram] }
";
    let folder = folder().file("toolpact.yaml", config);
    let checked = folder.run(["serve", "--check"]);
    checked.assert(
        1,
        "",
        "error: the tool `echo`: expected the program `datee` in a folder of `PATH`, found none\n",
    );
    checked.assert(
        1,
        "",
        "error: the source `other`: expected a program at `./nosuchprogram`",
    );
    let contract = TOOLS.replace("[cat]", "[nosuchprogram]");
    let folder = Folder::new().file("tools.yaml", contract);
    folder.run(["serve", "--check", "tools.yaml"]).assert(
        1,
        "",
        "expected the program `nosuchprogram`",
    );
}

/// Contracts for tools that another server lacks: the others are served.
#[test]
fn contracts_of_missing_tools_are_told_and_the_rest_is_served() {
    let program = env!("CARGO_BIN_EXE_toolpact");
    let config = format!(
        "sources: [{{ mcp: {{ command: [{program}, serve, tools.yaml, --stdio], contracts: [more.yaml] }} }}]\n"
    );
    let more = TOOLS.replace("name: echo", "name: ecoh");
    let folder = folder()
        .file("toolpact.yaml", config)
        .file("more.yaml", more);
    let missing =
        "there is a contract for `ecoh`, but the server has no such tool; did you mean `echo`?";
    folder
        .run(["serve", "--check"])
        .assert(1, "", &format!("error: {missing}\n"));
    let server = Server::start(&folder, &[]);
    let said = server.said();
    assert!(said.starts_with("1 tool on "), "{said}");
    assert!(
        said.contains(" (1 tool left out: the log says why)\n"),
        "{said}"
    );
    let log = folder.read("stderr.log");
    assert!(log.contains(missing), "{log}");
    server.client().call("echo", &json!({"text": "hi"}));
}

/// A tool that is left out has a place, and is told once.
#[test]
fn tools_that_are_left_out_have_a_place() {
    let folder = folder()
        .file(
            "toolpact.yaml",
            "sources: [{ files: { paths: [tools.yaml], tools: { boom: { command: [date] } } } }]\n",
        )
        .file(
            "tools.yaml",
            format!(
                "{TOOLS}  - name: boom\n    description: 5\n    parameters: {{ type: object }}\n"
            ),
        );
    let checked = folder.run(["serve", "--check"]);
    checked.assert(
        1,
        "",
        "error: tools.yaml:10:18: the tool `boom` is left out: ",
    );
    assert_eq!(checked.stderr.lines().count(), 1, "{checked:?}");
}

#[test]
fn a_port_is_enough() {
    let folder = folder();
    for words in [&["--port", "0"][..], &["-p", "0"], &["--listen", "0"]] {
        let mut command = folder.command(["serve"]);
        command.args(words);
        let server = Server::run(&folder, command);
        assert!(server.address().starts_with("http://127.0.0.1:"));
        // Without a scheme, it is one of HTTP.
        let address = server.address().strip_prefix("http://").unwrap();
        folder
            .run(["tools", "--server", address])
            .assert(0, "echo", "");
    }
    folder.run(["serve", "--listen", ":9002"]).assert(
        2,
        "",
        "`127.0.0.1:9002` for this machine alone, `0.0.0.0:9002` for every network it is in",
    );
    folder.run(["tools", "--server", "nonsense"]).assert(
        2,
        "",
        "expected an address such as `http://127.0.0.1:7878`",
    );
}

#[test]
fn arguments_are_taken_as_json() {
    let tools = TOOLS.replace(
        "properties: { text: { type: string } }",
        "properties: { text: { type: string }, filter: { $ref: '#/$defs/Filter' } }, \
         additionalProperties: false, $defs: { Filter: { type: object, properties: { status: { type: string } } } }",
    );
    let folder = Folder::new().file("tools.yaml", tools);
    let call = |words: &[&str]| {
        folder.run(
            [
                &["call", "echo", "--tools", "tools.yaml", "--view", "json"],
                words,
            ]
            .concat(),
        )
    };
    call(&[r#"{"text": "a=b"}"#]).assert(0, r#"{"text":"a=b"}"#, "");
    call(&["text"]).assert(2, "", "--json takes all arguments as one object");
    call(&["status=paid"]).assert(
        1,
        "",
        r#"hint: `status` is a part of `filter`: write 'filter:={"status": "paid"}'"#,
    );
    call(&["txt=a"]).assert(1, "", "hint: there is no `txt`; did you mean `text`?");
}

/// The three ways in which a program was written before are read, and so is the one that is meant.
#[test]
fn one_shape_for_programs() {
    for command in ["[cat]", "{ run: [cat] }"] {
        let config = format!(
            "sources: [{{ files: {{ paths: [tools.yaml], tools: {{ echo: {{ command: {command} }} }} }} }}]\n"
        );
        let tools = TOOLS.replace("    run: { command: [cat] }\n", "");
        let folder = folder()
            .file("toolpact.yaml", config)
            .file("tools.yaml", tools);
        let server = Server::start(&folder, &[]);
        let answer = server.client().call("echo", &json!({"text": "hi"}));
        assert_eq!(answer, json!({"text": "hi"}), "{command}");
    }
}

#[test]
fn arguments_in_a_command_are_replaced_or_refused() {
    let tools = |command: &str| {
        let tools = TOOLS.replace("[cat]", command);
        tools.replace("returns: { type: object }", "returns: opaque")
    };
    let folder = Folder::new()
        .file("tools.yaml", tools(r#"[printf, "%s|", "{text}", end]"#))
        .file("unsafe.yaml", tools(r#"[sh, -c, "cat {text}"]"#))
        .file("misspelt.yaml", tools(r#"[cat, "{txet}"]"#));
    let call = |text: &str| {
        let text = format!("text={text}");
        folder.run(["call", "echo", "--tools", "tools.yaml", &text])
    };
    call("a b; $(id)").assert(0, "a b; $(id)|end|\n", "");
    call("-x").assert(1, "Expected `text` not to begin with `-`.", "");
    for (file, why) in [
        (
            "unsafe.yaml",
            "expected `{text}` to be an argument of the command of its own",
        ),
        ("misspelt.yaml", "did you mean `{text}`?"),
    ] {
        folder.run(["serve", "--check", file]).assert(1, "", why);
    }
}

#[test]
fn who_is_refused_learns_why() {
    let folder = folder();
    let token = folder.path("token");
    let server = Server::start_with(
        &folder,
        &["--auth-token-env", "TOOLPACT_TEST_TOKEN"],
        &[("TOOLPACT_TEST_TOKEN", token)],
    );
    folder.run(["tools", "--server", server.address()]).assert(
        2,
        "",
        "name the environment variable with it by --auth-token-env",
    );
    let address = server.address().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let request = "GET /v1/health HTTP/1.1\r\nHost: tools.example\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    assert!(answer.contains("--allow-host"), "{answer}");
    let log = folder.read("stderr.log");
    assert!(
        log.contains(r#"host="tools.example""#) && log.contains("--allow-host"),
        "{log}"
    );
}

/// An enum whose values are described is one list.
#[test]
fn an_enum_reads_as_an_enum() {
    let tools = TOOLS.replace(
        "text: { type: string }",
        "text: { oneOf: [{ type: string, enum: [paid, sent] }, { type: string, const: open, description: New. }] }",
    );
    let folder = Folder::new().file("tools.yaml", tools);
    folder
        .run(["tools", "echo", "--tools", "tools.yaml"])
        .assert(0, "text  one of \"paid\", \"sent\", \"open\"\n", "");
}

/// Names that others have are told in one line, and counted in the first.
#[test]
fn names_that_are_taken_are_told_together() {
    let more = TOOLS
        .replace("toolpact: 1\ntools:\n", "")
        .replace("echo", "more");
    let config =
        "sources: [{ files: { paths: [tools.yaml] } }, { files: { paths: [./tools.yaml] } }]\n";
    let folder = Folder::new()
        .file("tools.yaml", format!("{TOOLS}{more}"))
        .file("toolpact.yaml", config);
    let server = Server::start(&folder, &[]);
    let said = server.said();
    assert!(said.starts_with("2 tools on "), "{said}");
    assert!(
        said.contains(" (2 tools left out: the log says why)\n"),
        "{said}"
    );
    let log = folder.read("stderr.log");
    assert_eq!(
        log.lines().filter(|line| line.contains("WARN")).count(),
        1,
        "{log}"
    );
    assert!(log.contains(r#"names="echo, more""#), "{log}");
}

/// Where another server is not, and where it is not MCP.
#[test]
fn an_mcp_server_that_is_not_there_is_told_once() {
    let other = Folder::new().file("tools.yaml", TOOLS);
    let other = Server::start(&other, &["tools.yaml"]);
    let address = other.address();
    for (url, why) in [
        (
            "http://127.0.0.1:1/mcp",
            "the server at 127.0.0.1:1 refused the connection: no server is there",
        ),
        (address, "the address of an MCP server often ends in `/mcp`"),
    ] {
        let folder = Folder::new().file(
            "toolpact.yaml",
            format!("sources: [{{ mcp: {{ url: '{url}' }} }}]\n"),
        );
        let server = Server::start(&folder, &[]);
        assert!(
            server.said().contains("(1 source does not start: mcp)"),
            "{}",
            server.said()
        );
        drop(server);
        let log = folder.read("stderr.log");
        let told: Vec<&str> = log.lines().filter(|line| line.contains(why)).collect();
        assert!(told.len() <= 2 && !told.is_empty(), "{log}");
        assert!(
            log.lines().all(|line| !line.contains("toolpact::mcp")),
            "{log}"
        );
    }
}
