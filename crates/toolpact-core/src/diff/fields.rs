//! Everything of a contract but its schemas.

use std::time::Duration;

use crate::Pointer;
use crate::contract::{Contract, Effects, TextTemplate};
use crate::json::{Value, Writer};
use crate::returns::ReturnType;

use super::change::{Change, ChangeKind, Concern, Witness, WitnessKind};
use super::{Evidence, Verdict};

/// The changes, in the order of the fields in the document.
pub(super) fn compare(old: &Contract, new: &Contract, evidence: &Evidence<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    changes.extend(description(old, new));
    changes.extend(text(old, new));
    changes.extend(result_documentation(old.return_type(), new.return_type()));
    changes.extend(effects(old.effects(), new.effects(), evidence));
    changes.extend(timeout(old.timeout(), new.timeout()));
    changes
}

/// A change of a field that both contracts may have.
fn change(kind: ChangeKind, concern: Concern, field: &[&str], message: String) -> Change {
    let place = field.iter().fold(Pointer::root(), |at, key| at.key(key));
    Change {
        kind,
        concern,
        verdict: Verdict::Documentation,
        old_place: Some(place.clone()),
        new_place: Some(place),
        before: None,
        after: None,
        message,
        witness: None,
    }
}

/// The same, with what was there and what is.
fn changed(change: Change, before: Option<Value>, after: Option<Value>) -> Change {
    Change {
        old_place: change.old_place.filter(|_| before.is_some()),
        new_place: change.new_place.filter(|_| after.is_some()),
        before,
        after,
        ..change
    }
}

fn description(old: &Contract, new: &Contract) -> Option<Change> {
    if old.description() == new.description() {
        return None;
    }
    let message = "the description of the tool differs".to_owned();
    let change = change(
        ChangeKind::Description,
        Concern::Models,
        &["description"],
        message,
    );
    Some(changed(
        change,
        Some(old.description().into()),
        Some(new.description().into()),
    ))
}

fn text(old: &Contract, new: &Contract) -> Option<Change> {
    let [before, after] = [old, new].map(|one| one.text().map(TextTemplate::as_str));
    if before == after {
        return None;
    }
    let message = match (before, after) {
        (None, _) => "results have a text template",
        (_, None) => "results have no text template any more",
        _ => "the text template of results differs",
    };
    let change = change(
        ChangeKind::Text,
        Concern::Models,
        &["text"],
        message.to_owned(),
    );
    Some(changed(
        change,
        before.map(Into::into),
        after.map(Into::into),
    ))
}

fn result_documentation(old: Option<&ReturnType>, new: Option<&ReturnType>) -> Vec<Change> {
    let description = [old, new].map(|one| one.and_then(ReturnType::description));
    let content_type =
        [old, new].map(|one| one.map_or("application/json", ReturnType::content_type));
    let examples = [old, new].map(|one| one.map_or(&[][..], ReturnType::examples));
    let mut changes = Vec::new();
    let mut add = |field: &str, concern, message: String, [before, after]: [Option<Value>; 2]| {
        let place = ["returns", field];
        let change = change(ChangeKind::ResultDocumentation, concern, &place, message);
        changes.push(changed(change, before, after));
    };
    if description[0] != description[1] {
        let message = "the description of results differs".to_owned();
        let values = description.map(|text| text.map(Into::into));
        add("description", Concern::Models, message, values);
    }
    if content_type[0] != content_type[1] {
        let [was, is] = content_type;
        let message = format!("the content type of results is {is}, was {was}");
        add(
            "content_type",
            Concern::Readers,
            message,
            content_type.map(|one| Some(one.into())),
        );
    }
    if examples[0] != examples[1] {
        let message = "the examples of results differ".to_owned();
        add("examples", Concern::Models, message, examples.map(array));
    }
    changes
}

fn array(values: &[Value]) -> Option<Value> {
    if values.is_empty() {
        return None;
    }
    let mut writer = Writer::default();
    writer.begin_array();
    for value in values {
        writer.raw(value.text());
    }
    writer.end_array();
    Some(Value::trusted(writer))
}

/// An effect, and what it promises.
struct Flag {
    name: &'static str,
    read: fn(Effects) -> Option<bool>,
    /// The value that promises something.
    promises: bool,
    /// What is lost without the promise.
    lost: &'static str,
}

const FLAGS: [Flag; 6] = [
    Flag {
        name: "read_only",
        read: Effects::read_only,
        promises: true,
        lost: "it was promised to change nothing, and is not any more",
    },
    Flag {
        name: "destructive",
        read: Effects::destructive,
        promises: false,
        lost: "it was promised to destroy nothing, and is not any more",
    },
    Flag {
        name: "idempotent",
        read: Effects::idempotent,
        promises: true,
        lost: "to repeat it was promised to change nothing more, and is not any more",
    },
    Flag {
        name: "open_world",
        read: Effects::open_world,
        promises: false,
        lost: "it was promised to stay within the system of the tool, and is not any more",
    },
    Flag {
        name: "durable",
        read: Effects::durable,
        promises: true,
        lost: "it was promised to be kept until it has an outcome, and is not any more",
    },
    Flag {
        name: "idempotency_key",
        read: Effects::idempotency_key,
        promises: true,
        lost: "to execute it twice was promised to change nothing more, and is not any more",
    },
];

/// A promise that is not given any more breaks those who relied on it; any call shows it.
fn effects(old: Effects, new: Effects, evidence: &Evidence<'_>) -> Vec<Change> {
    let changed_flags = FLAGS
        .iter()
        .filter(|flag| (flag.read)(old) != (flag.read)(new));
    let changes = changed_flags.map(|flag| {
        let [before, after] = [old, new].map(flag.read);
        let word = |flag: Option<bool>| {
            flag.map_or("not said", |flag| if flag { "true" } else { "false" })
        };
        let message = format!("`{}` is {}, was {}", flag.name, word(after), word(before));
        let change = change(
            ChangeKind::Effect,
            Concern::Operators,
            &["effects", flag.name],
            message,
        );
        let value = |flag: Option<bool>| {
            flag.map(|flag| Value::embedded(if flag { "true" } else { "false" }))
        };
        let mut change = changed(change, value(before), value(after));
        change.verdict = Verdict::Compatible;
        if before == Some(flag.promises) {
            change.witness = evidence.common_call().map(|value| Witness {
                kind: WitnessKind::Promise,
                value,
                reason: flag.lost.to_owned(),
            });
            let is_shown = change.witness.is_some();
            change.verdict = if is_shown {
                Verdict::Breaking
            } else {
                Verdict::Unknown
            };
        }
        change
    });
    changes.collect()
}

/// Whether a call takes longer than it may now, nobody can tell from contracts.
fn timeout(old: Option<Duration>, new: Option<Duration>) -> Option<Change> {
    if old == new {
        return None;
    }
    let ms = |time: Option<Duration>| time.map(|time| time.as_millis().to_string());
    let word =
        |time: Option<Duration>| ms(time).map_or("not limited".to_owned(), |ms| format!("{ms} ms"));
    let message = format!("a call may take {}, was {}", word(new), word(old));
    let change = change(
        ChangeKind::Timeout,
        Concern::Operators,
        &["timeout_ms"],
        message,
    );
    let value = |time| ms(time).map(|ms| Value::embedded(&ms));
    let mut change = changed(change, value(old), value(new));
    let is_longer = match (old, new) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(old), Some(new)) => new > old,
    };
    change.verdict = if is_longer {
        Verdict::Compatible
    } else {
        Verdict::Unknown
    };
    Some(change)
}
