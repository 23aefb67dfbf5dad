//! What tools say, on its way to programs and to people.

use crate::run::Folder;

/// A tool that would clear the screen.
const RUDE: &str = "
toolpact: 1
tools:
  - name: rude
    description: Clears the screen.
    parameters: { type: object }
    returns: StringValue
    run: { command: [cat, rude.json] }
";

fn folder() -> Folder {
    Folder::new()
        .file("tools.yaml", RUDE)
        .file("rude.json", r#""\u001b[2Ja\tb\u0007\nc""#)
}

#[test]
fn programs_get_it_as_it_is() {
    let ran = folder().run(["call", "rude", "--tools", "tools.yaml"]);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (0, "\u{1b}[2Ja\tb\u{7}\nc\n"),
        "{ran:#?}"
    );
}

/// `script` of Linux makes a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_nothing_that_it_would_obey() {
    use std::process::Command;

    use crate::run::{cleaned, run};

    if Command::new("script").arg("--version").output().is_err() {
        return;
    }
    let folder = folder();
    let line = format!(
        "'{}' call rude --tools tools.yaml",
        env!("CARGO_BIN_EXE_toolpact")
    );
    let mut command = cleaned(Command::new("script"));
    command.args(["-qec", &line, "/dev/null"]);
    command.current_dir(folder.path(".")).env("TERM", "xterm");
    let ran = run(command);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (0, "\u{fffd}[2Ja\tb\u{fffd}\r\nc\r\n"),
        "{ran:#?}"
    );
}
