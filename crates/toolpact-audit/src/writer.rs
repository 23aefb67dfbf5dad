//! Writes lines to files, each chained to the one before.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;
use toolpact::private_files;

use crate::chain::seal;
use crate::head::{Found, Head};
use crate::recover::Tail;
use crate::{AuditConfig, AuditError, AuditFile, Chain, Event, Fsync, Keep, Rotate};

/// What the number and the hash of a line add to it, roughly.
const SEAL: u64 = 110;

/// Memory for lines that is kept for the next ones.
const KEPT: usize = 1 << 20;

const DAY: i64 = 86_400;

pub(crate) struct Writer {
    directory: PathBuf,
    rotate: Rotate,
    keep: Keep,
    fsync: Fsync,
    current: AuditFile,
    file: File,
    /// The bytes of the file, and those that it had before its first call.
    length: u64,
    first: u64,
    /// The day it was begun on.
    day: i64,
    head: File,
    /// Where the lines end that were written.
    written: Head,
    seq: u64,
    chain: Chain,
    /// Lines that are not written yet.
    unwritten: Vec<u8>,
    /// Files that are complete, but may not be on the disk yet.
    complete: Vec<File>,
    is_rotation_failing: bool,
    is_head_failing: bool,
    /// Held for as long as this process writes.
    _lock: File,
}

impl Writer {
    /// Goes on where the last server ended, however that came about.
    pub(crate) fn open(config: &AuditConfig) -> Result<Self, AuditError> {
        let directory = config.directory.as_path();
        private_files::create_folder(directory).map_err(AuditError::io("make", directory))?;
        let lock = lock(directory)?;
        let files = AuditFile::list(directory)?;
        let found = Head::read(directory)?;
        let mut end = End::of(&files)?;
        let (today, day) = today();
        let current = end.file.take();
        let current = current.unwrap_or_else(|| AuditFile::new(directory, &day, 1));
        let file = append_to(&current.path).map_err(AuditError::io("write", &current.path))?;
        let mut writer = Self {
            directory: directory.to_owned(),
            rotate: config.rotate,
            keep: config.keep,
            fsync: config.fsync,
            file,
            length: end.length,
            first: u64::MAX,
            day: day_of(&current.day).unwrap_or(today),
            current,
            head: Head::create(directory)?,
            written: Head {
                seq: end.seq,
                chain: end.chain,
            },
            seq: end.seq,
            chain: end.chain,
            unwritten: Vec::new(),
            complete: Vec::new(),
            is_rotation_failing: false,
            is_head_failing: false,
            _lock: lock,
        };
        writer.say_what_was_found(end, found);
        let path = &writer.current.path.clone();
        let written = writer.write().and_then(|()| writer.write_head());
        written.map_err(AuditError::io("write", path))?;
        writer.first = writer.length;
        Ok(writer)
    }

    fn say_what_was_found(&mut self, end: End, found: Found) {
        if self.length == 0 {
            self.event(&Event::Opened {
                file: self.current.number,
                previous: self.chain,
            });
        }
        if let Some(torn) = end.torn {
            tracing::warn!(target: "toolpact::audit", ?torn, "the last line of the audit was torn, and is kept aside");
            self.event(&torn);
        }
        let expected = match found {
            Found::Head(head) => Some(head.seq),
            Found::Nothing | Found::Unreadable => None,
        };
        let is_missing = match expected {
            Some(expected) => expected > end.seq,
            // Only the first server finds no head.
            None => end.seq > 0 || found == Found::Unreadable,
        };
        if is_missing {
            let found = end.seq;
            tracing::error!(target: "toolpact::audit", expected, found, "lines of the audit are missing");
            self.event(&Event::Missing { expected, found });
        }
        self.event(&Event::Started {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            process: std::process::id(),
        });
    }

    /// Adds lines, each a JSON object that ends at one of these places. They are not written yet.
    pub(crate) fn add(&mut self, objects: &[u8], ends: &[usize]) {
        let today = match self.rotate.daily {
            true => day_number(Timestamp::now()),
            false => self.day,
        };
        let mut start = 0;
        for end in ends {
            let object = objects.get(start..*end).unwrap_or_default();
            start = *end;
            if today != self.day || self.is_full(object.len()) {
                self.rotate_or_say();
            }
            self.seal(object);
        }
    }

    pub(crate) fn event(&mut self, event: &Event) {
        self.seal(&event.to_line());
    }

