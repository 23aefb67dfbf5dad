//! The process groups that are running. A process that exits drops nothing, so its groups would outlive
//! it: they are killed here.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

#[cfg(unix)]
use rustix::process::Pid;

#[cfg(unix)]
use super::{mark, watcher};

/// Systems without process groups have no id for them.
#[cfg(not(unix))]
type Pid = std::convert::Infallible;

static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Whether all were killed. It is locked while a program starts, so that none is missed.
static ENDED: RwLock<bool> = RwLock::new(false);

/// Starts a program, unless all were killed.
pub(super) fn unless_ended<T>(start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let ended = ENDED.read().unwrap_or_else(PoisonError::into_inner);
    match *ended {
        true => Err(io::Error::other(
            "this process is about to exit, and starts no more programs",
        )),
        false => start(),
    }
}

#[cfg(unix)]
pub(super) fn add(group: Pid) {
    let mut groups = groups();
    groups.push(group);
    watcher::add(group, &groups);
}

#[cfg(unix)]
pub(super) fn remove(group: Pid) {
    let mut groups = groups();
    if let Some(at) = groups.iter().position(|one| *one == group) {
        groups.swap_remove(at);
        watcher::remove(group, &groups);
    }
}

fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs that this process has started for tools, MCP servers and scripts, with all
/// processes they have started. No other starts after this.
///
/// Call it before the process exits. A call that is dropped kills its program, but calls that run when
/// a process exits are not dropped, and their programs would outlive it.
///
/// The programs get SIGTERM, and SIGKILL 200 ms later. On Linux, processes that have left the group of
/// their program are killed, too, unless they have replaced their environment. On systems without process
/// groups, this only keeps others from starting.
///
/// ```
/// // Nothing runs, and nothing is waited for.
/// toolpact::process::end_all();
/// ```
pub fn end_all() {
    *ENDED.write().unwrap_or_else(PoisonError::into_inner) = true;
    #[cfg(unix)]
    end_groups();
}

#[cfg(unix)]
fn end_groups() {
    let ending = std::mem::take(&mut *groups());
    end(&ending, leads);
    if mark::is_used() {
        mark::end(mark::of_process());
    }
    for group in ending {
        watcher::remove(group, &[]);
    }
}

/// Ends groups, and waits for those of which `is_there` says so.
#[cfg(unix)]
pub(super) fn end(groups: &[Pid], is_there: fn(Pid) -> bool) {
    use rustix::process::{Signal, kill_process_group};
    use std::time::{Duration, Instant};

    let all = |signal| {
        for group in groups {
            // An empty group is fine.
            let _ = kill_process_group(*group, signal);
        }
    };
    all(Signal::TERM);
    let patience = Instant::now() + Duration::from_millis(200);
    while Instant::now() < patience && groups.iter().any(|group| is_there(*group)) {
        std::thread::sleep(Duration::from_millis(2));
    }
    all(Signal::KILL);
}

/// Whether the leader of the group is still running. It is reaped elsewhere.
#[cfg(unix)]
fn leads(group: Pid) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    matches!(waitid(WaitId::Pid(group), options), Ok(None))
}
