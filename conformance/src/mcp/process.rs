//! A program that is talked to in lines, and that does not outlive its guard.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Longest wait for a line. Node takes a second to start, and more on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<io::Result<String>>,
}

impl Process {
    /// Starts a program. What it says on standard error is for the people who read the test.
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = pipes else {
            unreachable!("both are piped");
        };
        Ok(Self {
            child,
            input,
            lines: lines_of(output),
        })
    }

    pub(super) fn write_line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.input, "{line}")
    }

    pub(super) fn read_line(&mut self) -> io::Result<String> {
        let line = self.lines.recv_timeout(PATIENCE);
        line.map_err(|why| io::Error::other(format!("no answer: {why}")))?
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only for a program that has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads in a thread of its own, which alone can be waited for with a time limit. It ends with
/// the program.
fn lines_of(output: ChildStdout) -> Receiver<io::Result<String>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let lines = BufReader::new(output).lines();
        // A receiver that is gone wants no more.
        lines.map(|line| sender.send(line)).find(Result::is_err)
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::Process;
    use std::process::Command;

    fn cat() -> Process {
        Process::start(Command::new("cat")).unwrap()
    }

    #[test]
    fn lines_come_back() {
        let mut cat = cat();
        cat.write_line("one").unwrap();
        cat.write_line("two").unwrap();
        assert_eq!(cat.read_line().unwrap(), "one");
        assert_eq!(cat.read_line().unwrap(), "two");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_panic_ends_the_program_too() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let panicked = std::thread::spawn(move || {
            let cat = cat();
            sender.send(cat.child.id()).unwrap();
            panic!("on purpose");
        });
        assert!(panicked.join().is_err());
        let proc = format!("/proc/{}", receiver.recv().unwrap());
        assert!(!std::path::Path::new(&proc).exists());
    }

    #[test]
    fn a_program_that_ended_has_no_answer() {
        let mut ended = Process::start(Command::new("true")).unwrap();
        let why = ended.read_line().unwrap_err();
        assert!(why.to_string().starts_with("no answer"), "{why}");
    }
}
