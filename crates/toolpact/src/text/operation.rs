//! `OperationStatus`: how far it is, what came of it, and whether to ask again.

use toolpact_core::json::{Kind, Node};

use super::envelope::write_others;
use super::page::Page;
use super::{Cut, any, error, fields, scalar};

const KNOWN: [&str; 8] = [
    "operation_id",
    "status",
    "progress",
    "result",
    "error",
    "created_at",
    "updated_at",
    "completed_at",
];

pub(super) fn write(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let text = |key| {
        let value: Node<'_> = value.get(key)?;
        (value.kind() == Kind::String).then(|| scalar::word(value))
    };
    let (Some(id), Some(status)) = (text("operation_id"), text("status")) else {
        return any::write(page, value);
    };
    let progress = value.get("progress").map(progress).unwrap_or_default();
    let is = match &*status {
        "failed" => "failed".to_owned(),
        "cancelled" => "was cancelled".to_owned(),
        status => format!("is {status}"),
    };
    let plain = format!("Operation {id} {is}");
    if !page.line(&format!("{plain}{progress}")) && !page.line(&plain) {
        return any::write(page, value);
    }
    times(page, value);
    let cut = outcome(page, value);
    let others = write_others(page, value, &KNOWN).cut();
    if matches!(&*status, "pending" | "running") {
        page.closing_line("What to do: it is not finished. Ask for its status again later.");
    }
    cut.or(others)
}

/// ": 65%, step 13 of 20, Processing"
fn progress(progress: Node<'_>) -> String {
    let word = |key| {
        let value: Node<'_> = progress.get(key)?;
        (!scalar::is_container(value)).then(|| scalar::word(value))
    };
    let percent = word("percent").map(|percent| format!("{percent}%"));
    let step = word("current_step").map(|step| match word("total_steps") {
        Some(steps) => format!("step {step} of {steps}"),
        None => format!("step {step}"),
    });
    let message = word("message").map(String::from);
    let parts: Vec<String> = [percent, step, message].into_iter().flatten().collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(": {}", parts.join(", ")),
    }
}

fn times(page: &mut Page, value: Node<'_>) {
    let names = [
        ("created", "created_at"),
        ("updated", "updated_at"),
        ("completed", "completed_at"),
    ];
    let time = |(name, key)| {
        let time: Node<'_> = value.get(key)?;
        (time.kind() == Kind::String).then(|| format!("{name} {}", scalar::word(time)))
    };
    let times: Vec<String> = names.into_iter().filter_map(time).collect();
    if !times.is_empty() {
        page.line(&times.join(", "));
    }
}

fn outcome(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let error = value
        .get("error")
        .filter(|error| error.kind() == Kind::Object);
    if let Some(error) = error {
        return error::write(page, &error::read(error));
    }
    let rest: Vec<_> = value
        .members()
        .filter(|(key, _)| key == "result" || key == "error")
        .collect();
    fields::write(page, &rest).cut()
}
