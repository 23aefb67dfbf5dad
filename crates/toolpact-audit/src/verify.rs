//! Whether an audit is whole.

use std::fmt;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use crate::chain::{Sealed, digest_of, open};
use crate::head::{Found, Head};
use crate::{AuditError, AuditFile, Chain, Event};

/// Most problems that are told; the others are counted.
const MOST: usize = 100;

/// What an audit is found to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// How many files there are.
    pub files: usize,
    /// How many lines they have.
    pub lines: u64,
    /// How many of these are calls.
    pub calls: u64,
    /// The number and the hash of the last line. Who keeps them elsewhere can find them in the audit later.
    pub last: Option<(u64, Chain)>,
    /// Lines that were changed, moved, removed or cut off.
    pub problems: Vec<Finding>,
    /// How many more there are.
    pub more: u64,
    /// What the audit itself tells about lines that were torn or lost.
    pub notes: Vec<Finding>,
}

/// Something to know about a line of an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// What there is to know.
    pub message: String,
}

/// Checks all lines of all files in a directory.
pub fn verify(directory: &Path) -> Result<Report, AuditError> {
    // A server may write meanwhile: it writes the line first and then the head, so this is the other way round.
    let found = Head::read(directory)?;
    let files = AuditFile::list(directory)?;
    if files.is_empty() && found == Found::Nothing {
        return Err(AuditError::nothing(directory));
    }
    let mut check = Check {
        directory: directory.to_owned(),
        head: match found {
            Found::Head(head) => Some(head),
            Found::Nothing | Found::Unreadable => None,
        },
        ..Check::default()
    };
    for file in &files {
        check.file(file)?;
    }
    check.end(&files, found);
    Ok(check.report)
}

impl Report {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }
}

#[derive(Default)]
struct Check {
    directory: PathBuf,
    report: Report,
    /// Where the last line was.
    file: String,
    line: u64,
    /// The file before.
    number: Option<u64>,
    /// What the next line has to follow, as far as that is known.
    next: Option<u64>,
    before: Option<Chain>,
    /// The last file that was removed.
    removed: u64,
    head: Option<Head>,
    is_head_found: bool,
}

