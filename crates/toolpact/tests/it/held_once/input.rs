//! The input of a typed call.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toolpact::call::{CallLimits, Decision, Proposal, Retries};
use toolpact::observe::{CallLog, CallRecord};
use toolpact::{Registry, Session, ToolError, tool};

/// What became of one parcel.
#[derive(Debug, Default)]
struct Seen {
    written: AtomicUsize,
    read: AtomicUsize,
    dropped: AtomicUsize,
    /// Where the tools that ran found its label.
    labels: Mutex<Vec<usize>>,
}

/// A type that is written and read with care.
#[derive(Debug, JsonSchema)]
struct Parcel {
    #[schemars(length(min = 3))]
    label: String,
    weight: Option<f64>,
    #[schemars(skip)]
    seen: Arc<Seen>,
}

/// What `Parcel` is as JSON.
#[derive(Serialize, Deserialize)]
struct Wire {
    label: String,
    weight: Option<f64>,
}

impl Serialize for Parcel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.seen.written.fetch_add(1, Ordering::Relaxed);
        match &*self.label {
            "error" => return Err(S::Error::custom("this label has no letters")),
            "panic" => panic!("this label panics"),
            _ => {}
        }
        let (label, weight) = (self.label.clone(), self.weight);
        Wire { label, weight }.serialize(serializer)
    }
}

/// What was sent, by its label: one that is read is a copy of it.
static SENT: Mutex<BTreeMap<String, Arc<Seen>>> = Mutex::new(BTreeMap::new());

impl<'de> Deserialize<'de> for Parcel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Wire { label, weight } = Wire::deserialize(deserializer)?;
        let sent = SENT.lock().unwrap().get(&label).cloned();
        let seen = sent.ok_or_else(|| D::Error::custom("nobody sent this"))?;
        seen.read.fetch_add(1, Ordering::Relaxed);
        Ok(Self {
            label,
            weight,
            seen,
        })
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        self.seen.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

/// The weight that the tool saw.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Shipped(String);

/// Ships a parcel.
#[tool(idempotent)]
#[expect(clippy::needless_pass_by_value, reason = "a tool owns its arguments")]
fn ship(parcel: Parcel) -> Result<Shipped, ToolError> {
    let place = parcel.label.as_ptr() as usize;
    let mut labels = parcel.seen.labels.lock().unwrap();
    labels.push(place);
    match (&*parcel.label, labels.len()) {
        ("busy", 1) => Err(ToolError::unavailable("There is no van.")),
        _ => Ok(Shipped(format!("{:?}", parcel.weight))),
    }
}

fn parcel(label: &str, weight: Option<f64>) -> (Parcel, Arc<Seen>, usize) {
    let seen = Arc::new(Seen::default());
    let parcel = Parcel {
        label: label.to_owned(),
        weight,
        seen: Arc::clone(&seen),
    };
    let sent = (label.to_owned(), Arc::clone(&seen));
    SENT.lock().unwrap().extend([sent]);
    let place = parcel.label.as_ptr() as usize;
    (parcel, seen, place)
}

fn open(registry: &Registry) -> Session {
    registry.add(ship::tool()).unwrap();
    registry.session().open().unwrap()
}

impl Seen {
    /// How often it was written, read and dropped.
    fn counts(&self) -> [usize; 3] {
        [&self.written, &self.read, &self.dropped].map(|count| count.load(Ordering::Relaxed))
    }

    fn labels(&self) -> Vec<usize> {
        self.labels.lock().unwrap().clone()
    }
}

#[tokio::test]
async fn a_tool_gets_the_value_itself() {
    let session = open(&Registry::new());
    for (weight, expected) in [(Some(0.5), "Some(0.5)"), (None, "None")] {
        let (parcel, seen, place) = parcel("books", weight);
        assert_eq!(session.run(ship { parcel }).await.unwrap().0, expected);
        assert_eq!(seen.labels(), [place]);
        assert_eq!(seen.counts(), [1, 0, 1]);
    }
}

