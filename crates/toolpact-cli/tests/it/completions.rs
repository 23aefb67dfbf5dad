use std::process::Command;

use crate::run::{Folder, cleaned, run_with_stdin};

#[test]
fn every_shell_has_a_script() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = folder.run(["completions", shell]);
        ran.assert(0, "validate", "");
        assert_eq!(ran.stderr, "", "{shell}");
    }
}

#[test]
fn bash_understands_its_script() {
    let script = Folder::new().run(["completions", "bash"]).stdout;
    let mut bash = cleaned(Command::new("bash"));
    bash.args(["--norc", "-n"]);
    let ran = run_with_stdin(bash, script.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

/// The script is loaded and asked what may follow `toolpact ex`.
#[test]
fn bash_completes_a_command() {
    let script = Folder::new().run(["completions", "bash"]).stdout;
    let question = "COMP_WORDS=(toolpact ex) COMP_CWORD=1; _toolpact toolpact ex toolpact\n\
                    printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    let mut bash = cleaned(Command::new("bash"));
    bash.args(["--norc", "-s"]);
    let ran = run_with_stdin(bash, format!("{script}\n{question}").as_bytes());
    assert_eq!(ran.stdout, "explain\n", "{}", ran.stderr);
}
