use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::Context;

use super::progress::Progress;
use crate::lines::Lines;

/// A file of lines that is being read.
pub(super) struct Stream {
    pub(super) name: String,
    /// How many lines there were so far, blank ones left out.
    pub(super) lines: usize,
    /// How many of them had an error.
    pub(super) invalid: usize,
    reader: Lines<BufReader<Box<dyn Read>>>,
}

/// A line that stands on its own.
pub(super) struct OwnedLine {
    pub(super) number: usize,
    pub(super) bytes: Vec<u8>,
}

impl Stream {
    pub(super) fn open(
        path: &Path,
        longest_line: usize,
        progress: &mut Progress,
    ) -> anyhow::Result<Self> {
        let cannot_read = || format!("cannot read {}", path.display());
        let (name, input, length): (_, Box<dyn Read>, _) = if path.as_os_str() == "-" {
            ("<stdin>".to_owned(), Box::new(io::stdin()), None)
        } else {
            let file = File::open(path).with_context(cannot_read)?;
            let metadata = file.metadata().with_context(cannot_read)?;
            anyhow::ensure!(!metadata.is_dir(), "{}: it is a directory", cannot_read());
            let length = metadata.is_file().then_some(metadata.len());
            (path.display().to_string(), Box::new(file), length)
        };
        let input: Box<dyn Read> = Box::new(progress.add(input, &name, length));
        let reader = Lines::new(BufReader::with_capacity(1 << 16, input), longest_line);
        Ok(Self {
            name,
            lines: 0,
            invalid: 0,
            reader,
        })
    }

    pub(super) fn next(&mut self) -> anyhow::Result<Option<OwnedLine>> {
        let line = self
            .reader
            .next()
            .with_context(|| format!("cannot read {}", self.name))?;
        let line = line.map(|line| OwnedLine {
            number: line.number,
            bytes: line.bytes.to_vec(),
        });
        self.lines += usize::from(line.is_some());
        Ok(line)
    }
}
