//! A process beside this one, which ends the programs that this one leaves behind when it is killed.

use std::io::{self, BufRead as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::Pid;

use super::{live_groups, mark};

static WATCHER: Mutex<Watcher> = Mutex::new(Watcher {
    command: None,
    running: None,
    failures: 0,
});

/// How often a watcher that cannot be told anything is replaced.
const MOST_FAILURES: u32 = 3;

struct Watcher {
    command: Option<fn() -> io::Result<Command>>,
    running: Option<(Child, ChildStdin)>,
    failures: u32,
}

/// From now on, programs do not outlive this process even if it is killed: a watcher is started beside
/// it, with the first of them. The command has to run [`watch`], and nothing else.
pub fn watch_with(command: fn() -> io::Result<Command>) {
    lock().command = Some(command);
}

/// What a watcher does: it reads its standard input until the process that started it is gone, and ends
/// the programs that are left then.
pub fn watch() {
    let mut groups: Vec<Pid> = Vec::new();
    let mut marked = String::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match (line.get(..1), line.get(1..)) {
            (Some("="), Some(mark)) => mark.clone_into(&mut marked),
            (Some("+"), Some(id)) => groups.extend(group(id)),
            (Some("-"), Some(id)) => groups.retain(|one| Some(*one) != group(id)),
            _ => {}
        }
    }
    live_groups::end(&groups, |group| {
        rustix::process::test_kill_process_group(group).is_ok()
    });
    mark::end(&marked);
}

fn group(id: &str) -> Option<Pid> {
    Pid::from_raw(id.parse().ok()?)
}

/// A program has started; `all` are those that run now.
pub(super) fn add(group: Pid, all: &[Pid]) {
    let mut watcher = lock();
    match watcher.running.is_some() {
        true => watcher.tell(&format!("+{group}\n"), all),
        false => watcher.start(all),
    }
}

/// A program has ended; `all` are those that run now.
pub(super) fn remove(group: Pid, all: &[Pid]) {
    let mut watcher = lock();
    if watcher.running.is_some() {
        watcher.tell(&format!("-{group}\n"), all);
    }
}

impl Watcher {
    fn start(&mut self, groups: &[Pid]) {
        let Some(command) = self.command.filter(|_| self.failures < MOST_FAILURES) else {
            return;
        };
        match begin(command, groups) {
            Ok(running) => self.running = Some(running),
            Err(error) => {
                self.failures += 1;
                tracing::warn!(target: "toolpact", %error, "programs may outlive this process if it is killed");
            }
        }
    }

    fn tell(&mut self, line: &str, groups: &[Pid]) {
        let Some((_, input)) = &mut self.running else {
            return;
        };
        // Lines are shorter than what a pipe takes as a whole.
        if input.write_all(line.as_bytes()).is_err() {
            self.failures += 1;
            self.stop();
            self.start(groups);
        }
    }

    /// Kills it before its input ends: that would mean that this process is gone.
    fn stop(&mut self) {
        if let Some((mut child, input)) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
            drop(input);
        }
    }
}

fn begin(command: fn() -> io::Result<Command>, groups: &[Pid]) -> io::Result<(Child, ChildStdin)> {
    use std::os::unix::process::CommandExt as _;
    let mut command = command()?;
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .current_dir("/")
        // Ctrl-C is for this process.
        .process_group(0);
    let mut child = command.spawn()?;
    let mut input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    // One that does not read must not keep calls from starting.
    rustix::io::ioctl_fionbio(&input, true)?;
    let mut lines = format!("={}\n", mark::of_process());
    lines.extend(groups.iter().map(|group| format!("+{group}\n")));
    input.write_all(lines.as_bytes())?;
    Ok((child, input))
}

fn lock() -> MutexGuard<'static, Watcher> {
    WATCHER.lock().unwrap_or_else(PoisonError::into_inner)
}
