//! The worker of toolpact's sandbox. It is started by the host, reads requests from its standard
//! input and writes replies to its standard output; `toolpact::code` is the other side.

mod check;
mod confine;
mod error;
mod guard;
mod inherited;
mod lines;
mod prelude;
mod prints;
mod run;
mod saved;
mod serve;
mod tool_call;
mod unsupported;
mod value;

use std::process::ExitCode;
use std::thread;

/// Counts the memory in use, so that there can be a limit.
#[global_allocator]
static ALLOCATOR: monty_alloc::LimitedAllocator = monty_alloc::LimitedAllocator;

/// Parsing, checking and running are recursive. Pages that are not used cost nothing.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    if let Err(error) = inherited::close() {
        return serve::refuse(&error.to_string());
    }
    confine::limit();
    let work = || match confine::filter_calls() {
        Err(reason) if !may_be_unconfined() => serve::refuse(&reason),
        _ => match serve::serve() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(work);
    let ended = worker.map(thread::JoinHandle::join);
    match ended {
        Ok(Ok(status)) => status,
        // The pipe is closed, or the thread panicked: the host sees that.
        _ => ExitCode::FAILURE,
    }
}

/// Whether the host wants scripts to run where the system cannot be kept from them.
fn may_be_unconfined() -> bool {
    std::env::args().any(|argument| argument == toolpact::code::wire::ALLOW_UNCONFINED)
}
