//! The process that ends the programs of tools if the one that started them is killed. It is not for
//! people, so it is none of the commands that are listed.

use std::process::ExitCode;

use crate::signals::Signals;

/// The one argument.
pub(crate) const NAME: &str = "watch-programs";

pub(crate) fn is_meant() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    arguments.next().is_some_and(|word| word == NAME) && arguments.next().is_none()
}

pub(crate) fn run() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    // Signals to all processes of this name are for the one that is watched, which ends this one.
    let _ignored = runtime.map(|runtime| {
        let signals = runtime.block_on(async { Signals::listen() });
        (runtime, signals)
    });
    toolpact::process::watch();
    ExitCode::SUCCESS
}
