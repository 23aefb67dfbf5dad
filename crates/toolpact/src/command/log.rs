//! The stderr of a program: for the logs, never for a model.

use super::CommandFault;

/// Logs lines as they come, and all of them again if the program failed.
#[derive(Debug)]
pub(super) struct Log {
    program: Box<str>,
    limit: usize,
    kept: Vec<u8>,
    /// Where the line begins that is not complete yet.
    line: usize,
    /// Bytes beyond the limit.
    more: u64,
    has_ended: bool,
}

impl Log {
    pub(super) fn new(program: &str, limit: usize) -> Self {
        Self {
            program: program.into(),
            limit,
            kept: Vec::new(),
            line: 0,
            more: 0,
            has_ended: false,
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        let fits = bytes.len().min(self.limit - self.kept.len());
        let (kept, more) = bytes.split_at(fits);
        self.kept.extend_from_slice(kept);
        self.more += more.len() as u64;
        if kept.is_empty() {
            return;
        }
        while let Some(end) = self.kept[self.line..].iter().position(|b| *b == b'\n') {
            self.say(self.line + end);
        }
    }

    /// The program has ended, well or not. Returns the last lines.
    pub(super) fn end(mut self, error: Option<&CommandFault>) -> String {
        self.has_ended = true;
        if self.line < self.kept.len() {
            self.say(self.kept.len());
        }
        let (program, more) = (&*self.program, self.more);
        if more > 0 {
            tracing::debug!(target: "toolpact::command", program, more, "stderr was too long");
        }
        let stderr = &*String::from_utf8_lossy(&self.kept);
        if let Some(error) = error {
            tracing::warn!(target: "toolpact::command", program, error = error.to_string(), stderr, more, "the tool failed");
        }
        last_lines(stderr)
    }

    fn say(&mut self, end: usize) {
        let line = &*String::from_utf8_lossy(&self.kept[self.line..end]);
        tracing::debug!(target: "toolpact::command", program = &*self.program, line, "stderr");
        self.line = end + 1;
    }
}

/// Enough to find what went wrong, which most programs say last.
fn last_lines(text: &str) -> String {
    const LINES: usize = 20;
    let mut lines: Vec<&str> = text.lines().rev().take(LINES).collect();
    lines.reverse();
    lines.join("\n")
}

/// The call was dropped. Stderr may tell why it took so long.
impl Drop for Log {
    fn drop(&mut self) {
        if !self.has_ended {
            let (program, more) = (&*self.program, self.more);
            let stderr = &*String::from_utf8_lossy(&self.kept);
            tracing::warn!(target: "toolpact::command", program, stderr, more, "the tool was stopped");
        }
    }
}