impl Check {
    fn file(&mut self, file: &AuditFile) -> Result<(), AuditError> {
        (self.file, self.line) = (file.name(), 0);
        self.report.files += 1;
        if let Some(number) = self.number.replace(file.number)
            && number + 1 != file.number
        {
            let found = file.number;
            let message = format!("expected the file {}, found {found}", number + 1);
            self.line = 1;
            self.problem(message);
            self.line = 0;
        }
        let read = AuditError::io("read", &file.path);
        let mut lines = BufReader::new(File::open(&file.path).map_err(&read)?);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).map_err(&read)? > 0 {
            self.line += 1;
            self.line(&line, file.number);
            line.clear();
        }
        if self.line == 0 {
            self.line = 1;
            self.problem("expected the line that begins the file, found nothing".to_owned());
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8], number: u64) {
        self.report.lines += 1;
        let Some(line) = line.strip_suffix(b"\n") else {
            (self.next, self.before) = (None, None);
            return self.problem("the line is not complete".to_owned());
        };
        let Some(sealed) = open(line) else {
            (self.next, self.before) = (self.next.map(|next| next + 1), None);
            return self.problem("this is no line of an audit".to_owned());
        };
        let event = Event::of_line(line);
        if self.line == 1 {
            self.first_line(event.as_ref(), number);
        }
        let is_good = self.follows(&sealed);
        (self.next, self.before) = (Some(sealed.seq.saturating_add(1)), Some(sealed.chain));
        self.report.last = Some((sealed.seq, sealed.chain));
        if self
            .head
            .is_some_and(|head| head.seq == sealed.seq && head.chain == sealed.chain)
        {
            self.is_head_found = true;
        }
        match event {
            Some(event) if is_good => self.event(&event),
            Some(_) => {}
            None => self.report.calls += 1,
        }
    }

    /// The first line of a file says which one it is, and what it follows.
    fn first_line(&mut self, event: Option<&Event>, number: u64) {
        let Some(Event::Opened { file, previous }) = event else {
            return self.problem("expected the line that begins the file".to_owned());
        };
        if *file != number {
            self.problem(format!(
                "expected the first line of the file {number}, found that of {file}"
            ));
        }
        if number == 1 {
            (self.next, self.before) = (Some(1), Some(Chain::START));
        }
        // What comes before the oldest file that is kept is not there any more.
        self.before = self.before.or(Some(*previous));
    }

    fn follows(&mut self, line: &Sealed<'_>) -> bool {
        let found = line.seq;
        if let Some(expected) = self.next.filter(|expected| *expected != found) {
            self.problem(match found.checked_sub(expected) {
                Some(missing) => format!("expected line {expected} of the audit, found {found}: {missing} missing"),
                None => format!("expected line {expected} of the audit, found {found} again or in the wrong place"),
            });
            return false;
        }
        let expected = self.before.map(|before| before.after(line.covered));
        if expected.is_some_and(|expected| expected != line.chain) {
            self.problem("the line was changed, or the one before it".to_owned());
            return false;
        }
        true
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Opened { .. }
            | Event::Started { .. }
            | Event::Quarantined { .. }
            | Event::Released { .. }
            | Event::Tool(_) => {}
            Event::Removed { file, .. } => self.removed = self.removed.max(*file),
            Event::Missing { expected, found } => {
                let missing = match expected {
                    Some(expected) => {
                        format!("lines {} to {expected} were", found.saturating_add(1))
                    }
                    None => "the end of the audit was".to_owned(),
                };
                self.problem(format!("{missing} missing when a server started"));
            }
            Event::Torn {
                bytes,
                digest,
                kept,
            } => self.torn(*bytes, digest, kept),
            Event::Lost { calls, since } => {
                let message =
                    format!("{calls} calls have no line: none could be written since {since}");
                self.note(message);
            }
        }
    }

    fn torn(&mut self, bytes: u64, digest: &str, kept: &str) {
        // The name is one that a server chose, and no path.
        let name = Path::new(kept).file_name().unwrap_or_default();
        match std::fs::read(self.directory.join(name)) {
            Ok(torn) if digest_of(&torn) == digest => {
                self.note(format!(
                    "a line was torn here, of which {bytes} bytes are in {kept}"
                ));
            }
            Ok(_) => self.problem(format!(
                "{kept} was changed, which has the rest of a torn line"
            )),
            Err(error) => {
                self.problem(format!(
                    "{kept}, which has the rest of a torn line, cannot be read: {error}"
                ));
            }
        }
    }

    fn end(&mut self, files: &[AuditFile], found: Found) {
        let last = self.report.last.map_or(0, |(seq, _)| seq);
        match found {
            Found::Nothing => self
                .problem("the file `head`, which says where the audit ends, is missing".to_owned()),
            Found::Unreadable => self.problem(
                "the file `head`, which says where the audit ends, was changed".to_owned(),
            ),
            Found::Head(head) if head.seq > last => {
                let missing = head.seq - last;
                self.problem(format!("{missing} lines are missing after this one"));
            }
            Found::Head(_) if self.is_head_found => {}
            Found::Head(head) => {
                self.problem(format!(
                    "line {} of the audit is not the one that `head` says",
                    head.seq
                ));
            }
        }
        let first = files
            .first()
            .filter(|first| first.number > self.removed.saturating_add(1));
        if let Some(first) = first {
            (self.file, self.line) = (first.name(), 1);
            let (from, to) = (self.removed + 1, first.number - 1);
            self.problem(format!(
                "the files {from} to {to} before this one are missing"
            ));
        }
    }

    fn problem(&mut self, message: String) {
        match self.report.problems.len() < MOST {
            true => self.report.problems.push(self.finding(message)),
            false => self.report.more += 1,
        }
    }

    fn note(&mut self, message: String) {
        self.report.notes.push(self.finding(message));
    }

    fn finding(&self, message: String) -> Finding {
        Finding {
            file: match self.file.is_empty() {
                true => "head".to_owned(),
                false => self.file.clone(),
            },
            line: self.line,
            message,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}
