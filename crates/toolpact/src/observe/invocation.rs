//! Identifiers of calls that no other call has, of this process or another.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// One for this process. Where the system has no randomness, the time has to do.
static PROCESS: LazyLock<u64> = LazyLock::new(|| {
    getrandom::u64().unwrap_or_else(|_| {
        let now = jiff::Timestamp::now().as_nanosecond();
        u64::try_from(now).unwrap_or(u64::MAX)
    })
});

/// The identifier of the next call: `5f0c4e9a71b2d386-17`.
pub(crate) fn next_invocation() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{:016x}-{number}", *PROCESS)
}

#[cfg(test)]
mod tests {
    use super::next_invocation;

    #[test]
    fn no_two_are_equal() {
        let (one, two) = (next_invocation(), next_invocation());
        assert_ne!(one, two);
        assert_eq!(one.split_once('-').unwrap().0.len(), 16);
    }
}
