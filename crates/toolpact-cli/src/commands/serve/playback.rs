//! `serve --replay`: tools that are answered from a record.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use toolpact::Registry;
use toolpact_audit::{Match, Playback, Record};
use toolpact_serve::{Config, Service};

use super::{Arguments, complain_of};
use crate::output::{Output, count, printable};
use crate::status::Status;

/// Answers from a record.
#[derive(Debug, Args)]
pub(super) struct PlaybackArguments {
    /// Serve the tools of a record, and answer from it: the same arguments have the recorded results, one after the
    /// other, and then the last again
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["config", "data", "check", "record"])]
    replay: Option<PathBuf>,
    /// Which recorded call answers a call
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Matching::Strict, requires = "replay")]
    replay_match: Matching,
    /// Answers take as long as they took
    #[arg(long, requires = "replay")]
    replay_delays: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Matching {
    /// One with the same arguments, else the call fails and names the nearest
    Strict,
    /// The one whose arguments differ in the fewest places, and the answer says so
    Nearest,
}

impl PlaybackArguments {
    pub(super) fn folder(&self) -> Option<&Path> {
        self.replay.as_deref()
    }

    fn playback(&self) -> Playback {
        let matching = match self.replay_match {
            Matching::Strict => Match::Strict,
            Matching::Nearest => Match::Nearest,
        };
        Playback::new()
            .matching(matching)
            .delays(self.replay_delays)
    }
}

impl Arguments {
    pub(super) fn serve_record(&self, folder: &Path, out: &mut Output) -> anyhow::Result<Status> {
        let config = match self.config(Config::default()) {
            Ok(config) => config,
            Err(error) => return complain_of(&error),
        };
        let record = Record::read(folder)?;
        let (calls, problems) = (record.calls.len(), record.problems.clone());
        let registry = Registry::new();
        for (toolset, tools) in self.playback.playback().toolsets_of(folder, record)? {
            match toolset {
                Some(name) => registry.toolset(&name)?.add_all(tools)?,
                None => registry.add_all(tools)?,
            }
        }
        let log = || {
            let folder = printable(&folder.display().to_string());
            tracing::info!(
                "answering from {} recorded in {folder}",
                count(calls, "call")
            );
            for problem in problems {
                tracing::warn!("left out: {}", printable(&problem.to_string()));
            }
        };
        self.start(config, Service::builder().registry(registry), log, out)
    }
}
