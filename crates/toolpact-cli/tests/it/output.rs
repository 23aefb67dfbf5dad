//! Where the output goes, and in what colours.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::run::{BAD, Folder, Ran, command, run};

/// Commands that print something, and the status they end with.
const COMMANDS: &[(i32, &[&str])] = &[
    (1, &["check", "bad.json"]),
    (0, &["check", "good.json"]),
    (1, &["check", "--format", "json", "bad.json"]),
    (1, &["check", "--format", "sarif", "bad.json"]),
    (1, &["check", "--format", "github", "bad.json"]),
    (
        1,
        &["validate", "--tools", "good.json", "--calls", "calls.jsonl"],
    ),
    (
        1,
        &["validate", "--tools", "bad.json", "--calls", "calls.jsonl"],
    ),
    (0, &["explain"]),
    (0, &["explain", "null-field"]),
    (0, &["explain", "--markdown"]),
    (0, &["digest", "good.json"]),
    (0, &["digest", "--canonical", "good.json"]),
    (0, &["schema", "tool"]),
    (0, &["completions", "bash"]),
];

fn folder() -> Folder {
    Folder::with_good_tool()
        .file("bad.json", BAD)
        .file("calls.jsonl", "{\"name\": \"get_time\", \"args\": {}}\n")
}

#[test]
fn nobody_reads_standard_output() {
    let folder = folder();
    for (status, arguments) in COMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(*arguments);
        let ran = Ran::of(command.stdout(writer).output().unwrap());
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (*status, ""),
            "{arguments:?}"
        );
    }
}

/// As in `toolpact check … | head -1`, with more output than a pipe holds.
#[test]
fn the_reader_goes_away_halfway() {
    let mistakes = vec![BAD; 900].join(",\n");
    let folder = Folder::new().file("list.json", format!("[{mistakes}]"));
    let mut command = folder.command(["check", "--as", "schema", "list.json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert!(line.starts_with("error[schema-type-unknown]"), "{line}");
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn the_disk_is_full() {
    let folder = folder();
    for (_, arguments) in COMMANDS {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = folder.command(*arguments);
        let ran = Ran::of(command.stdout(full).output().unwrap());
        let complaint =
            "error: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (2, complaint),
            "{arguments:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_can_be_told() {
    let folder = folder();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = folder.command(["check", "missing.json"]);
    let ran = Ran::of(command.stderr(full).output().unwrap());
    ran.assert(2, "0 documents checked; 1 could not be read\n", "");
}

#[cfg(target_os = "linux")]
#[test]
fn the_report_does_not_fit() {
    let folder = folder();
    let ran = folder.run([
        "validate",
        "--tools",
        "good.json",
        "--calls",
        "calls.jsonl",
        "--report",
        "/dev/full",
    ]);
    ran.assert(
        2,
        "error[value-missing-key]",
        "error: cannot write /dev/full: No space left",
    );
}

#[test]
fn colours() {
    let folder = folder();
    let commands: [&[&str]; 5] = [
        &["check", "bad.json"],
        &["check", "good.json"],
        &["validate", "--tools", "good.json", "--calls", "calls.jsonl"],
        &["explain"],
        &["explain", "null-field"],
    ];
    for arguments in commands {
        let coloured = |extra: &[&str], variable: Option<&str>| {
            let mut command = folder.command([arguments, extra].concat());
            command.envs(variable.map(|name| (name, "1")));
            Ran::of(command.output().unwrap()).stdout.contains('\u{1b}')
        };
        assert!(!coloured(&[], None), "{arguments:?} is not on a terminal");
        assert!(coloured(&["--color", "always"], None), "{arguments:?}");
        assert!(!coloured(&["--color", "never"], None), "{arguments:?}");
        assert!(!coloured(&[], Some("NO_COLOR")), "{arguments:?}");
        assert!(coloured(&[], Some("CLICOLOR_FORCE")), "{arguments:?}");
        // What is said on the command line goes before what the environment says.
        assert!(
            coloured(&["--color", "always"], Some("NO_COLOR")),
            "{arguments:?}"
        );
        assert!(
            !coloured(&["--color", "never"], Some("CLICOLOR_FORCE")),
            "{arguments:?}"
        );
    }
}

/// Where a continuous integration runs it, colours are taken to be supported.
#[test]
fn what_is_wrong_with_the_arguments_is_said_in_the_colours_that_they_ask_for() {
    let says = |arguments: &[&str]| {
        let mut command = command();
        command.args(arguments).env("CI", "true");
        let ran = run(command);
        assert_eq!(ran.status, 2, "{ran:#?}");
        ran.stderr
    };
    for arguments in [
        &["--color", "never", "nonsense"][..],
        &["--color=never", "check", "--nonsense"],
        &["check", "--nonsense", "--color", "never"],
        &["serve", "--port", "x", "--color=never"],
    ] {
        let said = says(arguments);
        assert!(!said.contains('\u{1b}'), "{arguments:?} {said:?}");
    }
    let said = says(&["--color", "always", "nonsense"]);
    assert!(said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn formats_for_programs_have_no_colours() {
    let folder = folder();
    for format in ["json", "sarif", "github"] {
        let ran = folder.run(["check", "--color", "always", "--format", format, "bad.json"]);
        assert!(!ran.stdout.contains('\u{1b}'), "{format}");
    }
    let ran = folder.run(["check", "--color", "always", "missing.json"]);
    ran.assert(2, "", "\u{1b}[31merror:");
}

/// Keys come from whoever wrote the document, and a terminal obeys what it is shown.
#[test]
fn keys_do_not_reach_the_terminal_as_commands() {
    let key = r#"{"name": "get_time", "args": {"place": "x", "\u001b[2J": 1}}"#;
    let folder = Folder::with_good_tool().file("calls.jsonl", key).file(
        "key.json",
        r#"{"type": "OBJECT", "properties": {"\u001b[2J": {"type": "STRNG"}}}"#,
    );
    for arguments in [
        &["check", "--color", "always", "key.json"][..],
        &[
            "validate",
            "--color",
            "always",
            "--tools",
            "good.json",
            "--calls",
            "calls.jsonl",
        ],
    ] {
        let ran = folder.run(arguments);
        assert!(ran.stdout.contains("\u{fffd}[2J"), "{ran:#?}");
        assert!(!ran.stdout.contains("\u{1b}[2J"), "{ran:#?}");
    }
}
