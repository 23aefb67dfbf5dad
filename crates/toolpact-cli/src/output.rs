//! Standard output and standard error.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Context;

/// Errors that keep the program from running.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Advice.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Success.
pub(crate) const FINE: Style = AnsiColor::Green.on_default().bold();
/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();

/// Standard output. If it cannot be written, the program continues, so that everything else is
/// still done and its exit status is right. A closed pipe is ignored; any other error is reported
/// once, at the end.
pub(crate) struct Output {
    /// With colours, if they are supported.
    inner: Box<dyn Write>,
    /// The same, without any conversion.
    plain: Box<dyn Write>,
    is_terminal: bool,
    closed: bool,
    /// Whether nothing waits to be written. A flush may block: a server writes to the same pipe by other
    /// means, and its client need not read.
    flushed: bool,
    error: Option<io::Error>,
}

impl Output {
    /// Not locked: a server writes to it from elsewhere.
    pub(crate) fn stdout() -> Self {
        Self::to(anstream::stdout(), io::stdout())
    }

    pub(crate) fn stderr() -> Self {
        Self::to(anstream::stderr(), io::stderr())
    }

    fn to(inner: impl Write + 'static, plain: impl Write + IsTerminal + 'static) -> Self {
        Self {
            inner: Box::new(inner),
            is_terminal: plain.is_terminal(),
            plain: Box::new(plain),
            closed: false,
            flushed: true,
            error: None,
        }
    }

    /// Whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes text from outside. Programs get it unchanged; for a terminal it is made [`visible`].
    pub(crate) fn write_foreign(&mut self, text: &str) {
        if !self.closed {
            self.flushed = false;
            let result = match self.is_terminal {
                true => self.plain.write_all(visible(text).as_bytes()),
                false => self.plain.write_all(text.as_bytes()),
            };
            self.close_on_error(result);
        }
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        self.flush()?;
        match self.error.take() {
            Some(error) => Err(error).context("cannot write to standard output"),
            None => Ok(()),
        }
    }

    fn close_on_error(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.closed = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.error = Some(error);
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.closed {
            self.flushed = false;
            let result = self.inner.write_all(bytes);
            self.close_on_error(result);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.closed && !self.flushed {
            self.flushed = true;
            let result = self.inner.flush();
            self.close_on_error(result);
        }
        Ok(())
    }
}

/// Reports an error on standard error.
pub(crate) fn complain(error: &anyhow::Error) {
    // If standard error is closed, the error cannot be reported.
    let message = printable(&with_causes(error));
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {message}");
}

/// The message and its causes. A cause that the message already contains is not repeated.
fn with_causes(error: &anyhow::Error) -> String {
    let causes = error.chain().map(ToString::to_string);
    let whole = causes.reduce(|message, cause| match message.contains(&cause) {
        true => message,
        false => format!("{message}: {cause}"),
    });
    whole.unwrap_or_default()
}

/// One line without [commands](is_command): names of files and keys can contain anything.
pub(crate) fn printable(text: &str) -> String {
    text.replace(is_command, "\u{fffd}")
}

/// Without [commands](is_command). Line breaks are kept.
pub(crate) fn visible(text: &str) -> String {
    text.replace(|c| is_command(c) && c != '\n' && c != '\t', "\u{fffd}")
}

/// Whether a character tells a terminal what to do, ends a line, or changes the order in which a line is
/// shown.
pub(crate) fn is_command(c: char) -> bool {
    let is_separator = matches!(c, '\u{2028}' | '\u{2029}');
    let is_bidi = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || is_separator || is_bidi
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
    use super::{count, printable, thousands, visible};

    #[test]
    fn terminals_are_not_told_what_to_do() {
        assert_eq!(
            printable("a\u{1b}[2J\nb\u{9b}é"),
            "a\u{fffd}[2J\u{fffd}b\u{fffd}é"
        );
        assert_eq!(
            visible("a\u{1b}[2J\r\n\tb\u{9b}é"),
            "a\u{fffd}[2J\u{fffd}\n\tb\u{fffd}é"
        );
        for text in [
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{200f}b",
            "a\u{2028}b",
            "a\u{7f}b",
        ] {
            assert_eq!(printable(text), "a\u{fffd}b", "{text:?}");
            assert_eq!(visible(text), "a\u{fffd}b", "{text:?}");
        }
    }

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
