//! Where the tools come from.

#![expect(clippy::panic, reason = "this is how a test fails")]

use conformance::documents::{DOCUMENTS, PublicDocument};
use conformance::mcp::{PUBLIC, PublicServer};
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use toolpact_core::Violations;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Import, import};
use toolpact_core::document::AnyDocument;
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::lint::{self, Selection};

/// Servers that start at the same time.
const AT_ONCE: usize = 4;

/// A document of which fewer than one operation in so many are chosen is too large to be written as a whole.
const HUGE: usize = 100;

/// The tools of one server, or of one document.
pub(crate) struct Source {
    pub(crate) name: &'static str,
    /// How many there are.
    pub(crate) tools: usize,
    pub(crate) contracts: Vec<Contract>,
    /// Every how manieth tool is written in other forms.
    every: usize,
    /// The names of those that could not be read, each with the reason.
    pub(crate) left_out: Vec<(String, String)>,
    /// What `toolpact check` says of it.
    pub(crate) findings: Violations,
    /// What all rules of lint say of it.
    pub(crate) lint: Violations,
}

impl Source {
    /// Those that are written in other forms.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = &Contract> {
        self.contracts.iter().step_by(self.every)
    }

    /// All of them, or of a document of which all together are hundreds of megabytes, those that are chosen.
    pub(crate) fn most(&self) -> impl Iterator<Item = &Contract> {
        let every = if self.every > HUGE { self.every } else { 1 };
        self.contracts.iter().step_by(every)
    }

    fn read(name: &'static str, document: &Document, tools: usize, every: usize) -> Self {
        let findings = AnyDocument::check_each(document, None).violations;
        let lint = lint::document(document, None, &Selection::all());
        let import = import(document).unwrap_or_else(|why| panic!("{name}: {why}"));
        Self {
            name,
            tools,
            contracts: import.contracts().cloned().collect(),
            every,
            left_out: left_out(&import),
            findings,
            lint,
        }
    }
}

/// What servers list, each started for this and gone afterwards.
pub(crate) fn servers() -> Option<Vec<Source>> {
    let packages = folders(PUBLIC.iter().map(|server| server.suite))?;
    let waiting = Mutex::new(PUBLIC.iter().zip(packages).enumerate());
    let work = || {
        let mut found = Vec::new();
        loop {
            let next = waiting.lock().unwrap().next();
            let Some((number, (server, package))) = next else {
                return found;
            };
            found.push((number, listed(server, &package)));
        }
    };
    let mut all: Vec<(usize, Source)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        let done = workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap());
        done.collect()
    });
    all.sort_by_key(|(number, _)| *number);
    Some(all.into_iter().map(|(_, source)| source).collect())
}

/// The documents as they are published.
pub(crate) fn documents() -> Option<Vec<Source>> {
    read_documents(DOCUMENTS.iter().collect())
}

pub(super) fn documents_named(name: &str) -> Option<Vec<Source>> {
    let all = DOCUMENTS.iter();
    read_documents(all.filter(|document| document.name == name).collect())
}

fn read_documents(documents: Vec<&'static PublicDocument>) -> Option<Vec<Source>> {
    let packages = folders(documents.iter().map(|document| document.suite))?;
    let all = documents.into_iter().zip(packages);
    Some(
        all.map(|(document, package)| published(document, &package))
            .collect(),
    )
}

fn folders(suites: impl Iterator<Item = &'static str>) -> Option<Vec<PathBuf>> {
    suites
        .map(|suite| conformance::suite(suite).or_leave_out())
        .collect()
}

fn listed(server: &PublicServer, package: &std::path::Path) -> Source {
    let sandbox = tempfile::tempdir().unwrap();
    let running = server.start(package, sandbox.path());
    let mut running = running.unwrap_or_else(|why| panic!("{}: {why}", server.name));
    let mut tools = Vec::new();
    for page in running.list_tools().unwrap() {
        let answer = Value::from_json(page).unwrap();
        let listed = answer.root().get("result").and_then(|r| r.get("tools"));
        tools.extend(listed.unwrap().items().map(|tool| tool.text().to_owned()));
    }
    let text = format!(r#"{{"tools": [{}]}}"#, tools.join(","));
    let document = Document::json(text.as_bytes(), &Limits::default());
    Source::read(server.name, &document, server.tools, 1)
}

fn published(document: &PublicDocument, package: &std::path::Path) -> Source {
    let bytes = document.read(package);
    let bytes = bytes.unwrap_or_else(|why| panic!("{}: {why}", document.path));
    let read = match document.path.ends_with("yaml") {
        true => Document::yaml(&bytes, &Limits::default()),
        false => Document::json(&bytes, &Limits::default()),
    };
    Source::read(document.name, &read, document.operations, document.every)
}

fn left_out(import: &Import) -> Vec<(String, String)> {
    let all = import.left_out().iter();
    let all = all.map(|bad| (bad.name.to_string(), bad.violations.to_string()));
    all.collect()
}
