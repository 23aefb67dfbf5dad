//! Whatever is done to the lines of an audit, `verify` finds it, and names the place.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use toolpact::observe::Detail;

use crate::support::Audit;

/// The files of an audit, by name.
type Files = Vec<(String, Vec<u8>)>;

static WHOLE: LazyLock<Files> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let audit = runtime.unwrap().block_on(Audit::with_calls(25, |config| {
        config.rotate.bytes = 5000.try_into().unwrap();
        (config.arguments, config.results) = (Detail::Whole, Detail::Digest);
    }));
    let entries = fs::read_dir(audit.path()).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_name() != "lock");
    let mut files: Files = files
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
});

#[derive(Debug, Clone)]
enum Change {
    Byte(Index, u8),
    Drop(Index),
    Swap(Index, Index),
    Twice(Index),
    /// A copy somewhere else.
    Copy(Index, Index),
    Insert(Index, Vec<u8>),
    Cut(Index),
    /// A part in the middle.
    Remove(Index, usize),
    File,
    Head,
}

fn changes() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), 1..=255_u8).prop_map(|(at, with)| Change::Byte(at, with)),
        2 => at().prop_map(Change::Drop),
        2 => (at(), at()).prop_map(|(one, two)| Change::Swap(one, two)),
        2 => at().prop_map(Change::Twice),
        1 => (at(), at()).prop_map(|(one, two)| Change::Copy(one, two)),
        1 => (at(), proptest::collection::vec(any::<u8>(), 1..20)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        3 => at().prop_map(Change::Cut),
        2 => (at(), 1..300_usize).prop_map(|(at, some)| Change::Remove(at, some)),
        1 => Just(Change::File),
        1 => Just(Change::Head),
    ]
}

/// The text after a change, or nothing if the file is gone.
fn changed(text: &[u8], change: &Change) -> Option<Vec<u8>> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut bytes = text.to_vec();
    match change {
        Change::Byte(at, with) => {
            let at = at.index(bytes.len());
            bytes[at] ^= with;
            return Some(bytes);
        }
        Change::Insert(at, some) => {
            let at = at.index(bytes.len());
            bytes.splice(at..at, some.iter().copied());
            return Some(bytes);
        }
        Change::Cut(at) => {
            bytes.truncate(at.index(bytes.len()));
            return Some(bytes);
        }
        Change::Remove(at, some) => {
            let at = at.index(bytes.len());
            let end = (at + some).min(bytes.len());
            bytes.drain(at..end);
            return Some(bytes);
        }
        Change::File => return None,
        Change::Head => {}
        Change::Drop(at) => {
            let at = at.index(lines.len());
            lines.remove(at);
        }
        Change::Swap(one, two) => {
            let (one, two) = (one.index(lines.len()), two.index(lines.len()));
            lines.swap(one, two);
        }
        Change::Twice(at) => {
            let at = at.index(lines.len());
            let line = lines[at];
            lines.insert(at, line);
        }
        Change::Copy(from, to) => {
            let line = lines[from.index(lines.len())];
            let to = to.index(lines.len());
            lines.insert(to, line);
        }
    }
    Some(lines.concat())
}

fn write(files: &Files) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
    }
    let path = directory.path().to_owned();
    (directory, path)
}

#[test]
fn nothing_is_found_in_what_is_whole() {
    let (_directory, path) = write(&WHOLE);
    let report = toolpact_audit::verify(&path).unwrap();
    assert!(report.is_whole() && report.notes.is_empty(), "{report:#?}");
    assert_eq!(report.calls, 25);
    assert!(report.files > 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_change_is_found(file in any::<Index>(), change in changes()) {
        let mut files = WHOLE.clone();
        let logs = files.iter().filter(|(name, _)| name != "head").count();
        let (place, is_head) = match change {
            Change::Head => (files.iter().position(|(name, _)| name == "head").unwrap(), true),
            _ => (file.index(logs), false),
        };
        prop_assert!(is_head || files[place].0.starts_with("audit-"));
        let after = match is_head {
            true => None,
            false => changed(&files[place].1, &change),
        };
        prop_assume!(after.as_ref() != Some(&files[place].1));
        let name = files[place].0.clone();
        match &after {
            Some(after) => files[place].1.clone_from(after),
            None => drop(files.remove(place)),
        }
        let (_directory, path) = write(&files);
        let report = toolpact_audit::verify(&path).unwrap();
        prop_assert!(!report.is_whole(), "{name}: {change:?}");
        // Where the file still is, it is the one that is named, or the one after it.
        let next = files.get(place + 1).map(|(name, _)| name.clone());
        let named = |problem: &toolpact_audit::Finding| problem.file == name || next.as_ref() == Some(&problem.file);
        if after.is_some() {
            prop_assert!(named(&report.problems[0]), "{name}: {change:?}: {:?}", report.problems);
        }
    }
}

/// The first problem is at the line itself.
#[test]
fn a_changed_line_is_named() {
    let name = &WHOLE[1].0;
    let text = &WHOLE[1].1;
    let lines = text.split_inclusive(|byte| *byte == b'\n').count();
    for line in 0..lines {
        let mut files = WHOLE.clone();
        let start: usize = text
            .split_inclusive(|byte| *byte == b'\n')
            .take(line)
            .map(<[u8]>::len)
            .sum();
        // A digit of the time, so that the line is still well-formed.
        let at = start + text[start..].iter().position(u8::is_ascii_digit).unwrap();
        files[1].1[at] = if text[at] == b'1' { b'2' } else { b'1' };
        let (_directory, path) = write(&files);
        let report = toolpact_audit::verify(&path).unwrap();
        let problem = &report.problems[0];
        assert_eq!(
            (&problem.file, problem.line),
            (name, line as u64 + 1),
            "{report:?}"
        );
        if line > 0 {
            assert_eq!(report.problems.len(), 1, "{report:?}");
            assert!(problem.message.starts_with("the line was changed"));
        }
    }
}
