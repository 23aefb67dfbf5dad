//! New files, and which are kept.

use std::fs;
use std::num::{NonZeroU32, NonZeroU64};

use toolpact_audit::{AuditConfig, AuditFile, Event};

use crate::support::{Audit, call_at_once, echo};

fn small(config: &mut AuditConfig) {
    config.rotate.bytes = NonZeroU64::new(4000).unwrap();
}

#[tokio::test]
async fn a_file_that_is_full_is_followed_by_another() {
    let audit = Audit::with_calls(50, small).await;
    let files = audit.files();
    assert!(files.len() > 3, "{files:?}");
    let numbers: Vec<u64> = files.iter().map(|file| file.number).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len() as u64));
    for file in &files {
        let bytes = fs::metadata(&file.path).unwrap().len();
        assert!(bytes <= 4000, "{bytes}");
    }
    assert_eq!(audit.calls().len(), 50);
    audit.assert_whole();
    // And by one after a restart.
    let session = audit.open(&audit.config());
    session.call(echo(50)).await;
    assert_eq!(audit.files().len(), files.len());
    assert_eq!(audit.calls().len(), 51);
    audit.assert_whole();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_change_while_many_call() {
    let audit = Audit::new();
    let mut config = audit.config();
    small(&mut config);
    let session = audit.open(&config);
    call_at_once(&session, 300).await;
    assert_eq!(audit.calls().len(), 300);
    assert!(audit.files().len() > 20);
    audit.assert_whole();
}

/// A line that is longer than a file may be has one of its own.
#[tokio::test]
async fn a_long_line_is_written_nevertheless() {
    let audit = Audit::with_calls(3, |config| config.rotate.bytes = NonZeroU64::MIN).await;
    assert_eq!(audit.calls().len(), 3);
    assert_eq!(audit.files().len(), 3);
    audit.assert_whole();
}

/// The name of the last file is that of an earlier day.
#[tokio::test]
async fn a_day_has_its_own_file() {
    let yesterday = |audit: &Audit| {
        let files = audit.files();
        let file = files.last().unwrap();
        let name = file.name().replace(&file.day, "2026-01-01");
        fs::rename(&file.path, file.path.with_file_name(name)).unwrap();
    };
    let audit = Audit::with_calls(2, |_| {}).await;
    yesterday(&audit);
    audit.open(&audit.config()).call(echo(2)).await;
    assert_eq!(audit.files().len(), 2);
    yesterday(&audit);
    let mut config = audit.config();
    config.rotate.daily = false;
    audit.open(&config).call(echo(3)).await;
    assert_eq!(audit.files().len(), 2);
    assert_eq!(audit.calls().len(), 4);
    audit.assert_whole();
}

#[tokio::test]
async fn old_files_are_removed_and_that_is_written_down() {
    let audit = Audit::with_calls(50, |config| {
        small(config);
        config.keep.files = NonZeroU32::new(3);
    })
    .await;
    let files = audit.files();
    assert_eq!(files.len(), 3, "{files:?}");
    let removed: Vec<u64> = { audit.events().into_iter() }
        .filter_map(|event| match event {
            Event::Removed { file, .. } => Some(file),
            _ => None,
        })
        .collect();
    assert_eq!(removed.last(), Some(&(files[0].number - 1)));
    audit.assert_whole();
    // One that somebody else removes is missed.
    fs::remove_file(&files[0].path).unwrap();
    let report = audit.verify();
    let problem = report.problems[0].to_string();
    assert!(
        problem.ends_with("before this one are missing"),
        "{problem}"
    );
    assert_eq!(report.problems[0].file, files[1].name());
}

#[tokio::test]
async fn files_of_days_that_are_over_are_removed() {
    let audit = Audit::with_calls(2, |_| {}).await;
    let [file] = &audit.files()[..] else { panic!() };
    let old = AuditFile {
        day: "2026-01-01".to_owned(),
        ..file.clone()
    };
    let name = file.name().replace(&file.day, &old.day);
    fs::rename(&file.path, file.path.with_file_name(name)).unwrap();
    let mut config = audit.config();
    config.keep.days = NonZeroU32::new(30);
    audit.open(&config).call(echo(2)).await;
    let files = audit.files();
    assert_eq!((files.len(), files[0].number), (1, 2));
    audit.assert_whole();
}
