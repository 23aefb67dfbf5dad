//! Finds and reads the files that the command line names.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use toolpact_core::document::parts;
use toolpact_core::json::{Document, Format, Limits};

use crate::output::complain;
use crate::status::Status;

/// A text to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// `None` for standard input.
    pub(crate) path: Option<PathBuf>,
    /// Whether it was found in a directory or by a pattern rather than named: then it may be
    /// skipped if it is not a toolpact document.
    pub(crate) found: bool,
}

impl Source {
    /// The name for messages.
    pub(crate) fn name(&self) -> String {
        self.path
            .as_ref()
            .map_or_else(|| "<stdin>".to_owned(), |path| path.display().to_string())
    }

    pub(crate) fn read(&self) -> anyhow::Result<Vec<u8>> {
        let bytes = match &self.path {
            Some(path) => fs::read(path),
            None => {
                let mut bytes = Vec::new();
                std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
            }
        };
        bytes.with_context(|| format!("cannot read {}", self.name()))
    }

    pub(crate) fn parse(&self, bytes: &[u8], limits: &Limits) -> Document {
        Document::parse(bytes, self.format(bytes), limits)
    }

    /// By the file extension. Standard input is YAML if it does not begin like JSON.
    fn format(&self, bytes: &[u8]) -> Format {
        let yaml = match &self.path {
            Some(path) => has_ending(path, &["yaml", "yml"]),
            None => {
                let first = bytes.iter().find(|b| !b.is_ascii_whitespace());
                first.is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'#' | b'-' | b'%'))
            }
        };
        if yaml { Format::Yaml } else { Format::Json }
    }
}

/// The files that were found, and the errors.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) list: Vec<Source>,
    pub(crate) problems: Vec<anyhow::Error>,
}

/// Files, directories, patterns and `-`, each file once, in the order of the words.
pub(crate) fn find(words: &[PathBuf]) -> Sources {
    let mut sources = Sources::default();
    for word in words {
        if let Err(problem) = sources.add(word) {
            sources.problems.push(problem);
        }
    }
    let mut seen = HashSet::new();
    sources
        .list
        .retain(|source| seen.insert(source.path.clone()));
    sources
}

impl Sources {
    /// Processes each source, reports failures, and continues with the next.
    pub(crate) fn for_each(
        &self,
        mut look: impl FnMut(&Source) -> anyhow::Result<Status>,
    ) -> Status {
        let mut status = Status::Fine;
        let mut note = |result: anyhow::Result<Status>| match result {
            Ok(found) => status = status.max(found),
            Err(problem) => {
                complain(&problem);
                status = Status::CouldNotRun;
            }
        };
        self.problems.iter().for_each(complain);
        if !self.problems.is_empty() {
            note(Ok(Status::CouldNotRun));
        }
        self.list.iter().for_each(|source| note(look(source)));
        status
    }

    fn add(&mut self, word: &Path) -> anyhow::Result<()> {
        if word.as_os_str() == "-" {
            self.list.push(Source {
                path: None,
                found: false,
            });
            return Ok(());
        }
        if word.is_dir() {
            self.add_directory(word);
            return Ok(());
        }
        let pattern = word.to_str().filter(|text| text.contains(['*', '?', '[']));
        match pattern {
            Some(pattern) if !word.exists() => self.add_matches(pattern),
            _ => {
                self.list.push(Source {
                    path: Some(word.to_owned()),
                    found: false,
                });
                Ok(())
            }
        }
    }

    fn add_matches(&mut self, pattern: &str) -> anyhow::Result<()> {
        let paths = glob::glob(pattern).with_context(|| format!("not a pattern: {pattern}"))?;
        let before = self.list.len();
        for path in paths {
            match path {
                Ok(path) if path.is_dir() => {}
                Ok(path) => self.list.push(Source {
                    path: Some(path),
                    found: true,
                }),
                Err(error) => {
                    let problem = format!("cannot read {}", error.path().display());
                    let error = std::io::Error::from(error);
                    self.problems
                        .push(anyhow::Error::from(error).context(problem));
                }
            }
        }
        anyhow::ensure!(self.list.len() > before, "no file matches {pattern}");
        Ok(())
    }

    /// Every JSON and YAML file below a directory, sorted. Hidden directories and those of build
    /// tools are skipped, and links to directories are not followed.
    fn add_directory(&mut self, root: &Path) {
        let mut directories = vec![root.to_owned()];
        while let Some(directory) = directories.pop() {
            let mut below = Vec::new();
            match entries(&directory) {
                Ok(entries) => {
                    for (path, is_directory) in entries {
                        if is_directory && !is_passed_over(&path) {
                            below.push(path);
                        } else if !is_directory && has_ending(&path, &["json", "yaml", "yml"]) {
                            self.list.push(Source {
                                path: Some(path),
                                found: true,
                            });
                        }
                    }
                }
                Err(problem) => self.problems.push(problem),
            }
            directories.extend(below.into_iter().rev());
        }
    }
}

/// Whether a text is readable, but not a toolpact document, nor a list of them.
pub(crate) fn is_none_of_ours(document: &Document) -> bool {
    let root = document.root();
    root.is_some_and(|root| parts(root).iter().all(|(_, found)| found.is_none()))
}

fn entries(directory: &Path) -> anyhow::Result<Vec<(PathBuf, bool)>> {
    let cannot_read = || format!("cannot read the directory {}", directory.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory).with_context(cannot_read)? {
        let entry = entry.with_context(cannot_read)?;
        let is_directory = entry.file_type().with_context(cannot_read)?.is_dir();
        entries.push((entry.path(), is_directory));
    }
    entries.sort();
    Ok(entries)
}

fn is_passed_over(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name == "node_modules" || name == "target"
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    endings
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}
