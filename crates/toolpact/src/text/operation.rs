//! `OperationStatus`: how far it is, what came of it, and whether to ask again.

use toolpact_core::json::{Kind, Node};

use super::envelope::write_others;
use super::page::Page;
use super::{Cut, advice, any, error, fields, scalar};

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
    let is = match &*status {
        "failed" => "failed".to_owned(),
        "cancelled" => "was cancelled".to_owned(),
        status => format!("is {status}"),
    };
    let plain = format!("Operation {id} {is}");
    let progress = value.get("progress").and_then(progress);
    if !page.line(&format!(
        "{plain}{}",
        progress.as_deref().unwrap_or_default()
    )) {
        page.count_value(false);
        page.line(&plain);
    }
    times(page, value);
    let others = page.within(page.left() / 2, |page| write_others(page, value, &KNOWN));
    let cut = outcome(page, value);
    if matches!(&*status, "pending" | "running") {
        page.closing_line("What to do: it is not finished. Ask for its status again later.");
    }
    cut.or(others.cut())
}

/// ": 65% done, step 13 of 20, Processing"
fn progress(progress: Node<'_>) -> Option<String> {
    let word = |key| {
        let value: Node<'_> = progress.get(key)?;
        (!scalar::is_container(value)).then(|| scalar::word(value))
    };
    let percent = word("percent").map(|percent| format!("{percent}% done"));
    let step = word("current_step").map(|step| match word("total_steps") {
        Some(steps) => format!("step {step} of {steps}"),
        None => format!("step {step}"),
    });
    let message = word("message").map(String::from);
    let parts: Vec<String> = [percent, step, message].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!(": {}", parts.join(", ")))
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
        page.line_or_short(&times.join(", "));
    }
}

fn outcome(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let error = value
        .get("error")
        .filter(|error| error.kind() == Kind::Object);
    if let Some(error) = error {
        let error = error::read(error);
        let cut = error::write_message(page, &error);
        page.closing_line(&format!("What to do: {}", advice::after_operation(&error)));
        return cut;
    }
    let rest: Vec<_> = value
        .members()
        .filter(|(key, _)| key == "result" || key == "error")
        .collect();
    fields::write(page, &rest).cut()
}
