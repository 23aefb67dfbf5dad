//! Runs one step, and keeps what the summary says about it.

use std::io::{self, BufRead, BufReader, IsTerminal};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// A step that has been run.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) passed: bool,
    pub(crate) took: Duration,
    /// The lines in which a test runner sums up what it ran.
    pub(crate) counts: Vec<String>,
}

/// Prints a line. Everything goes to one stream, so that a log has it in order. A reader
/// that went away, as in `cargo test-all | head`, is no reason to stop testing.
pub(crate) fn say(line: &str) {
    use io::Write;
    let _ = writeln!(io::stdout(), "{line}");
}

/// Runs `body` under a heading. It answers whether it passed, and its counts.
pub(crate) fn step(name: &'static str, body: impl FnOnce() -> (bool, Vec<String>)) -> Step {
    say(&format!("\n==> {name}"));
    let start = Instant::now();
    let (passed, counts) = body();
    Step {
        name,
        passed,
        took: start.elapsed(),
        counts,
    }
}

/// Runs a command as a step.
pub(crate) fn command_step(name: &'static str, command: Command) -> Step {
    step(name, || match show_and_run(command) {
        Ok((status, counts)) => (status.success(), counts),
        Err(error) => {
            say(&format!("cannot run it: {error}"));
            (false, Vec::new())
        }
    })
}

/// On a terminal the command draws its own progress. Anywhere else its output passes
/// through here, and the counts are kept for the end of the log.
fn show_and_run(mut command: Command) -> io::Result<(ExitStatus, Vec<String>)> {
    if io::stdout().is_terminal() {
        return Ok((command.status()?, Vec::new()));
    }
    let (reader, writer) = io::pipe()?;
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // It holds the writing end of the pipe; while that is open the reading never ends.
    drop(command);
    let mut counts = Counts::default();
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        say(&line);
        counts.see(line);
    }
    Ok((child.wait()?, counts.lines))
}

/// The lines in which cargo-nextest or `cargo test` sums up.
#[derive(Default)]
struct Counts {
    lines: Vec<String>,
    at_the_end: bool,
}

impl Counts {
    fn see(&mut self, line: String) {
        // After its summary cargo-nextest names the tests that failed, and nothing else.
        self.at_the_end |= line.trim_start().starts_with("Summary [");
        if self.at_the_end || line.starts_with("test result: ") {
            self.lines.push(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    fn counts_in(output: &str) -> String {
        let mut counts = Counts::default();
        output.lines().for_each(|line| counts.see(line.to_owned()));
        counts.lines.join("\n")
    }

    #[test]
    fn nextest_sums_up_and_names_what_failed() {
        let end =
            "     Summary [   0.1s] 2 tests run: 1 passed, 1 failed\n        FAIL [   0.1s] x";
        let output = format!("        FAIL [   0.1s] x\n    test result: FAILED. 0 passed\n{end}");
        assert_eq!(counts_in(&output), end);
    }

    #[test]
    fn cargo_test_sums_up_once_for_each_binary() {
        let output = "test a ... ok\ntest result: ok. 1 passed\n\ntest result: ok. 2 passed\n";
        assert_eq!(
            counts_in(output),
            "test result: ok. 1 passed\ntest result: ok. 2 passed"
        );
    }
}
