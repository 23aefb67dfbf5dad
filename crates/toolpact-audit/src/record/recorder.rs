//! The log of a registry whose calls are to be made again.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;
use toolpact::core::contract::Contract;
use toolpact::observe::{CallLog, CallRecord, Committing, Detail, Redact};
use toolpact::{Session, ToolError};

use super::read::recorded_names;
use crate::{AuditConfig, AuditError, AuditLog, RecordedName};

/// Records calls with everything that is needed to make them again: an [audit](AuditLog) with whole arguments and
/// results, and with the contracts of the tools.
///
/// ```
/// use std::sync::Arc;
/// use toolpact::Registry;
/// use toolpact_audit::{Record, Recorder};
///
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let recorder = Arc::new(Recorder::open(directory, None)?);
/// let registry = Registry::builder().log(Arc::clone(&recorder)).build();
/// // … the tools are added …
/// recorder.offer(&registry.session().open()?);
/// # drop((registry, recorder));
/// assert_eq!(Record::read(directory)?.calls.len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    log: AuditLog,
    tools: Mutex<KnownTools>,
}

/// The tools of a record.
#[derive(Debug, Default)]
struct KnownTools {
    /// Those whose contracts are written.
    written: HashSet<RecordedName>,
    /// The digest of the contract that each had last, by its name and its source.
    last: HashMap<(String, Option<String>), String>,
}

impl KnownTools {
    fn add(&mut self, name: RecordedName) {
        let key = (name.tool.clone(), name.toolset.clone());
        self.last.insert(key, name.digest.clone());
        self.written.insert(name);
    }

    fn is_last(&self, name: &RecordedName) -> bool {
        let key = (name.tool.clone(), name.toolset.clone());
        self.last.get(&key) == Some(&name.digest)
    }
}

#[derive(Serialize)]
struct Line<'a> {
    event: &'static str,
    #[serde(flatten)]
    name: &'a RecordedName,
    contract: &'a RawValue,
    time: String,
}

impl Recorder {
    /// Begins a record in a directory, or goes on with the one that is there. The fields that an audit redacts are
    /// redacted here, too, and can then not be replayed.
    pub fn open(directory: &Path, redacted_as: Option<&AuditConfig>) -> Result<Self, AuditError> {
        let log = AuditLog::open(&config(directory, redacted_as))?;
        let mut tools = KnownTools::default();
        recorded_names(directory)?
            .into_iter()
            .for_each(|name| tools.add(name));
        let tools = Mutex::new(tools);
        Ok(Self { log, tools })
    }

    /// Records the tools that a session sees, as those that are served from now on, unless the record says so.
    pub fn offer(&self, session: &Session) {
        let mut tools = self.tools();
        for (name, tool) in session.tools() {
            let name = recorded_name(name, tool.toolset(), tool.digest());
            if !tools.is_last(&name) {
                self.write_tool(&name, tool.contract());
                tools.add(name);
            }
        }
    }

    fn tools(&self) -> MutexGuard<'_, KnownTools> {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_tool(&self, name: &RecordedName, contract: &Contract) {
        let contract = RawValue::from_string(without_run(contract));
        let line = contract.and_then(|contract| {
            serde_json::to_vec(&Line {
                event: "tool",
                name,
                contract: &contract,
                time: jiff::Timestamp::now().to_string(),
            })
        });
        match line {
            Ok(line) => self.log.note(&line),
            // What was read from JSON can be written as JSON.
            Err(error) => {
                tracing::error!(target: "toolpact::audit", %error, "a contract cannot be written");
            }
        }
    }
}

fn recorded_name(tool: &str, toolset: &str, digest: &str) -> RecordedName {
    RecordedName {
        tool: tool.to_owned(),
        toolset: (!toolset.is_empty()).then(|| toolset.to_owned()),
        digest: digest.to_owned(),
    }
}

/// A contract as clients may see it: how a tool is run is the affair of its server.
fn without_run(contract: &Contract) -> String {
    let contract = contract.to_value();
    // A schema may be written as it was, in several lines.
    let one_line = Redact::nothing();
    let members = contract.root().members().filter(|(key, _)| key != "run");
    let members: Vec<String> = members
        .map(|(key, value)| format!("\"{key}\":{}", one_line.apply(value)))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn config(directory: &Path, redacted_as: Option<&AuditConfig>) -> AuditConfig {
    let mut config = AuditConfig::new(directory);
    (config.arguments, config.results) = (Detail::Whole, Detail::Whole);
    config.beside = true;
    let Some(audit) = redacted_as else {
        return config;
    };
    config.redact.clone_from(&audit.redact);
    if !audit.redact.is_empty() {
        (config.arguments, config.results) = (Detail::Redacted, Detail::Redacted);
    }
    for (name, tool) in &audit.tools {
        let Some(fields) = tool.redact.as_ref() else {
            continue;
        };
        let detail = Some(match fields.is_empty() {
            true => Detail::Whole,
            false => Detail::Redacted,
        });
        let own = config.tools.entry(name.clone()).or_default();
        (own.arguments, own.results) = (detail, detail);
        own.redact = Some(fields.clone());
    }
    config
}

impl CallLog for Recorder {
    fn begin(&self) -> Result<(), ToolError> {
        self.log.begin()
    }

    fn wants_items(&self) -> bool {
        true
    }

    fn write(&self, record: &CallRecord<'_>) {
        // Before the line of its first call, even if it has come since the tools were last looked at.
        if let (Some(digest), Some(contract)) = (record.digest, record.contract) {
            let name = recorded_name(record.tool, record.toolset.unwrap_or_default(), digest);
            let mut tools = self.tools();
            if !tools.written.contains(&name) {
                self.write_tool(&name, contract);
                tools.add(name);
            }
        }
        self.log.write(record);
    }

    fn commit(&self) -> Option<Committing<'_>> {
        self.log.commit()
    }
}
