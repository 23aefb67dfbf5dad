//! Snapshots: a run as signed bytes, to be resumed in another process.
//!
//! The interpreter trusts what it reads back, so nothing is read that this key did not sign. Checked are
//! the signature first, then the version, then the contracts; the worker's own part comes last.

use std::fmt;
use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;

use super::conversation::WaitingFor;
use super::wire::{CallResult, PROTOCOL, ToolCall};
use super::{ScriptLimits, ScriptTools, SigningKey, TracedCall, TracedValue, UsedSnapshots};

/// Every snapshot begins with this; then come the signature and the rest.
const MAGIC: &[u8; 16] = b"toolpact run 1\r\n";
const SIGNATURE: usize = 32;

/// A run that was stopped at a call of a tool.
#[derive(Debug)]
pub struct Snapshot(Box<Saved>);

/// Why a snapshot is refused.
#[derive(Debug)]
pub(crate) enum SnapshotFault {
    /// It is not a snapshot.
    NotOne,
    /// It was changed, or made with another key.
    Altered,
    /// It was made by another version.
    Version,
    /// The tools are not those that it was made with.
    Contracts {
        /// A tool that is there with another contract, or on one side only.
        tool: String,
    },
    /// It was resumed before, and may be once only.
    Used,
    /// That it is resumed cannot be remembered.
    Unmarked(std::io::Error),
    /// The interpreter cannot read it.
    Unreadable(String),
    /// It is of a run of another principal.
    Foreign,
}

/// The state of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Saved {
    /// Who made the calls of the run, as [`Principal::key`](crate::Principal::key) has it. Those of older snapshots
    /// are of nobody.
    #[serde(default)]
    pub(super) owner: String,
    pub(super) state: String,
    pub(super) script: String,
    pub(super) file: String,
    pub(super) digests: Vec<(String, String)>,
    pub(super) limits: ScriptLimits,
    pub(super) time_left: Duration,
    pub(super) printed: String,
    pub(super) trace: Vec<SavedCall>,
    pub(super) ignores: bool,
    pub(super) waits_for: Option<u32>,
    pub(super) unmade: Vec<ToolCall>,
    pub(super) ungiven: Vec<CallResult>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedCall {
    tool: String,
    args: SavedValue,
    outcome: Option<SavedOutcome>,
    took: Duration,
}

/// The JSON of a value, or its length.
#[derive(Debug, Serialize, Deserialize)]
enum SavedValue {
    Whole(String),
    Omitted(usize),
}

/// The JSON of what a script got.
#[derive(Debug, Serialize, Deserialize)]
enum SavedOutcome {
    Ok(SavedValue),
    Err(String),
}

/// The outermost part, which can be read by every version.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    protocol: u32,
    run: T,
}

impl Snapshot {
    pub(super) fn new(saved: Saved) -> Self {
        Self(Box::new(saved))
    }

    /// The bytes, signed with a key.
    #[must_use]
    pub fn to_bytes(&self, key: &SigningKey) -> Vec<u8> {
        let versioned = Versioned {
            protocol: PROTOCOL,
            run: &*self.0,
        };
        // Strings and numbers only, which JSON can always hold.
        let body = serde_json::to_vec(&versioned).unwrap_or_default();
        let signature = signing(key, &body).finalize().into_bytes();
        [&MAGIC[..], &signature[..], &body[..]].concat()
    }

    /// The tools of the calls that the run waits for and that were not made.
    pub fn pending(&self) -> impl Iterator<Item = &str> {
        self.0.unmade.iter().map(|call| &*call.function)
    }
}

impl Saved {
    /// The run, if this key signed it and the tools are the same.
    pub(super) fn open(
        bytes: &[u8],
        key: &SigningKey,
        tools: &ScriptTools,
    ) -> Result<Self, SnapshotFault> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(SnapshotFault::NotOne)?;
        let (signature, body) = rest
            .split_at_checked(SIGNATURE)
            .ok_or(SnapshotFault::NotOne)?;
        let verified = signing(key, body).verify_slice(signature);
        verified.map_err(|_| SnapshotFault::Altered)?;
        let version: Versioned<serde::de::IgnoredAny> =
            serde_json::from_slice(body).map_err(|_| SnapshotFault::Version)?;
        if version.protocol != PROTOCOL {
            return Err(SnapshotFault::Version);
        }
        let whole: Versioned<Self> =
            serde_json::from_slice(body).map_err(|_| SnapshotFault::Version)?;
        // Before anything is said about its tools.
        if whole.run.owner != tools.session().principal().key() {
            return Err(SnapshotFault::Foreign);
        }
        match different(&whole.run.digests, &tools.digests()) {
            Some(tool) => Err(SnapshotFault::Contracts { tool }),
            None => Ok(whole.run),
        }
    }

    pub(super) fn waits(&self) -> WaitingFor {
        self.waits_for.map_or(WaitingFor::Any, WaitingFor::One)
    }

    pub(super) fn records(&self) -> Vec<TracedCall> {
        self.trace.iter().map(Into::into).collect()
    }
}

