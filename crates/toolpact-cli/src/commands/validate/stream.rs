use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;

use super::progress::Progress;
use crate::lines::{Block, Lines};

/// A file that is read line by line.
pub(crate) struct Stream {
    pub(crate) name: String,
    reader: Lines<Box<dyn Read + Send>>,
}

impl Stream {
    pub(crate) fn open(
        path: &Path,
        longest_line: usize,
        progress: &mut Progress,
    ) -> anyhow::Result<Self> {
        let cannot_read = || format!("cannot read {}", path.display());
        let (name, input, length): (_, Box<dyn Read + Send>, _) = if path.as_os_str() == "-" {
            ("<stdin>".to_owned(), Box::new(io::stdin()), None)
        } else {
            let file = File::open(path).with_context(cannot_read)?;
            let metadata = file.metadata().with_context(cannot_read)?;
            anyhow::ensure!(!metadata.is_dir(), "{}: it is a directory", cannot_read());
            let length = metadata.is_file().then_some(metadata.len());
            (path.display().to_string(), Box::new(file), length)
        };
        let input: Box<dyn Read + Send> = Box::new(progress.add(input, &name, length));
        Ok(Self {
            name,
            reader: Lines::new(input, longest_line),
        })
    }

    fn read_into(&mut self, block: &mut Block) -> anyhow::Result<bool> {
        let read = self.reader.read_into(block);
        read.with_context(|| format!("cannot read {}", self.name))
    }
}

/// The streams of calls and results, as far as they are given, in blocks. If one stream is longer,
/// the rest of it comes alone.
pub(crate) struct Pairs {
    pub(crate) calls: Option<Stream>,
    pub(crate) results: Option<Stream>,
    /// Why it broke off, to be reported after the current block.
    broken: Option<anyhow::Error>,
}

/// Calls and results: the n-th result belongs to the n-th call.
#[derive(Debug, Default)]
pub(crate) struct PairBlock {
    pub(crate) calls: Block,
    pub(crate) results: Block,
}

/// The most bytes of a block, unless a line is longer.
const LARGEST: usize = 1 << 17;

impl Pairs {
    pub(crate) fn new(calls: Option<Stream>, results: Option<Stream>) -> Self {
        Self {
            calls,
            results,
            broken: None,
        }
    }

    /// Adds a line of each; `false` if both have ended.
    fn read_into(&mut self, block: &mut PairBlock) -> anyhow::Result<bool> {
        let mut any = false;
        if let Some(calls) = &mut self.calls {
            any |= calls.read_into(&mut block.calls)?;
        }
        if let Some(results) = &mut self.results {
            any |= results.read_into(&mut block.results)?;
        }
        Ok(any)
    }

    /// Whether a line of each can be read without blocking. A client that sends one line and waits
    /// for its verdict must not wait for a full block.
    fn is_ready(&mut self) -> bool {
        let mut streams = self.calls.iter_mut().chain(&mut self.results);
        streams.all(|stream| stream.reader.is_ready())
    }
}

impl Iterator for Pairs {
    type Item = anyhow::Result<PairBlock>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(broken) = self.broken.take() {
            (self.calls, self.results) = (None, None);
            return Some(Err(broken));
        }
        let mut block = PairBlock::default();
        loop {
            match self.read_into(&mut block) {
                Ok(true) => {}
                Ok(false) => break,
                Err(broken) => {
                    self.broken = Some(broken);
                    break;
                }
            }
            if block.size() >= LARGEST || !self.is_ready() {
                break;
            }
        }
        let any = block.calls.len() + block.results.len() > 0 || self.broken.is_some();
        any.then_some(Ok(block))
    }
}

impl PairBlock {
    fn size(&self) -> usize {
        self.calls.size() + self.results.size()
    }
}
