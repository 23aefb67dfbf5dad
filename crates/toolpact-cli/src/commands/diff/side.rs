//! One side of a diff: where its tools come from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use toolpact_core::Pointer;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Import, ImportedTool};
use toolpact_core::document::DocumentKind;
use toolpact_core::json::{Document, Format, Limits};
use toolpact_core::violation::{Location, Token};
use toolpact_serve::config::Trust;

use crate::backend::Target;
use crate::files::Source;
use crate::output::{Output, complain};
use crate::status::Status;
use crate::{report, tools};

/// Tools, and where they are from.
pub(super) struct Side {
    /// As it was given.
    pub(super) name: String,
    pub(super) contracts: Vec<Contract>,
    pub(super) status: Status,
    /// Where the tools are written, by name, if they are from files.
    written: HashMap<String, Written>,
    /// The files, by name.
    documents: HashMap<String, Document>,
}

/// Where a tool is written.
struct Written {
    file: String,
    place: Pointer,
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
            Some(("config", file)) => Some(unlocked(Target::config(Path::new(file))?)),
            _ => None,
        };
        match target {
            Some(target) => of_target(word, target),
            None => of_files(word, from, limits),
        }
    }

    /// Reads the files once more, for places in them. What is gone since has none.
    pub(super) fn read_files(&mut self, limits: &Limits) {
        for Written { file, .. } in self.written.values() {
            if self.documents.contains_key(file) {
                continue;
            }
            let source = Source {
                path: Some(file.into()),
                found: false,
            };
            if let Ok(bytes) = source.read() {
                let document = source.parse(&bytes, limits);
                self.documents.insert(file.clone(), document);
            }
        }
    }

    /// Where a part of a tool is written, or nearly: dialects have other names for some parts.
    pub(super) fn place(&self, tool: &str, part: Option<&Pointer>) -> Option<(&str, Location)> {
        let Written { file, place } = self.written.get(tool)?;
        let tokens = part.into_iter().flat_map(Pointer::tokens);
        let place = tokens.fold(place.clone(), |place, token| match token {
            Token::Key(key) => place.key(key),
            Token::Index(index) => place.index(*index),
        });
        let location = self.documents.get(file)?.locate(&place)?;
        Some((file.as_str(), location))
    }
}

/// All tools, whatever a lock says of them: what differs from it is what one wants to see.
fn unlocked(mut target: Target) -> Target {
    if let Target::Config { config, .. } = &mut target {
        config.trust_all = Some(Trust::Any);
    }
    target
}

fn of_files(word: &str, from: Option<DocumentKind>, limits: &Limits) -> anyhow::Result<Side> {
    let path = PathBuf::from(word);
    ensure!(
        word == "-" || path.exists() || word.contains(['*', '?', '[']),
        "there is no file or folder {word}; a server is named by its URL, a file in git by git:REV:PATH"
    );
    let loaded = tools::load(&[path], from, limits);
    let mut side = Side::empty(word);
    side.status = loaded.status;
    for tool in loaded.list {
        let name = tool.contract.name().as_str();
        let file = loaded.files.get(name).cloned().unwrap_or_default();
        side.add(tool, file);
    }
    Ok(side)
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
        contracts,
        status,
        ..Side::empty(word)
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
    let mut side = Side::empty(word);
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
    fn empty(word: &str) -> Self {
        Self {
            name: word.to_owned(),
            contracts: Vec::new(),
            status: Status::Fine,
            written: HashMap::new(),
            documents: HashMap::new(),
        }
    }

    fn add(&mut self, tool: ImportedTool, file: String) {
        let place = tool.place;
        let written = Written { file, place };
        self.written
            .insert(tool.contract.name().to_string(), written);
        self.contracts.push(tool.contract);
    }

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
                    // What shows the change knows the files of the working directory.
                    self.add(tool.clone(), path.to_owned());
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
        self.documents.insert(path.to_owned(), document);
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
