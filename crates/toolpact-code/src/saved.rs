//! Saves a run as text, to be resumed in another process.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use monty::{Dump, RunProgress, Session, SessionRef, dump};
use serde::{Deserialize, Serialize};
use toolpact::code::wire::CallResult;

use crate::error::Error;
use crate::lines::Lines;

/// A run that was saved.
#[derive(Serialize, Deserialize)]
struct Saved {
    progress: String,
    lines: Lines,
    answered: Vec<CallResult>,
}

/// A run that was saved, read back.
pub(crate) struct Loaded {
    pub(crate) progress: RunProgress,
    pub(crate) lines: Lines,
    pub(crate) answered: Vec<CallResult>,
}

/// Writes a run that waits.
pub(crate) fn save(
    progress: &RunProgress,
    lines: Lines,
    answered: Vec<CallResult>,
) -> Result<String, Error> {
    let progress = dump("", None, SessionRef::Running(progress))
        .map_err(|error| Error::snapshot(error.to_string()))?;
    let progress = BASE64_STANDARD.encode(progress);
    let saved = Saved {
        progress,
        lines,
        answered,
    };
    serde_json::to_string(&saved).map_err(Error::snapshot)
}

/// Reads a run that was saved. The host has verified its signature.
pub(crate) fn load(state: &str) -> Result<Loaded, Error> {
    let saved: Saved = serde_json::from_str(state).map_err(Error::snapshot)?;
    let bytes = BASE64_STANDARD
        .decode(saved.progress)
        .map_err(Error::snapshot)?;
    let dump = Dump::load(&bytes).map_err(Error::snapshot)?;
    match dump.state {
        Session::Running(progress) => Ok(Loaded {
            progress: *progress,
            lines: saved.lines,
            answered: saved.answered,
        }),
        Session::Idle(_) | Session::Suspended(_) => Err(Error::snapshot("it is not of a script")),
    }
}
