//! A record, read.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use toolpact::core::contract::Contract;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::core::repair::repair;
use toolpact::observe::{CALLER_GONE, LoggedCall, is_redacted};

use crate::{AuditError, AuditFile, RecordedName};

/// What was recorded: the tools, and the calls in the order in which they ended. An audit with whole arguments is a
/// record, too, but for the contracts.
#[derive(Debug)]
pub struct Record {
    /// The tools that were served, the last contract of each last.
    pub tools: Vec<RecordedTool>,
    /// The calls. Their results stay in the files until they are asked for.
    pub calls: Vec<RecordedCall>,
    /// Lines that cannot be used.
    pub problems: Vec<Problem>,
    /// The first tool with each digest.
    by_digest: HashMap<String, usize>,
}

/// A tool of a record.
#[derive(Debug, Clone)]
pub struct RecordedTool {
    /// What calls named.
    pub name: RecordedName,
    /// What was promised.
    pub contract: Arc<Contract>,
}

/// A call of a record.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RecordedCall {
    /// When it ended, as in RFC 3339.
    pub time: String,
    /// The name it was made by.
    pub tool: String,
    /// The name of the source, if it has one.
    pub toolset: Option<String>,
    /// The digest of the contract, if there was such a tool.
    pub digest: Option<String>,
    /// What came of it: see [`LoggedCall::outcome`].
    pub outcome: String,
    /// The arguments that the tool was given, unless they were not recorded.
    pub args: Option<Value>,
    /// How long it took.
    pub took: Duration,
    /// Whether its caller was gone before there was an answer.
    pub is_unanswered: bool,
    place: Place,
}

/// Where a line is.
#[derive(Debug, Clone)]
struct Place {
    file: Arc<AuditFile>,
    line: u64,
    start: u64,
    length: usize,
}

/// A line of a record that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// Why.
    pub message: String,
    /// Whether it is the end of what a server wrote that was killed, so that nobody was answered.
    pub is_torn: bool,
}

#[derive(Deserialize)]
struct ContractLine<'a> {
    #[serde(borrow)]
    contract: &'a RawValue,
}

impl Record {
    /// Reads a record.
    pub fn read(directory: &Path) -> Result<Self, AuditError> {
        let files = AuditFile::list(directory)?;
        if files.is_empty() {
            return Err(AuditError::nothing(directory));
        }
        let mut record = Self {
            tools: Vec::new(),
            calls: Vec::new(),
            problems: Vec::new(),
            by_digest: HashMap::new(),
        };
        for file in files {
            record.file(&Arc::new(file))?;
        }
        Ok(record)
    }

    /// The last contract of a tool of this name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&RecordedTool> {
        self.tools.iter().rev().find(|tool| tool.name.tool == name)
    }

    /// The contract with which a call was made.
    #[must_use]
    pub fn contract_of(&self, call: &RecordedCall) -> Option<&Arc<Contract>> {
        let digest = call.digest.as_ref()?;
        let tool = self.tools.get(*self.by_digest.get(digest)?)?;
        Some(&tool.contract)
    }

    fn file(&mut self, file: &Arc<AuditFile>) -> Result<(), AuditError> {
        let failed = AuditError::io("read", &file.path);
        let mut lines = BufReader::new(File::open(&file.path).map_err(&failed)?);
        let (mut line, mut number, mut start) = (Vec::new(), 0, 0);
        loop {
            line.clear();
            let length = lines.read_until(b'\n', &mut line).map_err(&failed)?;
            if length == 0 {
                return Ok(());
            }
            number += 1;
            let place = Place {
                file: Arc::clone(file),
                line: number,
                start,
                length,
            };
            start += u64::try_from(length).unwrap_or(u64::MAX);
            match line.strip_suffix(b"\n") {
                Some([]) => {}
                Some(line) => self.line(line, place),
                None => self.problem(&place, TORN, true),
            }
        }
    }

    fn line(&mut self, line: &[u8], place: Place) {
        if line.starts_with(TOOL) {
            return match read_tool(line) {
                Ok(tool) => {
                    let place = self.tools.len();
                    let digest = tool.name.digest.clone();
                    self.by_digest.entry(digest).or_insert(place);
                    self.tools.push(tool);
                }
                Err(why) => self.problem(&place, &why, false),
            };
        }
        if line.starts_with(br#"{"event":"#) {
            return;
        }
        match serde_json::from_slice::<LoggedCall>(line) {
            Ok(call) => self.calls.push(self.call(call, place)),
            Err(error) => {
                self.problem(
                    &place,
                    &format!("this is no line of a record: {error}"),
                    false,
                );
            }
        }
    }

    fn call(&self, call: LoggedCall, place: Place) -> RecordedCall {
        let is_unanswered =
            call.outcome == "INTERNAL_CANCELLED" && call.cause.as_deref() == Some(CALLER_GONE);
        let mut recorded = RecordedCall {
            time: call.time,
            tool: call.tool,
            toolset: call.toolset,
            digest: call.digest,
            outcome: call.outcome,
            args: call.args,
            took: call.took,
            is_unanswered,
            place,
        };
        // What the tool was given, rather than what its caller wrote.
        if !call.repairs.is_empty()
            && let (Some(args), Some(contract)) = (&recorded.args, self.contract_of(&recorded))
        {
            recorded.args = Some(repair(contract.parameters(), args).value);
        }
        recorded
    }

    fn problem(&mut self, place: &Place, message: &str, is_torn: bool) {
        self.problems.push(Problem {
            file: place.file.name(),
            line: place.line,
            message: message.to_owned(),
            is_torn,
        });
    }
}

