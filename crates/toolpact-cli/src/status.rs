use std::process::ExitCode;

/// The exit status. The worst of several counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Success.
    Fine = 0,
    /// The input is wrong.
    Wrong = 1,
    /// It could not run: usage, an unreadable file.
    CouldNotRun = 2,
    /// SIGHUP, as in shells.
    #[cfg(unix)]
    HungUp = 129,
    /// Ctrl-C, as in shells.
    Interrupted = 130,
    /// SIGQUIT, as in shells.
    #[cfg(unix)]
    Quit = 131,
    /// SIGTERM, as in shells.
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
