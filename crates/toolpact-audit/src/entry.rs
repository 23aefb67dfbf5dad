use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use toolpact::observe::LoggedCall;

use crate::Chain;

/// A line of an audit. [`read_lines`](toolpact::observe::read_lines) reads a file of them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Entry {
    /// A call.
    Call(Box<LoggedCall>),
    /// Something else that happened to the audit.
    Event {
        /// When, as in RFC 3339.
        time: String,
        /// What.
        event: Event,
    },
}

/// What happens to an audit besides calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A file begins.
    Opened {
        /// Its number.
        file: u64,
        /// The chain at the end of the file before.
        previous: Chain,
    },
    /// A server begins to write.
    Started {
        /// Its version.
        version: String,
        /// The number of its process.
        process: u32,
    },
    /// The end of the file was no whole line when a server started: the one before had ended while it wrote.
    Torn {
        /// How much there was.
        bytes: u64,
        /// Its SHA-256.
        digest: String,
        /// The file that it was moved to.
        kept: String,
    },
    /// Lines that had been written were not there any more when a server started.
    Missing {
        /// The number of the last line that was written, if that is known.
        expected: Option<u64>,
        /// The number of the last line that was there.
        found: u64,
    },
    /// Calls have no lines, because none could be written.
    Lost {
        /// How many.
        calls: u64,
        /// Since when.
        since: String,
    },
    /// Tools of a source are not served any more, since they are not what its lock says.
    Quarantined {
        /// The source.
        source: String,
        /// The first of them.
        tools: Vec<QuarantinedTool>,
        /// How many more there are.
        #[serde(default, skip_serializing_if = "is_none")]
        more: usize,
    },
    /// Tools of a source are in quarantine no more: they were accepted, or changed back, or are gone.
    Released {
        /// The source.
        source: String,
        /// The names of the first of them.
        tools: Vec<String>,
        /// How many more there are.
        #[serde(default, skip_serializing_if = "is_none")]
        more: usize,
    },
    /// A tool is served, in a [record](crate::Record). Its contract is in the same line, under `contract`.
    Tool(RecordedName),
    /// A file is removed, because it is older than what is kept.
    Removed {
        /// Its number.
        file: u64,
        /// Its name.
        name: String,
    },
}

/// A tool that is not what its lock says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantinedTool {
    /// Its name.
    pub tool: String,
    /// What happened to it: `changed`, `added` or `renamed`.
    pub change: String,
    /// The digest of what was agreed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<String>,
    /// The digest of what is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The first places where the two differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
}

/// A tool of a record, by what calls name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RecordedName {
    /// The name that calls use.
    pub tool: String,
    /// The name of its source, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolset: Option<String>,
    /// The digest of its contract.
    pub digest: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn is_none(number: &usize) -> bool {
    *number == 0
}

#[derive(Deserialize)]
struct EventLine {
    time: String,
    #[serde(flatten)]
    event: Event,
}

#[derive(Deserialize)]
struct IsEvent {
    event: Option<serde::de::IgnoredAny>,
}

impl Event {
    /// As an object.
    pub(crate) fn to_line(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Line<'a> {
            #[serde(flatten)]
            event: &'a Event,
            time: String,
        }
        let time = jiff::Timestamp::now().to_string();
        serde_json::to_vec(&Line { event: self, time }).unwrap_or_else(|_| b"{}".to_vec())
    }

    /// The event of a line, if it is one.
    pub(crate) fn of_line(line: &[u8]) -> Option<Self> {
        // All other lines are calls, which are many.
        let is_event = line.starts_with(br#"{"event":"#);
        let line: Option<EventLine> = is_event.then(|| serde_json::from_slice(line).ok())?;
        line.map(|line| line.event)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let line = Box::<RawValue>::deserialize(deserializer)?;
        let line = line.get();
        let kind: IsEvent = serde_json::from_str(line).map_err(D::Error::custom)?;
        match kind.event {
            Some(_) => {
                let line: EventLine = serde_json::from_str(line).map_err(D::Error::custom)?;
                let EventLine { time, event } = line;
                Ok(Self::Event { time, event })
            }
            None => {
                let call = serde_json::from_str(line).map_err(D::Error::custom)?;
                Ok(Self::Call(call))
            }
        }
    }
}
