//! The lock of a server: which tools of its sources were agreed on.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use toolpact::core::contract::Contract;
use toolpact::core::json::{Document, Format, Limits};
use toolpact::core::lock::{Difference, Lock, LockedSource, LockedTool};

use crate::config::{Config, Trust};
use crate::reload::FileState;

/// A lock, and who is held to it.
#[derive(Debug, Default)]
pub(crate) struct LockKeeper {
    path: Option<PathBuf>,
    /// For all sources, whatever they say.
    all: Option<Trust>,
    /// For those that say nothing.
    usual: Option<Trust>,
    lock: Option<Lock>,
    /// How the file was when it was last read.
    state: Option<FileState>,
    /// Whether what comes for the first time is written into the file.
    writes: bool,
}

impl LockKeeper {
    /// With the lock of a config, for a server, which writes what it trusts at first sight.
    pub(crate) fn writing(config: &Config) -> Result<Self, LockError> {
        Ok(Self {
            writes: true,
            ..Self::reading(config)?
        })
    }

    /// The same for a program that leaves the file as it is.
    pub(crate) fn reading(config: &Config) -> Result<Self, LockError> {
        let mut keeper = Self {
            path: config.lock.clone(),
            all: config.trust_all,
            usual: config.trust,
            ..Self::default()
        };
        if keeper.all == Some(Trust::Any) {
            return Ok(keeper);
        }
        if let Some(path) = &keeper.path {
            keeper.state = Some(FileState::of(path));
            keeper.lock = read_lock(path)?;
        }
        let of_sources = config.sources.iter();
        let needs_it = |own: Option<Trust>| keeper.trust_of(own) == Trust::Locked;
        let is_missing = keeper.lock.is_none()
            && (needs_it(None) || of_sources.map(crate::config::Source::trust).any(needs_it));
        match is_missing {
            true => Err(LockError::Missing(keeper.path)),
            false => Ok(keeper),
        }
    }

    /// Whether there is a lock.
    pub(super) fn is_there(&self) -> bool {
        self.lock.is_some()
    }

    /// What holds for a source that says this.
    pub(crate) fn trust_of(&self, own: Option<Trust>) -> Trust {
        let without = match self.lock.is_some() {
            true => Trust::Locked,
            false => Trust::Any,
        };
        self.all.or(own).or(self.usual).unwrap_or(without)
    }

    /// A contract that was agreed on.
    pub(super) fn locked(&self, label: &str, tool: &str) -> Option<&Contract> {
        let source = self.lock.as_ref()?.source(label)?;
        source.get(tool).map(LockedTool::contract)
    }

    /// What is another in the tools of a source. What is trusted at first sight is written down.
    pub(super) fn differences<'c>(
        &mut self,
        label: &str,
        own: Option<Trust>,
        found: impl Iterator<Item = &'c Contract> + Clone,
    ) -> Vec<Difference> {
        let nothing = LockedSource::default();
        let trust = self.trust_of(own);
        let locked = self.lock.as_ref().and_then(|lock| lock.source(label));
        match (trust, locked) {
            (Trust::Any, _) => Vec::new(),
            (_, Some(locked)) => locked.differences(found),
            (Trust::Locked, None) => nothing.differences(found),
            (Trust::FirstUse, None) => {
                self.add(label, found.clone());
                let lock = self.lock.as_ref();
                let locked = lock.and_then(|lock| lock.source(label));
                locked.unwrap_or(&nothing).differences(found)
            }
        }
    }

    /// Reads the file again if it has changed. Returns whether it says something else now.
    pub(super) fn follow(&mut self) -> bool {
        let (Some(path), Some(state)) = (&self.path, &mut self.state) else {
            return false;
        };
        if !state.update(path) {
            return false;
        }
        let shown = path.display();
        match read_lock(path) {
            Ok(Some(lock)) => {
                let is_other = self.lock.as_ref() != Some(&lock);
                if is_other {
                    tracing::info!(lock = %shown, "the lock has changed");
                }
                self.lock = Some(lock);
                is_other
            }
            Ok(None) => {
                if self.lock.is_some() {
                    tracing::warn!(lock = %shown, "the lock is gone; what it said holds until the server ends");
                }
                false
            }
            Err(error) => {
                tracing::error!(%error, "the new lock is wrong, so the old one stays");
                false
            }
        }
    }

    /// Takes a source into the lock, unless another server has done that meanwhile.
    fn add<'c>(&mut self, label: &str, found: impl Iterator<Item = &'c Contract>) {
        let mut path = self.path.clone().filter(|_| self.writes);
        match path.as_deref().map(read_lock) {
            Some(Ok(Some(lock))) => self.lock = Some(lock),
            Some(Err(error)) => {
                tracing::error!(%error, "the lock is wrong, so nothing is written into it");
                path = None;
            }
            _ => {}
        }
        let lock = self.lock.get_or_insert_default();
        if lock.source(label).is_some() {
            return;
        }
        lock.set_source(label, found.cloned());
        let Some(path) = path else { return };
        let shown = path.display();
        match write_lock(&path, lock) {
            Ok(()) => {
                tracing::info!(lock = %shown, source = label, "the source was taken into the lock");
            }
            Err(error) => tracing::error!(
                lock = %shown, source = label, %error,
                "the lock cannot be written, so the source is trusted again at the next start"
            ),
        }
        self.state = Some(FileState::of(&path));
    }
}

/// Why a lock cannot be used.
#[derive(Debug)]
pub enum LockError {
    /// There has to be one.
    Missing(Option<PathBuf>),
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is no lock, or was edited: a line for each mistake.
    Wrong(String),
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LockError::Missing(Some(path)) => write!(
                f,
                "expected a lock at {}, found none; `toolpact lock` writes it",
                path.display()
            ),
            LockError::Missing(None) => {
                f.write_str("expected a lock, but there is no config that one could be beside")
            }
            LockError::Unreadable(path, error) => {
                write!(f, "the lock {} cannot be read: {error}", path.display())
            }
            LockError::Wrong(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for LockError {}

/// The lock of this file, if it is there.
pub fn read_lock(path: &Path) -> Result<Option<Lock>, LockError> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(LockError::Unreadable(path.to_owned(), error)),
    };
    let limits = Limits::default().bytes(MOST_BYTES);
    let document = Document::parse(&text, Format::Json, &limits);
    let lock = Lock::check(&document).into_result();
    lock.map(Some).map_err(|violations| {
        let lines = violations
            .iter()
            .map(|one| format!("{}:{one}", path.display()));
        LockError::Wrong(lines.collect::<Vec<String>>().join("\n"))
    })
}

/// Most bytes of a lock: several times what the limits let a server list.
const MOST_BYTES: usize = 256 << 20;

/// Writes a lock in the place of the one that is there, in one step.
pub fn write_lock(path: &Path, lock: &Lock) -> io::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let written = || {
        // One that a crash has left.
        let _ = std::fs::remove_file(&beside);
        let mut file = std::fs::File::create_new(&beside)?;
        file.write_all(lock.to_text().as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&beside, &path)
    };
    written().inspect_err(|_| drop(std::fs::remove_file(&beside)))
}
