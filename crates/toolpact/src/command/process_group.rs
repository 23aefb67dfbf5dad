//! A program and all processes it started.

use std::io;
use std::process::ExitStatus;

use tokio::process::{Child, Command};

use super::{CommandFault, live_groups};

/// A program that leads a process group. Dropping it kills the group.
///
/// On systems without process groups, only the program is killed.
#[derive(Debug)]
pub struct ProcessGroup {
    /// `None` once the program was reaped.
    pub(super) child: Option<Child>,
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
    /// By which those are found that have left the group.
    #[cfg(unix)]
    mark: Option<String>,
}

impl ProcessGroup {
    /// Starts the program as the leader of a group of its own.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        command.kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        #[cfg_attr(
            not(unix),
            expect(unused_mut, reason = "groups of others have no mark")
        )]
        let mut group = live_groups::unless_ended(|| command.spawn().map(Self::led_by))?;
        #[cfg(unix)]
        {
            group.mark = super::mark::of(command.as_std());
        }
        Ok(group)
    }

    fn led_by(child: Child) -> Self {
        #[cfg(unix)]
        let id = pid(&child);
        #[cfg(unix)]
        id.into_iter().for_each(live_groups::add);
        Self {
            #[cfg(unix)]
            id,
            #[cfg(unix)]
            mark: None,
            child: Some(child),
        }
    }

    /// The program, until it was reaped.
    pub fn child(&mut self) -> Option<&mut Child> {
        self.child.as_mut()
    }

    /// Waits until the program has ended, and reaps it.
    pub(crate) async fn wait(&mut self) -> Result<ExitStatus, CommandFault> {
        let Some(child) = &mut self.child else {
            return Err(CommandFault::Io(std::io::ErrorKind::NotFound.into()));
        };
        let status = child.wait().await?;
        self.child = None;
        Ok(status)
    }

    /// Whether the program is still there.
    pub(crate) fn is_running(&mut self) -> bool {
        let child = self.child.as_mut();
        child.is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// Kills all processes of the group, at once.
    pub fn kill(&mut self) {
        // The id of a group is not reused while a process is in it. If there is none, the id was free
        // for a moment only: ids come around after many thousand others.
        #[cfg(unix)]
        if let Some(id) = self.id.take() {
            // An empty group is fine.
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
            live_groups::remove(id);
        }
        #[cfg(not(unix))]
        if let Some(child) = &mut self.child {
            let _ = child.start_kill();
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
        if let Some(child) = self.child.take() {
            #[cfg(unix)]
            reap(child, self.mark.take());
            #[cfg(not(unix))]
            drop(child);
        }
    }
}

/// Waits for a program that was killed, on a thread: if the runtime is shutting down, it would stay
/// a zombie. Those that have left its group are killed, too.
#[cfg(unix)]
fn reap(mut child: Child, mark: Option<String>) {
    use rustix::io::Errno;
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    // One that was killed a moment ago may be gone, and those that left its group are not.
    let is_gone = !matches!(child.try_wait(), Ok(None));
    if is_gone && mark.is_none() {
        return;
    }
    let wait = move || {
        if let Some(pid) = pid(&child).filter(|_| !is_gone) {
            // Leaves it to `try_wait`, which knows that it was reaped.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), options), Err(Errno::INTR)) {}
            let _ = child.try_wait();
        }
        if let Some(mark) = mark {
            super::mark::end(&mark);
        }
    };
    // Without a thread, the child is dropped, and tokio reaps it when it gets to it.
    let _ = std::thread::Builder::new()
        .name("toolpact-reaper".to_owned())
        .spawn(wait);
}

#[cfg(unix)]
fn pid(child: &Child) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(child.id()?).ok()?)
}
