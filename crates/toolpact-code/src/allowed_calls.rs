//! The calls of the system that the worker may make. Every other one fails.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule,
};

/// Pipes that are open, memory, time, randomness, waiting for the own threads, and the end.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_getrandom,
    libc::SYS_futex,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Allowed for memory that is not code: their third argument is what may be done with it.
const MAPPING: &[libc::c_long] = &[libc::SYS_mmap, libc::SYS_mprotect];

pub(super) fn filter() -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    let execute = SeccompCmpOp::MaskedEq(libc::PROT_EXEC.unsigned_abs().into());
    for call in MAPPING {
        let is_data = SeccompCondition::new(2, SeccompCmpArgLen::Dword, execute.clone(), 0)?;
        rules.insert(*call, vec![SeccompRule::new(vec![is_data])?]);
    }
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, refuse, SeccompAction::Allow, arch)?.try_into()
}
