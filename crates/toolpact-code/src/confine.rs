//! Restricts this process with rlimits and seccomp: no files, no network, no other processes, bounded
//! memory.
//!
//! The interpreter has no access to any of it. This is for the day on which it has a bug.

/// Beside what a script may use: the program, its stacks, the type checker and what it remembers.
const ADDRESSES: u64 = 3 << 30;

/// Limits of the operating system, for the whole process.
#[cfg(unix)]
pub(crate) fn process() {
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
pub(crate) fn process() {}

/// Calls of the system that the thread of the interpreter may not make.
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) fn thread() {
    // A system without filters has the limits above.
    if let Ok(filter) = filter() {
        let _ = seccompiler::apply_filter(&filter);
    }
}

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub(crate) fn thread() {}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn filter() -> Result<seccompiler::BpfProgram, seccompiler::BackendError> {
    use seccompiler::{SeccompAction, SeccompFilter};
    let refused = FORBIDDEN.iter().chain(OLD).map(|call| (*call, Vec::new()));
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(refused.collect(), SeccompAction::Allow, refuse, arch)?.try_into()
}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
const FORBIDDEN: &[libc::c_long] = &[
    // Files.
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_mkdirat,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_fchmodat,
    libc::SYS_fchownat,
    libc::SYS_truncate,
    libc::SYS_mount,
    libc::SYS_chroot,
    libc::SYS_memfd_create,
    // The network.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    // Other processes.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_clone,
    libc::SYS_clone3,
    libc::SYS_kill,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_open,
    // Ways around.
    libc::SYS_bpf,
    libc::SYS_io_uring_setup,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_unshare,
    libc::SYS_setns,
];

/// Calls that newer systems do without.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const OLD: &[libc::c_long] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_fork,
    libc::SYS_vfork,
];

#[cfg(all(target_os = "linux", target_arch = "aarch64"))]
const OLD: &[libc::c_long] = &[];