/// How the line of a tool begins.
const TOOL: &[u8] = br#"{"event":"tool","#;

/// The tools that are in a record, the oldest first.
pub(super) fn recorded_names(directory: &Path) -> Result<Vec<RecordedName>, AuditError> {
    let mut names = Vec::new();
    for file in AuditFile::list(directory)? {
        let failed = AuditError::io("read", &file.path);
        let mut lines = BufReader::new(File::open(&file.path).map_err(&failed)?);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).map_err(&failed)? > 0 {
            // A line that cannot be read is told when the record is.
            let is_tool = line.starts_with(TOOL);
            names.extend(
                is_tool
                    .then(|| serde_json::from_slice(&line).ok())
                    .flatten(),
            );
            line.clear();
        }
    }
    Ok(names)
}

const TORN: &str =
    "the line is not complete: the server was killed while it wrote it, or writes it just now";

fn read_tool(line: &[u8]) -> Result<RecordedTool, String> {
    let wrong = |error: serde_json::Error| format!("this is no tool of a record: {error}");
    let name: RecordedName = serde_json::from_slice(line).map_err(wrong)?;
    let ContractLine { contract } = serde_json::from_slice(line).map_err(wrong)?;
    let contract = Contract::from_json(contract.get());
    let contract = contract.map_err(|wrong| {
        let first = wrong.iter().next().map(ToString::to_string);
        format!(
            "the contract of `{}` is wrong: {}",
            name.tool,
            first.unwrap_or_default()
        )
    })?;
    Ok(RecordedTool {
        name,
        contract: Arc::new(contract),
    })
}

impl RecordedCall {
    /// The whole line, with the result.
    pub fn read(&self) -> Result<LoggedCall, AuditError> {
        let path: &PathBuf = &self.place.file.path;
        let read = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(self.place.start))?;
            let mut line = vec![0; self.place.length];
            file.read_exact(&mut line)?;
            serde_json::from_slice(&line).map_err(io::Error::from)
        };
        read().map_err(AuditError::io("read a call of", path))
    }

    /// Where its line is: `audit-2026-11-19-000001.jsonl:7`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.place.file.name(), self.place.line)
    }

    /// Whether it ended with a question, and was repeated with the answer.
    #[must_use]
    pub fn asked(&self) -> bool {
        self.outcome == "ASKED"
    }

    /// A place in the arguments whose value was left out.
    #[must_use]
    pub fn redacted_argument(&self) -> Option<String> {
        let args = self.args.as_ref()?;
        redacted_places(args.root()).into_iter().next()
    }
}

/// The places of values that were left out.
pub(super) fn redacted_places(value: Node<'_>) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![(toolpact::core::Pointer::root(), value)]);
    while let Some((place, value)) = open.pop() {
        match value.kind() {
            Kind::Object => {
                open.extend(value.members().map(|(key, value)| (place.key(&key), value)));
            }
            Kind::Array => {
                let items = value.items().enumerate();
                open.extend(items.map(|(index, item)| (place.index(index), item)));
            }
            _ if is_redacted(value) => found.push(place.to_string()),
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}
