//! What is running, by `/proc`.

use std::fs;
use std::time::{Duration, Instant};

/// One line of `/proc/<pid>/stat`: the state, the parent and the group.
struct Process {
    state: char,
    parent: u32,
    group: u32,
}

/// Waits until no one in a group runs, and none of them is a zombie of ours.
pub(super) fn wait_until_gone(group: u32) {
    let start = Instant::now();
    while is_there(group) {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "group {group} is still there"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How many run in a group.
pub(super) fn running(group: u32) -> usize {
    let of_it = |p: &Process| p.group == group && p.state != 'Z';
    processes().filter(of_it).count()
}

/// Zombies of another parent are that one's to reap.
fn is_there(group: u32) -> bool {
    let ours = std::process::id();
    processes().any(|p| p.group == group && (p.state != 'Z' || p.parent == ours))
}

fn processes() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    entries.filter_map(|entry| {
        // Who has just ended has no line.
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let mut words = stat.rsplit_once(") ")?.1.split(' ');
        Some(Process {
            state: words.next()?.chars().next()?,
            parent: words.next()?.parse().ok()?,
            group: words.next()?.parse().ok()?,
        })
    })
}
