//! One tool, for people.

use std::io::Write;

use toolpact_core::contract::Contract;
use toolpact_docs::{Docs, Need, Page, Phrase, Prose, Row, Shape};

use crate::output::{BOLD, Output, printable};

pub(super) fn write(contract: &Contract, from: &str, out: &mut Output) -> anyhow::Result<()> {
    let docs = Docs::of("", std::slice::from_ref(contract));
    let Some(page) = docs.pages().first() else {
        return Ok(());
    };
    writeln!(out, "{BOLD}{}{BOLD:#}", printable(&page.name))?;
    prose(&page.about, "", out)?;
    writeln!(out, "\n{BOLD}Parameters{BOLD:#}")?;
    shape(&page.parameters, "none", "required", out)?;
    writeln!(out, "\n{BOLD}Returns{BOLD:#}")?;
    writeln!(out, "  {}", line(&page.returns.what))?;
    prose(&page.returns.about, "  ", out)?;
    if let Some(returned) = &page.returns.shape {
        shape(returned, &line(&returned.kind), "always there", out)?;
    }
    facts(page, from, out)
}

/// The fields, one per line, or `without` if there are none; `must` is the word for required ones.
fn shape(shape: &Shape, without: &str, must: &str, out: &mut Output) -> anyhow::Result<()> {
    if shape.rows.is_empty() {
        writeln!(out, "  {without}")?;
    }
    let paths = shape.rows.iter().map(|row| row.path.chars().count());
    let width = paths.max().unwrap_or(0).min(WIDEST);
    for row in &shape.rows {
        let path = printable(&row.path);
        writeln!(out, "  {path:width$}  {}", kind(row, must))?;
        prose(&row.about, &" ".repeat(width + 6), out)?;
    }
    if shape.cut {
        writeln!(out, "  … and more; `toolpact tools NAME --json` has all")?;
    }
    Ok(())
}

/// Longer names shift the text after them.
const WIDEST: usize = 32;

/// `integer, at least 1, required`.
fn kind(row: &Row, must: &str) -> String {
    let mut words = vec![line(&row.kind)];
    words.extend(row.limits.iter().map(line));
    match row.same_as.as_deref() {
        None => {}
        Some("") => words.push("same as the whole".to_owned()),
        Some(path) => words.push(format!("same as {}", printable(path))),
    }
    match &row.need {
        Need::Required => words.push(must.to_owned()),
        Need::Default(value) => words.push(format!("default {}", printable(value))),
        Need::Optional | Need::No => {}
    }
    words.join(", ")
}

fn facts(page: &Page, from: &str, out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "\n{BOLD}Effects{BOLD:#}")?;
    for effect in &page.effects {
        writeln!(out, "  {}: {}", effect.name, effect.meaning)?;
    }
    if page.effects.is_empty() {
        writeln!(out, "  not declared")?;
    }
    if let Some(timeout) = &page.timeout {
        writeln!(out, "\n{BOLD}Timeout{BOLD:#}\n  {timeout}")?;
    }
    writeln!(out, "\n{BOLD}From{BOLD:#}\n  {}", printable(from))?;
    Ok(())
}

fn prose(prose: &Prose, indent: &str, out: &mut Output) -> anyhow::Result<()> {
    for text in prose.paragraphs().flatten() {
        writeln!(out, "{indent}{}", line(text))?;
    }
    Ok(())
}

fn line(phrase: &Phrase) -> String {
    printable(&phrase.to_string())
}
