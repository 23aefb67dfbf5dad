//! For tests of the worker: a program that confines itself as the worker does and then tries what it may not, and
//! one that takes the means to confine itself from another.

#![cfg_attr(
    target_os = "linux",
    expect(clippy::print_stdout, reason = "that is how it tells what came of it")
)]

#[cfg(target_os = "linux")]
#[path = "../src/confine.rs"]
mod confine;

#[cfg(target_os = "linux")]
fn main() {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        None => linux::attempt(),
        Some(program) => linux::without_filters(&program, arguments),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{OsStr, OsString};
    use std::io;
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;
    use std::sync::mpsc;
    use std::{fs, thread};

    use rustix::process::{Pid, Resource, Rlimit};
    use seccompiler::{SeccompAction, SeccompFilter};

    use super::confine;

    /// One line for each attempt: the thread, what it tried, and what came of it. The first two threads are
    /// there before the third confines them all.
    pub(crate) fn attempt() {
        let (go, wait) = mpsc::channel::<()>();
        let (begun, has_begun) = mpsc::channel();
        let earlier = thread::spawn(move || {
            // A thread that is still being made needs more calls.
            let _ = begun.send(());
            let _ = wait.recv();
            attempts("earlier")
        });
        let _ = has_begun.recv();
        let confining = thread::spawn(|| {
            confine::limit();
            let confined = confine::filter_calls();
            (confined, attempts("confining"))
        });
        let (confined, own) = confining
            .join()
            .unwrap_or((Err("panicked".to_owned()), Vec::new()));
        println!("filter: {confined:?}");
        let _ = go.send(());
        let earlier = earlier.join().unwrap_or_default();
        for line in [own, earlier, attempts("main")].concat() {
            println!("{line}");
        }
    }

    fn attempts(thread: &str) -> Vec<String> {
        let limit = Rlimit {
            current: Some(1),
            maximum: Some(1),
        };
        let new_thread = || thread::Builder::new().spawn(|| ()).map(drop);
        let of_rustix = |error: rustix::io::Errno| io::Error::from(error);
        let tried: [(&str, io::Result<()>); 13] = [
            ("open", fs::File::open("/etc/passwd").map(drop)),
            ("create", fs::write("/tmp/attempt", "")),
            ("stat", fs::metadata("/etc/passwd").map(drop)),
            ("list", fs::read_dir("/").map(drop)),
            ("unlink", fs::remove_file("/tmp/attempt")),
            (
                "chmod",
                fs::set_permissions("/tmp", fs::Permissions::from_mode(0o755)),
            ),
            ("chdir", std::env::set_current_dir("/tmp")),
            (
                "listen",
                std::net::TcpListener::bind("127.0.0.1:0").map(drop),
            ),
            (
                "connect",
                std::net::TcpStream::connect("127.0.0.1:9").map(drop),
            ),
            ("pair", UnixStream::pair().map(drop)),
            ("start", Command::new("/bin/true").spawn().map(drop)),
            ("thread", new_thread()),
            (
                "limit",
                rustix::process::setrlimit(Resource::Nofile, limit).map_err(of_rustix),
            ),
        ];
        let signal = rustix::process::test_kill_process(Pid::INIT).map_err(of_rustix);
        tried
            .into_iter()
            .chain([("signal", signal)])
            .map(
                |(what, done)| match done.map_err(|error| error.raw_os_error()) {
                    Ok(()) => format!("{thread} {what}: done"),
                    Err(code) => format!("{thread} {what}: {}", code.unwrap_or_default()),
                },
            )
            .collect()
    }

    /// Becomes a program that can install no filters, as on a system that has none.
    pub(crate) fn without_filters(program: &OsStr, arguments: impl Iterator<Item = OsString>) {
        let refused = [(libc::SYS_seccomp, Vec::new())].into_iter().collect();
        let refuse = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into();
        let filter = arch.and_then(|arch| {
            SeccompFilter::new(refused, SeccompAction::Allow, refuse, arch)?.try_into()
        });
        let applied =
            filter.map(|filter: seccompiler::BpfProgram| seccompiler::apply_filter(&filter));
        match applied {
            Ok(Ok(())) => eprintln!("{}", Command::new(program).args(arguments).exec()),
            _ => eprintln!("no filter: {applied:?}"),
        }
    }
}
