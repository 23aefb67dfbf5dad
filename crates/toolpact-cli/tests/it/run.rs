//! Runs the program.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program, in surroundings that are the same wherever the tests run.
pub(crate) fn command() -> Command {
    cleaned(Command::new(env!("CARGO_BIN_EXE_toolpact")))
}

pub(crate) fn cleaned(mut command: Command) -> Command {
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

/// How the program ended and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Whatever it was given, the program must have ended on its own terms.
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        assert!(!stderr.contains("panicked"), "it panicked: {stderr}");
        let status = output.status.code();
        assert!(status.is_some(), "{}: {stderr}", output.status);
        Self {
            status: status.unwrap(),
            stdout,
            stderr,
        }
    }

    #[track_caller]
    pub(crate) fn assert(&self, status: i32, stdout: &str, stderr: &str) {
        assert_eq!(self.status, status, "{self:#?}");
        assert!(self.stdout.contains(stdout), "no {stdout:?} in {self:#?}");
        assert!(self.stderr.contains(stderr), "no {stderr:?} in {self:#?}");
    }
}

pub(crate) fn run(mut command: Command) -> Ran {
    Ran::of(command.output().unwrap())
}

pub(crate) fn run_with_stdin(mut command: Command, stdin: &[u8]) -> Ran {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may have gone before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    Ran::of(child.wait_with_output().unwrap())
}

/// A directory with files of its own, in which the program runs.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// With a tool that has nothing wrong with it.
    pub(crate) fn with_good_tool() -> Self {
        Self::new().file("good.json", GOOD)
    }

    #[must_use]
    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn command<T: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = T>,
    ) -> Command {
        let mut command = command();
        command.current_dir(self.0.path());
        // Data that nobody named a place for is the test's own.
        command.env("XDG_DATA_HOME", self.0.path());
        command.args(arguments);
        command
    }

    pub(crate) fn run<T: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = T>) -> Ran {
        run(self.command(arguments))
    }

    pub(crate) fn run_with<T: AsRef<OsStr>>(
        &self,
        stdin: impl AsRef<[u8]>,
        arguments: impl IntoIterator<Item = T>,
    ) -> Ran {
        run_with_stdin(self.command(arguments), stdin.as_ref())
    }
}

pub(crate) const GOOD: &str = r#"{
  "name": "get_time",
  "description": "Returns the time in a place.",
  "parameters": {
    "type": "OBJECT",
    "properties": { "place": { "type": "STRING" }, "hour": { "type": "INTEGER" } },
    "required": ["place"]
  }
}
"#;

/// One error.
pub(crate) const BAD: &str = r#"{"type": "STRNG"}"#;
