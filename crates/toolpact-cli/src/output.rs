//! Standard output and standard error.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

/// Errors that keep the program from running.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Advice.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// What is well.
pub(crate) const FINE: Style = AnsiColor::Green.on_default().bold();
/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();

/// Standard output. If whoever reads it goes away, the program goes on without a word, so that
/// its exit status still tells the truth.
pub(crate) struct Output {
    inner: Box<dyn Write>,
    closed: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Self {
            inner: Box::new(anstream::stdout().lock()),
            closed: false,
        }
    }

    pub(crate) fn stderr() -> Self {
        Self {
            inner: Box::new(anstream::stderr().lock()),
            closed: false,
        }
    }

    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        Ok(self.flush()?)
    }

    fn unless_closed<T: Default>(&mut self, result: io::Result<T>) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(T::default())
            }
            other => other,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.write_all(bytes);
        self.unless_closed(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.flush();
        self.unless_closed(result)
    }
}

/// Says on standard error why the program cannot do what was asked.
pub(crate) fn complain(error: &anyhow::Error) {
    // If nobody listens there is nobody to tell.
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {error:#}");
}

/// "1 error", "2 errors", "1,000 errors".
pub(crate) fn count(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(n))
}

/// "1,234,567".
pub(crate) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{count, thousands};

    #[test]
    fn numbers_for_people() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "error"), "1 error");
        assert_eq!(count(2, "error"), "2 errors");
    }
}
