//! What a name on the command line or a folder has to serve: a config, documents with tools, or the shop.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::bail;
use toolpact_core::json::Limits;
use toolpact_serve::Config;
use toolpact_serve::config::in_folder;

use crate::files::{Source, find};
use crate::output::{count, printable};
use crate::tools::has_tools;

/// Where what is served comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Config(PathBuf),
    Tools(Documents),
    Shop,
}

/// Documents with tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Documents {
    paths: Vec<PathBuf>,
    /// What they were named by.
    word: PathBuf,
    /// The config beside a document that was named, which is not used.
    config: Option<PathBuf>,
}

impl Origin {
    /// What a word names: a config, a document with tools, or a folder with either. Without one, the
    /// config of the working directory is meant, and where there is none, the shop.
    pub(crate) fn find(word: Option<&Path>) -> anyhow::Result<Self> {
        let Some(word) = word else {
            let config = in_folder(Path::new("."))?;
            return Ok(config.map_or(Origin::Shop, Origin::Config));
        };
        if !word.is_dir() {
            let source = Source {
                path: Some(word.to_owned()),
                found: false,
            };
            return Ok(match is_with_tools(&source) {
                true => Origin::Tools(Documents {
                    paths: vec![word.to_owned()],
                    word: word.to_owned(),
                    config: word.parent().and_then(|folder| in_folder(folder).ok()?),
                }),
                false => Origin::Config(word.to_owned()),
            });
        }
        if let Some(config) = in_folder(word)? {
            return Ok(Origin::Config(config));
        }
        let found = find(&[word.to_owned()]).list.into_iter();
        let paths = found.filter(is_with_tools).filter_map(|source| source.path);
        let paths: Vec<PathBuf> = paths.collect();
        if paths.is_empty() {
            let folder = printable(&word.display().to_string());
            bail!(
                "expected a `toolpact.yaml` or documents with tools in {folder}, found neither; \
                 `toolpact init {folder}` writes a first config"
            );
        }
        Ok(Origin::Tools(Documents {
            paths,
            word: word.to_owned(),
            config: None,
        }))
    }

    /// The config, as it is without flags.
    pub(crate) fn config(&self) -> Result<Config, toolpact_serve::ConfigError> {
        match self {
            Origin::Config(path) => Config::from_file(path),
            Origin::Tools(documents) => {
                let config = Config::of_tools(documents.paths.iter().cloned());
                Ok(config.with_lock_beside(documents.folder()))
            }
            Origin::Shop => {
                let here = Path::new("");
                Ok(Config::shop().with_data_beside(here).with_lock_beside(here))
            }
        }
    }

    /// The config that is followed while the server runs.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        match self {
            Origin::Config(path) => Some(path.clone()),
            Origin::Tools(_) | Origin::Shop => None,
        }
    }
}

impl Documents {
    /// That they are in.
    fn folder(&self) -> &Path {
        match self.word.is_dir() {
            true => &self.word,
            false => self.word.parent().unwrap_or(Path::new("")),
        }
    }
}

/// For people: `toolpact.yaml`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Config(path) => write!(f, "the config {}", path.display()),
            Origin::Tools(Documents {
                paths,
                word,
                config,
            }) => {
                let documents = count(paths.len(), "document");
                write!(f, "the tools of {}, {documents}", word.display())?;
                match config {
                    Some(config) => write!(f, "; not the config {}", config.display()),
                    None => Ok(()),
                }
            }
            Origin::Shop => f.write_str("the shop, since there is no toolpact.yaml here"),
        }
    }
}

/// What cannot be read is left to who reads it, and reports it.
fn is_with_tools(source: &Source) -> bool {
    let Ok(bytes) = source.read() else {
        return false;
    };
    has_tools(&source.parse(&bytes, &Limits::default()))
}
