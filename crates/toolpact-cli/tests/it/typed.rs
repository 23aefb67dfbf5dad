//! What people type, and what they are told if that is not it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use crate::first_steps::{TOOLS, folder};
use crate::run::Folder;
use crate::serve::Server;

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
    call(&["filter.status=paid"]).assert(
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

/// `env` names what a program may see, wherever a program is named.
#[test]
fn the_environment_of_an_mcp_server_is_named_as_that_of_a_tool() {
    let tools = TOOLS
        .replace("returns: { type: object }", "returns: opaque")
        .replace("[cat]", "[sh, -c, 'echo $SEEN'], env: [SEEN]");
    let program = env!("CARGO_BIN_EXE_toolpact");
    for (env, expected) in [
        ("[SEEN]", "/here\n"),
        ("{ SEEN: 'at ${env:SEEN}' }", "at /here\n"),
        ("[OTHER]", "\n"),
    ] {
        let config = format!(
            "sources: [{{ mcp: {{ command: [{program}, serve, tools.yaml, --stdio], env: {env} }} }}]\n"
        );
        let folder = Folder::new()
            .file("tools.yaml", &tools)
            .file("toolpact.yaml", config);
        let server = Server::start_with(&folder, &[], &[("SEEN", "/here".into())]);
        folder
            .run(["call", "echo", "--server", server.address()])
            .assert(0, expected, "");
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
    let expected =
        "error: the tool `echo` is in two sources, of which one is served; give a source a `name`";
    folder.run(["serve", "--check"]).assert(1, "", expected);
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
        // It is tried again after half a second.
        std::thread::sleep(std::time::Duration::from_secs(1));
        drop(server);
        let log = folder.read("stderr.log");
        let told: Vec<&str> = log.lines().filter(|line| line.contains(why)).collect();
        assert_eq!(told.len(), 1, "{log}");
        assert!(!log.contains(r"\n"), "{log}");
        assert!(
            log.lines().all(|line| !line.contains("toolpact::mcp")),
            "{log}"
        );
    }
}

/// YAML has a port alone as a number.
#[test]
fn a_port_may_be_a_number() {
    for (listen, status, said) in [
        ("9000", 0, ""),
        ("'9000'", 0, ""),
        (
            "90000",
            1,
            "at /listen: expected at most 65535, found the number 90000",
        ),
        ("[9000]", 1, "at /listen: "),
    ] {
        let config = format!("listen: {listen}\nsources: []\n");
        let folder = Folder::new().file("toolpact.yaml", config);
        folder.run(["serve", "--check"]).assert(status, "", said);
    }
}

/// Shops of two configs that name no `data` are two shops.
#[test]
fn configs_do_not_share_their_data() {
    let config = "sources:\n  - shop: { orders: 50 }\n";
    let folder = Folder::new()
        .file("one/toolpact.yaml", config)
        .file("two/toolpact.yaml", config);
    let first = Server::start(&folder, &["one"]);
    assert!(first.said().starts_with("23 tools on "), "{}", first.said());
    let second = Server::start(&folder, &["two/toolpact.yaml"]);
    assert!(
        second.said().starts_with("23 tools on "),
        "{}",
        second.said()
    );
    let kept = std::fs::read_dir(folder.path("toolpact")).unwrap();
    let mut kept: Vec<String> = kept
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    let names: Vec<&str> = kept.iter().map(|name| &name[..4]).collect();
    assert_eq!(names, ["one-", "two-"], "{kept:?}");
}
