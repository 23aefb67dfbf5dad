//! Files and sockets that the host left open, which are none of the worker's business.

use std::io;

/// Says that the program has started itself anew.
const AGAIN: &str = "--started-again";

/// Closes all but the standard ones: by starting this program again, since only what is marked so is closed then.
#[cfg(unix)]
pub(crate) fn close() -> io::Result<()> {
    use std::os::unix::process::CommandExt as _;
    close_fds::set_fds_cloexec(3, &[]);
    if !is_any_open()? {
        return Ok(());
    }
    let mut arguments = std::env::args().skip(1);
    if arguments.any(|argument| argument == AGAIN) {
        return Err(io::Error::other("files of the host stay open"));
    }
    let mut again = std::process::Command::new(std::env::current_exe()?);
    again.args(std::env::args_os().skip(1)).arg(AGAIN);
    Err(again.exec())
}

#[cfg(not(unix))]
pub(crate) fn close() -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn is_any_open() -> io::Result<bool> {
    let folder = match cfg!(target_os = "linux") {
        true => "/proc/self/fd",
        false => "/dev/fd",
    };
    let names: Vec<_> = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.parse::<u32>().is_ok_and(|number| number > 2))
        .collect();
    // The folder itself was open while it was read.
    let is_open = |name: &String| std::fs::symlink_metadata(format!("{folder}/{name}")).is_ok();
    Ok(names.iter().any(is_open))
}
