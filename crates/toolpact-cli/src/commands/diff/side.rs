//! One side of a diff: where its tools come from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::Import;
use toolpact_core::document::DocumentKind;
use toolpact_core::json::{Document, Format, Limits};

use crate::backend::Target;
use crate::output::{Output, complain};
use crate::status::Status;
use crate::{report, tools};

/// Tools, and where they are from.
pub(super) struct Side {
    /// As it was given.
    pub(super) name: String,
    pub(super) contracts: Vec<Contract>,
    /// The files of the tools by name, where they are from files.
    pub(super) files: HashMap<String, String>,
    pub(super) status: Status,
}

impl Side {
    pub(super) fn read(
        word: &str,
        from: Option<DocumentKind>,
        token: Option<&str>,
        limits: &Limits,
    ) -> anyhow::Result<Self> {
        if let Some(rest) = word.strip_prefix("git:") {
            return of_git(word, rest, from, limits);
        }
        let target = match word.split_once(':') {
            Some(("http" | "https", _)) => Some(Target::at(word, token)?),
            Some(("command", program)) => Some(Target::Program(program.to_owned())),
            Some(("config", file)) => Some(Target::config(Path::new(file))?),
            _ => None,
        };
        match target {
            Some(target) => of_target(word, target),
            None => of_files(word, from, limits),
        }
    }

    /// The file of a tool, or the side itself.
    pub(super) fn place(&self, tool: &str) -> &str {
        self.files.get(tool).unwrap_or(&self.name)
    }
}

fn of_files(word: &str, from: Option<DocumentKind>, limits: &Limits) -> anyhow::Result<Side> {
    let path = PathBuf::from(word);
    ensure!(
        word == "-" || path.exists() || word.contains(['*', '?', '[']),
        "there is no file or folder {word}; a server is named by its URL, a file in git by git:REV:PATH"
    );
    let loaded = tools::load(&[path], from, limits);
    let contracts = loaded.list.into_iter().map(|tool| tool.contract);
    Ok(Side {
        name: word.to_owned(),
        contracts: contracts.collect(),
        files: loaded.files,
        status: loaded.status,
    })
}

fn of_target(word: &str, target: Target) -> anyhow::Result<Side> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (contracts, status) = runtime.block_on(async {
        let backend = target.connect().await?;
        let contracts = backend.contracts().await?;
        anyhow::Ok((contracts, backend.status()))
    })?;
    Ok(Side {
        name: word.to_owned(),
        contracts,
        files: HashMap::new(),
        status,
    })
}

/// A file or a folder as git has it.
fn of_git(
    word: &str,
    rest: &str,
    from: Option<DocumentKind>,
    limits: &Limits,
) -> anyhow::Result<Side> {
    let Some((revision, path)) = rest.split_once(':') else {
        bail!("expected git:REV:PATH, found {word}; for example git:main:tools.yaml");
    };
    ensure!(
        !revision.starts_with('-'),
        "expected a revision after git:, found {revision}"
    );
    let mut side = Side {
        name: word.to_owned(),
        contracts: Vec::new(),
        files: HashMap::new(),
        status: Status::Fine,
    };
    let paths = listed(revision, path)?;
    let is_folder = paths.len() != 1
        || paths
            .first()
            .is_some_and(|one| !path.ends_with(one.as_str()));
    for one in paths {
        side.add_from_git(revision, &one, is_folder, from, limits)?;
    }
    if side.contracts.is_empty() && side.status == Status::Fine {
        complain(&anyhow::anyhow!("there are no tools in {word}"));
        side.status = Status::Wrong;
    }
    Ok(side)
}

impl Side {
    fn add_from_git(
        &mut self,
        revision: &str,
        path: &str,
        is_found: bool,
        from: Option<DocumentKind>,
        limits: &Limits,
    ) -> anyhow::Result<()> {
        let name = format!("git:{revision}:{path}");
        let bytes = git(&["show", &format!("{revision}:./{path}")])?;
        let extension = Path::new(path).extension();
        let is_yaml = extension.is_some_and(|one| one == "yaml" || one == "yml");
        let format = if is_yaml { Format::Yaml } else { Format::Json };
        let document = Document::parse(&bytes, format, limits);
        if is_found && from.is_none() && !tools::has_tools(&document) {
            return Ok(());
        }
        match Import::read(&document, from) {
            Ok(import) => {
                for tool in import.tools() {
                    let contract = tool.contract.clone();
                    self.files.insert(contract.name().to_string(), name.clone());
                    self.contracts.push(contract);
                }
                for bad in import.left_out() {
                    let reason = bad.violations.to_string();
                    tools::say_left_out(
                        &format!("{} ({name})", bad.name),
                        &reason,
                        &mut Output::stderr(),
                    )?;
                    self.status = Status::Wrong;
                }
            }
            Err(violations) => {
                report::explain(&name, &document, &violations, &mut Output::stderr())?;
                self.status = Status::Wrong;
            }
        }
        Ok(())
    }
}

/// The files of a path, relative to the working directory: itself, or those below it.
fn listed(revision: &str, path: &str) -> anyhow::Result<Vec<String>> {
    let bytes = git(&["ls-tree", "-r", "-z", "--name-only", revision, "--", path])?;
    let text = String::from_utf8_lossy(&bytes);
    let paths = text.split('\0').filter(|one| !one.is_empty());
    let is_document = |one: &&str| {
        *one == path
            || [".json", ".yaml", ".yml"]
                .iter()
                .any(|ending| one.ends_with(ending))
    };
    let paths: Vec<String> = paths.filter(is_document).map(str::to_owned).collect();
    ensure!(
        !paths.is_empty(),
        "there is nothing at {path} in {revision}"
    );
    Ok(paths)
}

fn git(arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let output = Command::new("git").args(arguments).output();
    let output = output.context("cannot run git")?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("git {}: {}", arguments.join(" "), why.trim());
    }
    Ok(output.stdout)
}
