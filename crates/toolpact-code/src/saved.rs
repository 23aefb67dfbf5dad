//! A run as text, to go on with in another process.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use monty::{Dump, RunProgress, Session, SessionRef, dump};
use serde::{Deserialize, Serialize};
use toolpact::code::wire::CallResult;

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
) -> Result<String, String> {
    let progress = dump("", None, SessionRef::Running(progress)).map_err(|e| e.to_string())?;
    let progress = BASE64_STANDARD.encode(progress);
    let saved = Saved {
        progress,
        lines,
        answered,
    };
    serde_json::to_string(&saved).map_err(|error| error.to_string())
}

/// Reads a run that was saved. The host has made sure that it is one of ours.
pub(crate) fn load(state: &str) -> Result<Loaded, String> {
    let saved: Saved = serde_json::from_str(state).map_err(|error| error.to_string())?;
    let bytes = BASE64_STANDARD
        .decode(saved.progress)
        .map_err(|error| error.to_string())?;
    let dump = Dump::load(&bytes).map_err(|error| error.to_string())?;
    match dump.state {
        Session::Running(progress) => Ok(Loaded {
            progress: *progress,
            lines: saved.lines,
            answered: saved.answered,
        }),
        Session::Idle(_) | Session::Suspended(_) => Err("it is not of a script".to_owned()),
    }
}
