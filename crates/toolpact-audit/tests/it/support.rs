//! An audit in a directory that ends with the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::observe::{LoggedCall, read_lines};
use toolpact::registry::RegistryBuilder;
use toolpact::{Call, Registry, Session, ToolError, testing};
use toolpact_audit::{AuditConfig, AuditFile, AuditLog, Entry, Event, Report, verify};

pub(crate) struct Audit {
    directory: TempDir,
}

impl Audit {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("audit")
    }

    pub(crate) fn config(&self) -> AuditConfig {
        AuditConfig::new(self.path())
    }

    /// A session whose calls are recorded.
    pub(crate) fn open(&self, config: &AuditConfig) -> Session {
        assert_eq!(config.directory, self.path());
        open(Registry::builder(), config)
    }

    /// An audit of so many calls.
    pub(crate) async fn with_calls(calls: usize, config: impl FnOnce(&mut AuditConfig)) -> Self {
        let audit = Self::new();
        let mut own = audit.config();
        config(&mut own);
        let session = audit.open(&own);
        for number in 0..calls {
            session.call(echo(number)).await;
        }
        audit
    }

    pub(crate) fn files(&self) -> Vec<AuditFile> {
        AuditFile::list(&self.path()).unwrap()
    }

    pub(crate) fn text(&self) -> String {
        let files = self.files();
        let texts = files
            .iter()
            .map(|file| fs::read_to_string(&file.path).unwrap());
        texts.collect()
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let text = self.text();
        let entries = read_lines::<Entry>(text.as_bytes());
        entries.map(|entry| entry.unwrap()).collect()
    }

    pub(crate) fn calls(&self) -> Vec<LoggedCall> {
        let entries = self.entries().into_iter();
        let calls = entries.filter_map(|entry| match entry {
            Entry::Call(call) => Some(*call),
            _ => None,
        });
        calls.collect()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        let entries = self.entries().into_iter();
        let events = entries.filter_map(|entry| match entry {
            Entry::Event { event, .. } => Some(event),
            _ => None,
        });
        events.collect()
    }

    pub(crate) fn verify(&self) -> Report {
        verify(&self.path()).unwrap()
    }

    pub(crate) fn assert_whole(&self) {
        let report = self.verify();
        assert!(report.is_whole(), "{report:#?}\n{}", self.text());
    }
}

pub(crate) fn open(builder: RegistryBuilder, config: &AuditConfig) -> Session {
    let log = AuditLog::open(config).unwrap();
    let registry = builder.log(log).build();
    let echo = testing::fake_contract(contract("echo", r#""returns": "StringValue""#), |args| {
        let text = args.root().get("text").map(|text| text.text().to_owned());
        let text = text.unwrap_or_else(|| "\"\"".to_owned());
        Ok::<_, ToolError>(value(&format!(r#"{{"success":true,"value":{text}}}"#)))
    });
    registry.add(echo).unwrap();
    let failing = testing::fake_contract(contract("failing", ""), |_| {
        Err::<Value, _>(ToolError::internal("the disk is full"))
    });
    registry.toolset("shop").unwrap().add(failing).unwrap();
    registry.session().open().unwrap()
}

pub(crate) fn contract(name: &str, more: &str) -> Contract {
    let comma = if more.is_empty() { "" } else { "," };
    Contract::from_json(format!(
        r#"{{"name": "{name}", "description": "Does it.", "parameters": {{"type": "object", "properties":
            {{"text": {{"type": "string"}}, "password": {{"type": "string"}}}}, "additionalProperties": false}}
            {comma} {more}}}"#
    ))
    .unwrap()
}

pub(crate) fn value(json: &str) -> Value {
    Value::from_json(json).unwrap()
}

pub(crate) fn echo(number: usize) -> Call {
    let args = format!(r#"{{"text": "call {number}", "password": "s3cret"}}"#);
    Call::new("echo", value(&args)).id(format!("c{number}"))
}

/// Many calls at once, each on a task of its own.
pub(crate) async fn call_at_once(session: &Session, calls: usize) {
    let session = Arc::new(session.clone());
    let tasks = (0..calls).map(|number| {
        let session = Arc::clone(&session);
        tokio::spawn(async move { session.call(echo(number)).await.is_success() })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert!(task.await.unwrap());
    }
}

pub(crate) fn append(path: &Path, bytes: &[u8]) {
    use std::io::Write as _;
    let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}