/// Marks a snapshot, which was opened, as used.
pub(super) fn used_once(bytes: &[u8], used: &UsedSnapshots) -> Result<(), SnapshotFault> {
    let signature = bytes.get(MAGIC.len()..MAGIC.len() + SIGNATURE);
    match used.mark(signature.ok_or(SnapshotFault::NotOne)?) {
        Ok(true) => Ok(()),
        Ok(false) => Err(SnapshotFault::Used),
        Err(error) => Err(SnapshotFault::Unmarked(error)),
    }
}

fn signing(key: &SigningKey, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new(&block(key));
    mac.update(MAGIC);
    mac.update(body);
    mac
}

/// The key in the length that the function takes without failing.
fn block(key: &SigningKey) -> hmac::digest::Key<Hmac<Sha256>> {
    use sha2::Digest as _;
    let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
    block[..SIGNATURE].copy_from_slice(&Sha256::digest(key.as_bytes()));
    block
}

/// A tool that two sets of contracts do not have in common.
fn different(then: &[(String, String)], now: &[(String, String)]) -> Option<String> {
    let only = |these: &[(String, String)], those: &[(String, String)]| {
        let mut missing = these.iter().filter(|one| !those.contains(one));
        missing.next().map(|(name, _)| name.clone())
    };
    only(then, now).or_else(|| only(now, then))
}

impl From<&TracedCall> for SavedCall {
    fn from(record: &TracedCall) -> Self {
        let outcome = record.outcome.as_ref().map(|outcome| match outcome {
            Ok(value) => SavedOutcome::Ok(value.into()),
            Err(error) => SavedOutcome::Err(error.to_json()),
        });
        Self {
            tool: record.tool.clone(),
            args: (&record.args).into(),
            outcome,
            took: record.took,
        }
    }
}

impl From<&SavedCall> for TracedCall {
    fn from(saved: &SavedCall) -> Self {
        let error = |json: &String| {
            let error = StandardError::from_value(&read(json));
            error.unwrap_or_else(|_| StandardError::with_code("INTERNAL_ERROR", ""))
        };
        Self {
            tool: saved.tool.clone(),
            args: (&saved.args).into(),
            outcome: saved.outcome.as_ref().map(|outcome| match outcome {
                SavedOutcome::Ok(value) => Ok(value.into()),
                SavedOutcome::Err(json) => Err(error(json)),
            }),
            took: saved.took,
        }
    }
}

impl From<&TracedValue> for SavedValue {
    fn from(value: &TracedValue) -> Self {
        match value {
            TracedValue::Whole(value) => Self::Whole(value.text().to_owned()),
            TracedValue::Omitted { bytes } => Self::Omitted(*bytes),
        }
    }
}

impl From<&SavedValue> for TracedValue {
    fn from(saved: &SavedValue) -> Self {
        match saved {
            SavedValue::Whole(json) => Self::Whole(read(json)),
            SavedValue::Omitted(bytes) => Self::Omitted { bytes: *bytes },
        }
    }
}

/// A value of a snapshot, which was signed: it can be read.
fn read(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|_| Value::from(()))
}

impl SnapshotFault {
    /// Its stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            SnapshotFault::NotOne => "snapshot-unknown",
            SnapshotFault::Altered => "snapshot-altered",
            SnapshotFault::Version => "snapshot-version",
            SnapshotFault::Contracts { .. } => "snapshot-contracts",
            SnapshotFault::Used => "snapshot-used",
            SnapshotFault::Unmarked(_) => "snapshot-unmarked",
            SnapshotFault::Unreadable(_) => "snapshot-unreadable",
            SnapshotFault::Foreign => "snapshot-foreign",
        }
    }
}

impl fmt::Display for SnapshotFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotFault::NotOne => f.write_str("this is not the snapshot of a run"),
            SnapshotFault::Altered => f.write_str(
                "the snapshot was changed, or made with another key; \
                 use the key that it was made with, or run the script again",
            ),
            SnapshotFault::Version => {
                f.write_str("the snapshot is of another version; run the script again")
            }
            SnapshotFault::Contracts { tool } => write!(
                f,
                "the snapshot was made with another contract of `{tool}`; \
                 give the tools that it was made with, or run the script again"
            ),
            SnapshotFault::Used => f.write_str(
                "the snapshot was resumed before, and its calls would be made again; \
                 run the script again, or resume it without `once`",
            ),
            SnapshotFault::Unmarked(error) => {
                write!(
                    f,
                    "that the snapshot is used cannot be written down: {error}"
                )
            }
            SnapshotFault::Foreign => f.write_str(
                "the snapshot is of a run of another principal; resume it as the one who ran it",
            ),
            SnapshotFault::Unreadable(reason) => {
                write!(f, "the interpreter does not take the snapshot: {reason}")
            }
        }
    }
}