    /// Writes what was added. What could not be written is tried again the next time.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        let mut done = 0;
        let written = loop {
            let rest = self.unwritten.get(done..).unwrap_or_default();
            if rest.is_empty() {
                break Ok(());
            }
            match self.file.write(rest) {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(some) => done += some,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.length += u64::try_from(done).unwrap_or(u64::MAX);
        self.unwritten.drain(..done);
        written?;
        if done > 0 {
            self.unwritten.shrink_to(KEPT);
            let (seq, chain) = (self.seq, self.chain);
            self.written = Head { seq, chain };
        }
        Ok(())
    }

    /// Writes where the audit ends. It is behind the lines until then, and never ahead of them.
    pub(crate) fn write_head(&self) -> io::Result<()> {
        self.written.write(&self.head)
    }

    /// The same where lines are more important.
    pub(crate) fn write_head_or_say(&mut self) {
        let written = self.write_head();
        if let Err(error) = &written
            && !self.is_head_failing
        {
            tracing::error!(target: "toolpact::audit", %error, "where the audit ends cannot be written");
        }
        self.is_head_failing = written.is_err();
    }

    /// How much waits to be written.
    pub(crate) fn waiting(&self) -> usize {
        self.unwritten.len()
    }

    /// The files that have to be told to the disk, so that nobody who writes has to wait for it.
    pub(crate) fn files_to_sync(&mut self) -> io::Result<Vec<File>> {
        let mut files = std::mem::take(&mut self.complete);
        files.push(self.file.try_clone()?);
        Ok(files)
    }

    fn seal(&mut self, object: &[u8]) {
        self.seq += 1;
        self.chain = seal(object, self.seq, self.chain, &mut self.unwritten);
    }

    fn is_full(&self, line: usize) -> bool {
        let length = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX);
        let so_far = self.length.saturating_add(length(self.unwritten.len()));
        let then = so_far.saturating_add(length(line)).saturating_add(SEAL);
        so_far > self.first && then > self.rotate.bytes.get()
    }

    /// A file that cannot be begun is no reason to write nothing.
    fn rotate_or_say(&mut self) {
        let rotated = self.rotate_now();
        if let Err(error) = &rotated
            && !self.is_rotation_failing
        {
            tracing::error!(target: "toolpact::audit", %error, "no new file can be begun, so the old one is used");
        }
        self.is_rotation_failing = rotated.is_err();
    }

    fn rotate_now(&mut self) -> io::Result<()> {
        self.write()?;
        let (today, day) = today();
        let next = AuditFile::new(&self.directory, &day, self.current.number + 1);
        let file = append_to(&next.path)?;
        let complete = std::mem::replace(&mut self.file, file);
        // If nobody syncs, nobody takes them.
        if self.fsync != Fsync::None {
            sync_directory(&self.directory)?;
            self.complete.push(complete);
        }
        (self.current, self.length, self.day) = (next, 0, today);
        self.event(&Event::Opened {
            file: self.current.number,
            previous: self.chain,
        });
        self.remove_old()?;
        self.write()?;
        self.first = self.length;
        Ok(())
    }

    /// That a file is removed is written down before it is.
    fn remove_old(&mut self) -> io::Result<()> {
        if self.keep == Keep::default() {
            return Ok(());
        }
        let files = AuditFile::list(&self.directory).map_err(io::Error::other)?;
        let count = files.len();
        let of_others = files.into_iter().enumerate();
        let of_others = of_others.filter(|(_, file)| file.number < self.current.number);
        for (place, file) in of_others.collect::<Vec<_>>() {
            let most = self.keep.files.map(|most| most.get() as usize);
            let is_too_many = most.is_some_and(|most| count - place > most);
            let days = self.keep.days.map(|days| i64::from(days.get()));
            let began = day_of(&file.day);
            let is_too_old =
                days.is_some_and(|days| began.is_some_and(|day| self.day - day >= days));
            if is_too_many || is_too_old {
                let (number, name) = (file.number, file.name());
                self.event(&Event::Removed { file: number, name });
                self.write()?;
                std::fs::remove_file(&file.path)?;
            }
        }
        Ok(())
    }
}

/// Where the audit ends.
struct End {
    /// The last file, if there is one.
    file: Option<AuditFile>,
    length: u64,
    seq: u64,
    chain: Chain,
    torn: Option<Event>,
}

impl End {
    fn of(files: &[AuditFile]) -> Result<Self, AuditError> {
        let mut end = Self {
            file: files.last().cloned(),
            length: 0,
            seq: 0,
            chain: Chain::START,
            torn: None,
        };
        for (place, file) in files.iter().rev().enumerate() {
            let tail = Tail::read(&file.path)?;
            if place == 0 {
                end.length = tail.whole;
                end.torn = tail.set_aside(file)?;
            }
            // A file may have been begun, and nothing more.
            if let Some((seq, chain)) = tail.last {
                (end.seq, end.chain) = (seq, chain);
                break;
            }
        }
        Ok(end)
    }
}

/// Two servers would break each other's chain.
fn lock(directory: &Path) -> Result<File, AuditError> {
    let path = directory.join("lock");
    let mut options = private_files::options();
    let file = options.write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(AuditError::io("write", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(AuditError::in_use(directory)),
        Err(std::fs::TryLockError::Error(error)) => Err(AuditError::io("lock", &path)(error)),
    }
}

fn append_to(path: &Path) -> io::Result<File> {
    private_files::options()
        .append(true)
        .create(true)
        .open(path)
}

/// That a file is there is known to the disk only after this.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

fn day_number(time: Timestamp) -> i64 {
    time.as_second().div_euclid(DAY)
}

/// The number of this day in UTC, and how it is written.
fn today() -> (i64, String) {
    let now = Timestamp::now();
    (day_number(now), now.to_string().chars().take(10).collect())
}

fn day_of(day: &str) -> Option<i64> {
    let date: Date = day.parse().ok()?;
    let start = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(day_number(start.timestamp()))
}
