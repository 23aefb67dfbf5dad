//! Checkers of types, asked what they say of a file.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages of all checkers, or those that are installed.
#[derive(Debug)]
pub struct Checkers {
    /// `type-checkers`.
    pub python: Option<PathBuf>,
    /// `type-checkers-node`.
    pub node: Option<PathBuf>,
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checker {
    /// `mypy --strict`.
    Mypy,
    /// What runs in the sandbox, too.
    Ty,
    /// What most editors ask.
    Pyright,
    /// `tsc --strict`.
    Tsc,
}

impl Checkers {
    /// Those that are installed. Says which tests are left out.
    #[must_use]
    pub fn find() -> Self {
        Self {
            python: crate::suite("type-checkers").or_leave_out(),
            node: crate::suite("type-checkers-node").or_leave_out(),
        }
    }

    /// Those of Python.
    pub fn of_python(&self) -> impl Iterator<Item = (Checker, &Path)> {
        let python = self.python.iter().flat_map(|package| {
            let all = [Checker::Mypy, Checker::Ty];
            all.map(|checker| (checker, package.as_path()))
        });
        let node = self.node.iter();
        python.chain(node.map(|package| (Checker::Pyright, package.as_path())))
    }

    /// Those of TypeScript.
    pub fn of_typescript(&self) -> impl Iterator<Item = (Checker, &Path)> {
        let node = self.node.iter();
        node.map(|package| (Checker::Tsc, package.as_path()))
    }
}

impl Checker {
    /// What the checker says of a file, if it does not accept it.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    #[expect(clippy::panic, reason = "this is how a test fails")]
    pub fn refuses(self, package: &Path, file: &Path) -> Option<String> {
        let mut command = self.command(package);
        let folder = file.parent().unwrap_or(file);
        match command.current_dir(folder).arg(file).output() {
            Err(why) => panic!("no verdict of {self:?}: {why}"),
            Ok(output) if output.status.success() => None,
            Ok(output) => {
                let [out, err] = [output.stdout, output.stderr]
                    .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                Some(out + &err)
            }
        }
    }

    fn command(self, package: &Path) -> Command {
        let node = |script: &str| {
            let mut node = Command::new("node");
            node.arg(package.join("node_modules").join(script));
            node
        };
        let (mut command, arguments): (Command, &[&str]) = match self {
            Checker::Mypy => {
                let mut python = Command::new("python3");
                python.env("PYTHONPATH", package);
                // Nothing is kept from one run for the next.
                let arguments: &[&str] = &["-m", "mypy", "--strict", "--cache-dir=/dev/null"];
                (python, arguments)
            }
            Checker::Ty => (
                Command::new(package.join("bin/ty")),
                &["check", "--output-format=concise"],
            ),
            Checker::Pyright => (node("pyright/index.js"), &[]),
            Checker::Tsc => (
                node("typescript/bin/tsc"),
                &["--strict", "--noEmit", "--target", "es2022"],
            ),
        };
        command.args(arguments);
        match self {
            Checker::Mypy | Checker::Ty => command.arg("--python-version=3.12"),
            Checker::Pyright => command.arg("--pythonversion=3.12"),
            Checker::Tsc => &mut command,
        };
        command
    }
}
