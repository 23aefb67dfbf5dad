//! The groups that are there, for a program that is about to exit: nothing is dropped then, and they
//! would go on without it.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

#[cfg(unix)]
use rustix::process::Pid;

/// On systems without process groups there is nothing to know them by.
#[cfg(not(unix))]
type Pid = std::convert::Infallible;

static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Whether all have been ended. It is held while a program starts, so that none is overlooked.
static ENDED: RwLock<bool> = RwLock::new(false);

/// Starts something, unless all have been ended.
pub(super) fn unless_ended<T>(start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let ended = ENDED.read().unwrap_or_else(PoisonError::into_inner);
    match *ended {
        true => Err(io::Error::other(
            "this process is about to exit, and starts no more programs",
        )),
        false => start(),
    }
}

pub(super) fn add(group: Pid) {
    groups().push(group);
}

pub(super) fn remove(group: Pid) {
    let mut groups = groups();
    if let Some(at) = groups.iter().position(|one| *one == group) {
        groups.swap_remove(at);
    }
}

fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs that this process has started for tools, MCP servers and scripts, with everyone
/// they have started. No other starts after this.
///
/// It is for programs that are about to exit, however they came to that. A call that is dropped ends
/// its program, but the calls that run when a process exits are not dropped, and their programs would
/// outlive it.
///
/// The programs are asked to end, and killed if they have not after a fifth of a second. On systems
/// without process groups, this only keeps others from starting.
///
/// ```
/// // Nothing runs, and nothing is waited for.
/// toolpact::process::end_all();
/// ```
pub fn end_all() {
    *ENDED.write().unwrap_or_else(PoisonError::into_inner) = true;
    #[cfg(unix)]
    end(&std::mem::take(&mut *groups()));
}

#[cfg(unix)]
fn end(groups: &[Pid]) {
    use rustix::process::{Signal, kill_process_group};
    use std::time::{Duration, Instant};

    let all = |signal| {
        for group in groups {
            // No one there is what is wanted.
            let _ = kill_process_group(*group, signal);
        }
    };
    all(Signal::TERM);
    let patience = Instant::now() + Duration::from_millis(200);
    while Instant::now() < patience && groups.iter().any(|group| leads(*group)) {
        std::thread::sleep(Duration::from_millis(2));
    }
    all(Signal::KILL);
}

/// Whether the program that leads the group runs still. Others may reap it.
#[cfg(unix)]
fn leads(group: Pid) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    matches!(waitid(WaitId::Pid(group), options), Ok(None))
}
