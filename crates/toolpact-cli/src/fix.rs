//! Applies the edits that are certain.

use std::fs;
use std::path::Path;

use anyhow::Context;
use toolpact_core::{Fix, Violations};

/// The text with every fix applied, and how many there were. Where two overlap, the later one is
/// left for the next round.
pub(crate) fn apply(text: &str, violations: &Violations) -> (String, usize) {
    let mut fixes: Vec<&Fix> = violations
        .iter()
        .filter_map(|v| v.suggestion()?.fix.as_ref())
        .collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let (mut out, mut at, mut applied) = (String::with_capacity(text.len()), 0, 0);
    for fix in fixes {
        let Some(kept) = text.get(at..fix.span.start) else {
            continue;
        };
        out.push_str(kept);
        out.push_str(&fix.replacement);
        at = fix.span.end;
        applied += 1;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, applied)
}

/// Puts the text in the file's place in one step, so that no half-written file is ever there.
pub(crate) fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write {}", path.display());
    // A link stays a link: the file it leads to is replaced.
    let path = fs::canonicalize(path).with_context(cannot_write)?;
    let permissions = fs::metadata(&path)
        .with_context(cannot_write)?
        .permissions();
    anyhow::ensure!(
        !permissions.readonly(),
        "{}: it is read-only",
        cannot_write()
    );
    // To rename over a file needs no right to write to it. Whoever has none meant that.
    fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .with_context(cannot_write)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".toolpact-{}", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = fs::write(&temporary, text)
        .and_then(|()| fs::set_permissions(&temporary, permissions))
        .and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        // Whatever went wrong, what was there is still there; only the copy goes.
        let _ = fs::remove_file(&temporary);
    }
    written.with_context(cannot_write)
}
