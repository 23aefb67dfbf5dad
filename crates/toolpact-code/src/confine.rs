//! Restricts this process: no files, no network, no other processes, bounded memory.
//!
//! The interpreter has no access to any of it. This is for the day on which it has a bug.

#[cfg(target_os = "linux")]
#[path = "allowed_calls.rs"]
mod allowed_calls;

/// Beside what a script may use: the program, its stacks, the type checker and what it remembers.
const ADDRESSES: u64 = 3 << 30;

/// Limits of the operating system, for the whole process.
#[cfg(unix)]
pub(crate) fn limit() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limits = [
        (Resource::As, ADDRESSES),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        // Those that are open stay open.
        (Resource::Nofile, 0),
    ];
    for (resource, most) in limits {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        // Where a system does not know a limit, the others hold.
        let _ = setrlimit(resource, limit);
    }
}

#[cfg(not(unix))]
pub(crate) fn limit() {}

/// From now on, all threads of this process can make no calls of the system but those that an interpreter
/// needs. Fails if Linux does not do that; other systems have no such filters.
#[cfg(target_os = "linux")]
pub(crate) fn filter_calls() -> Result<(), String> {
    let filter = allowed_calls::filter().map_err(|error| error.to_string())?;
    seccompiler::apply_filter_all_threads(&filter).map_err(|error| error.to_string())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn filter_calls() -> Result<(), String> {
    Ok(())
}
