use std::process::ExitCode;

/// What the program tells the script that started it. The worst of several counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// All is well.
    Fine = 0,
    /// Something is wrong in what was given.
    Wrong = 1,
    /// It could not run: usage, an unreadable file.
    CouldNotRun = 2,
    /// Ctrl-C, as shells have it.
    Interrupted = 130,
    /// SIGTERM, as shells have it.
    Terminated = 143,
}

impl Status {
    pub(crate) fn wrong_if(condition: bool) -> Self {
        if condition {
            Status::Wrong
        } else {
            Status::Fine
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}