#[tokio::test]
async fn an_input_that_breaks_the_contract_is_refused_before_the_tool_runs() {
    let session = open(&Registry::new());
    for (label, code, message) in [
        (
            "ab",
            "VALIDATION_FORMAT",
            "/parcel/label: expected at least 3 characters",
        ),
        ("error", "VALIDATION_FORMAT", "this label has no letters"),
        ("panic", "INTERNAL_ERROR", ""),
    ] {
        let (parcel, seen, _) = parcel(label, None);
        let error = session.run(ship { parcel }).await.unwrap_err();
        assert_eq!(error.code(), code, "{error:?}");
        assert!(error.message().contains(message), "{error:?}");
        assert_eq!(seen.labels(), [0; 0]);
        assert_eq!(seen.counts()[1..], [0, 1]);
    }
}

/// JSON has no such number: written as null, and then left out, it would arrive as another value.
#[tokio::test]
async fn a_number_that_json_lacks_reaches_no_tool() {
    let session = open(&Registry::new());
    let (parcel, seen, place) = parcel("weightless", Some(f64::NAN));
    assert_eq!(session.run(ship { parcel }).await.unwrap().0, "None");
    assert_ne!(seen.labels(), [place]);
    assert_eq!(seen.counts()[1], 1);
}

/// Keeps the arguments of calls.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<String>>>);

impl Kept {
    fn add(&self, args: &str) {
        self.0.lock().unwrap().push(args.to_owned());
    }
}

impl CallLog for Kept {
    fn write(&self, record: &CallRecord<'_>) {
        let args = record
            .args
            .map_or("none", |args| std::str::from_utf8(args).unwrap());
        self.add(args);
    }
}

#[tokio::test]
async fn json_is_made_for_who_looks_at_it() {
    let (asked, logged) = (Kept::default(), Kept::default());
    let guard = {
        let asked = asked.clone();
        move |proposal: &Proposal<'_>| {
            asked.add(proposal.args().text());
            Decision::Allow
        }
    };
    let args = r#"{"parcel":{"label":"books"}}"#;
    let guarded = Registry::builder().guard(guard).build();
    let written_down = Registry::builder().log(logged.clone()).build();
    for registry in [guarded, written_down] {
        let session = open(&registry);
        let (parcel, seen, place) = parcel("books", None);
        session.run(ship { parcel }).await.unwrap();
        assert_eq!(seen.labels(), [place]);
        assert_eq!(seen.counts(), [1, 0, 1]);
    }
    assert_eq!(*asked.0.lock().unwrap(), [args]);
    assert_eq!(*logged.0.lock().unwrap(), [args]);
}

#[tokio::test]
async fn a_call_of_no_tool_is_logged_with_its_arguments() {
    let logged = Kept::default();
    let registry = Registry::builder().log(logged.clone()).build();
    let session = registry.session().open().unwrap();
    let (parcel, seen, _) = parcel("books", Some(1.0));
    session.run(ship { parcel }).await.unwrap_err();
    let args = r#"{"parcel":{"label":"books","weight":1.0}}"#;
    assert_eq!(*logged.0.lock().unwrap(), [args]);
    assert_eq!(seen.counts(), [1, 0, 1]);
}

/// The first attempt has the value, so the second reads it from its JSON.
#[tokio::test]
async fn a_second_attempt_gets_the_input_again() {
    let limits = CallLimits::default().retries(Retries::new(1, Duration::ZERO));
    let session = open(&Registry::builder().limits(limits).build());
    let (parcel, seen, place) = parcel("busy", Some(2.0));
    assert_eq!(session.run(ship { parcel }).await.unwrap().0, "Some(2.0)");
    let labels = seen.labels();
    assert_eq!((labels.len(), labels[0]), (2, place));
    assert_eq!(seen.counts(), [1, 1, 2]);
}
