use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use crate::{AuditError, AuditFile};

/// Reads the lines of an audit, the oldest first, and those that come later.
#[derive(Debug)]
pub struct Follow {
    directory: PathBuf,
    current: Option<(AuditFile, BufReader<File>)>,
    line: Vec<u8>,
}

impl Follow {
    /// The lines of an audit in this directory.
    pub fn new(directory: &Path) -> Result<Self, AuditError> {
        if AuditFile::list(directory)?.is_empty() {
            return Err(AuditError::nothing(directory));
        }
        Ok(Self {
            directory: directory.to_owned(),
            current: None,
            line: Vec::new(),
        })
    }

    /// The next line, without its end; `None` if there is none yet. A line that is not complete comes when it is.
    pub fn next_line(&mut self) -> Result<Option<String>, AuditError> {
        if self.read()? {
            return Ok(Some(self.take()));
        }
        let Some(next) = self.next_file()? else {
            return Ok(None);
        };
        // The last line of the file before may have come in between. What is no line is for `verify` to tell.
        if self.read()? {
            return Ok(Some(self.take()));
        }
        self.line.clear();
        let opened = File::open(&next.path).map_err(AuditError::io("read", &next.path))?;
        self.current = Some((next, BufReader::new(opened)));
        self.next_line()
    }

    /// Whether there is a whole line now.
    fn read(&mut self) -> Result<bool, AuditError> {
        let Some((file, reader)) = &mut self.current else {
            return Ok(false);
        };
        let read = reader.read_until(b'\n', &mut self.line);
        read.map_err(AuditError::io("read", &file.path))?;
        Ok(self.line.ends_with(b"\n"))
    }

    fn take(&mut self) -> String {
        let line = String::from_utf8_lossy(self.line.trim_ascii_end()).into_owned();
        self.line.clear();
        line
    }

    fn next_file(&self) -> Result<Option<AuditFile>, AuditError> {
        let number = self.current.as_ref().map_or(0, |(file, _)| file.number);
        let mut files = AuditFile::list(&self.directory)?.into_iter();
        Ok(files.find(|file| file.number > number))
    }
}
