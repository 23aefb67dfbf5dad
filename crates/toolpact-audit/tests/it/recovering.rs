//! What a server finds after another was killed, or the power failed.

use std::fs;

use toolpact_audit::{AuditLog, Event};

use crate::support::{Audit, append, echo};

fn torn(audit: &Audit) -> Vec<(u64, String)> {
    let events = audit.events().into_iter();
    let torn = events.filter_map(|event| match event {
        Event::Torn { bytes, kept, .. } => Some((bytes, kept)),
        _ => None,
    });
    torn.collect()
}

/// Wherever a line is torn, and whatever garbage follows it.
#[tokio::test]
async fn a_torn_line_is_kept_aside_and_written_down() {
    let audit = Audit::with_calls(3, |_| {}).await;
    let path = audit.files()[0].path.clone();
    let text = fs::read(&path).unwrap();
    let line = text
        .split_inclusive(|byte| *byte == b'\n')
        .next_back()
        .unwrap();
    for (round, end) in [1, 2, 100, line.len() - 2, line.len() - 1]
        .into_iter()
        .enumerate()
    {
        append(&path, &line[..end]);
        assert!(!audit.verify().is_whole());
        audit.open(&audit.config()).call(echo(round)).await;
        let torn = torn(&audit);
        assert_eq!(torn.len(), round + 1);
        let (bytes, kept) = &torn[round];
        assert_eq!(*bytes, end as u64);
        assert_eq!(fs::read(audit.path().join(kept)).unwrap(), &line[..end]);
        audit.assert_whole();
        assert_eq!(audit.verify().notes.len(), round + 1);
    }
    append(&path, &[0; 4096]);
    append(&path, b"\ngarbage\n\n");
    audit.open(&audit.config()).call(echo(9)).await;
    assert_eq!(torn(&audit).last().unwrap().0, 4096 + 10);
    assert_eq!(audit.calls().len(), 9);
    audit.assert_whole();
    // What was kept aside is a part of the audit.
    fs::remove_file(audit.path().join(&torn(&audit)[0].1)).unwrap();
    assert!(
        audit.verify().problems[0]
            .message
            .contains("cannot be read")
    );
}

/// However far the last server came with it.
#[tokio::test]
async fn a_server_that_is_killed_while_it_recovers_is_recovered_from() {
    let audit = Audit::with_calls(3, |_| {}).await;
    let path = audit.files()[0].path.clone();
    let whole = fs::read(&path).unwrap();
    let name = format!("{}.torn-{}", audit.files()[0].name(), whole.len());
    // It had copied the torn line, and cut it off, but not written that down.
    fs::write(audit.path().join(&name), b"{\"time\":").unwrap();
    drop(AuditLog::open(&audit.config()).unwrap());
    assert_eq!(torn(&audit), [(8, name)]);
    audit.assert_whole();
    // Once is enough.
    drop(AuditLog::open(&audit.config()).unwrap());
    assert_eq!(torn(&audit).len(), 1);
    audit.assert_whole();
}

/// The file was made, but nothing of its first line, or only a part.
#[tokio::test]
async fn a_file_that_was_only_begun_is_used() {
    for begun in [&b""[..], b"{\"event\":\"opened\",\"fi"] {
        let audit = Audit::with_calls(2, |_| {}).await;
        let first = audit.files()[0].clone();
        let name = first.name().replace("000001", "000002");
        fs::write(first.path.with_file_name(name), begun).unwrap();
        audit.open(&audit.config()).call(echo(2)).await;
        assert_eq!(audit.files().len(), 2);
        assert_eq!(audit.calls().len(), 3);
        assert_eq!(torn(&audit).len(), usize::from(!begun.is_empty()));
        audit.assert_whole();
    }
}

/// A server that starts does not make it look as if nothing had happened.
#[tokio::test]
async fn lines_that_are_gone_are_missed_for_ever() {
    let audit = Audit::with_calls(5, |_| {}).await;
    let path = audit.files()[0].path.clone();
    let text = fs::read_to_string(&path).unwrap();
    let shorter: String = text.split_inclusive('\n').take(5).collect();
    fs::write(&path, shorter).unwrap();
    let report = audit.verify();
    assert_eq!(
        report.problems[0].message,
        "2 lines are missing after this one"
    );
    assert_eq!(
        (&report.problems[0].file, report.problems[0].line),
        (&audit.files()[0].name(), 5)
    );
    audit.open(&audit.config()).call(echo(9)).await;
    let report = audit.verify();
    assert_eq!(report.problems.len(), 1, "{report:?}");
    assert_eq!(
        report.problems[0].message,
        "lines 6 to 7 were missing when a server started"
    );
    assert_eq!(report.problems[0].line, 6);
}

#[tokio::test]
async fn a_head_that_is_gone_is_missed() {
    let audit = Audit::with_calls(2, |_| {}).await;
    fs::remove_file(audit.path().join("head")).unwrap();
    assert!(audit.verify().problems[0].message.contains("`head`"));
    drop(AuditLog::open(&audit.config()).unwrap());
    let problem = audit.verify().problems[0].message.clone();
    assert_eq!(
        problem,
        "the end of the audit was missing when a server started"
    );
}
