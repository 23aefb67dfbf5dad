use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::lines::Lines;

/// A file of lines that is being read, with a progress bar if someone is watching.
pub(super) struct Stream {
    pub(super) name: String,
    /// How many lines there were so far, blank ones left out.
    pub(super) lines: usize,
    /// How many of them had an error.
    pub(super) invalid: usize,
    pub(super) bar: ProgressBar,
    reader: Lines<BufReader<Box<dyn Read>>>,
}

/// A line that stands on its own.
pub(super) struct OwnedLine {
    pub(super) number: usize,
    pub(super) bytes: Vec<u8>,
}

impl Stream {
    pub(super) fn open(path: &Path, longest_line: usize) -> anyhow::Result<Self> {
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
        let bar = progress_bar(length, &name);
        let input: Box<dyn Read> = Box::new(bar.wrap_read(input));
        let reader = Lines::new(BufReader::with_capacity(1 << 16, input), longest_line);
        Ok(Self {
            name,
            lines: 0,
            invalid: 0,
            bar,
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

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Drawn on standard error, and only if that is a terminal.
fn progress_bar(length: Option<u64>, name: &str) -> ProgressBar {
    let (bar, template) = match length {
        Some(length) => (
            ProgressBar::new(length),
            "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} to go",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {msg} {bytes} in {elapsed}",
        ),
    };
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(name.to_owned())
}
