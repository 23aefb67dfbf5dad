//! A variable in the environment of programs, by which those are found that have left their process group.

use std::ffi::{OsStr, OsString};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The variable. Its value says which process started the program, and which of its programs it is.
pub(super) const NAME: &str = "TOOLPACT_PROGRAM";

static STARTED: AtomicU64 = AtomicU64::new(0);

/// How the values of this process begin: nobody else has the same, and it is no secret.
pub(super) fn of_process() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let nanos = now.map_or(0, |now| now.as_nanos());
        format!("{}-{nanos:x}.", std::process::id())
    })
}

/// The value for the next program.
pub(super) fn next() -> OsString {
    let number = STARTED.fetch_add(1, Ordering::Relaxed) + 1;
    format!("{}{number};", of_process()).into()
}

/// The value that a program will see.
pub(super) fn of(command: &std::process::Command) -> Option<String> {
    let mut set = command
        .get_envs()
        .filter(|(name, _)| *name == OsStr::new(NAME));
    set.next()?.1?.to_str().map(str::to_owned)
}

/// Whether any program was started with a mark.
pub(super) fn is_used() -> bool {
    STARTED.load(Ordering::Relaxed) > 0
}

/// Kills the processes whose mark begins like this, in whichever group or session they are.
#[cfg(target_os = "linux")]
pub(super) fn end(mark: &str) {
    use rustix::process::{Signal, kill_process};
    if mark.is_empty() {
        return;
    }
    let wanted = format!("{NAME}={mark}");
    // Who is about to start another is not missed.
    for _ in 0..5 {
        let found = marked(wanted.as_bytes());
        if found.is_empty() {
            return;
        }
        for process in found {
            // It may be gone by now.
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn end(_: &str) {}

#[cfg(target_os = "linux")]
fn marked(wanted: &[u8]) -> Vec<rustix::process::Pid> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten();
    let found = processes.filter_map(|process| {
        let process = process.ok()?;
        let id: i32 = process.file_name().to_str()?.parse().ok()?;
        let environment = std::fs::read(process.path().join("environ")).ok()?;
        let is_marked = environment
            .split(|byte| *byte == 0)
            .any(|one| one.starts_with(wanted));
        let is_other = u32::try_from(id).ok() != Some(std::process::id());
        rustix::process::Pid::from_raw(id).filter(|_| is_marked && is_other)
    });
    found.collect()
}
