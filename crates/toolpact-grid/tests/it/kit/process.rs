//! Processes of hosts and runtimes, which tests start, stop and kill.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::SOON;

/// A process of this binary that runs one of its functions. It is killed with the value.
pub(crate) struct Process(Child);

impl Process {
    /// Runs what is called a test, and returns at once unless these variables are set.
    pub(crate) fn start(test: &str, variables: &[(&str, String)]) -> Self {
        let command = Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::null())
            .spawn();
        Self(command.unwrap())
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Kills it, as a crash would.
    pub(crate) fn kill(&mut self) {
        // It may be dead already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Whether it has ended by itself, and well.
    pub(crate) fn has_ended(&mut self) -> bool {
        let ended = self.0.try_wait().unwrap();
        ended.is_some_and(|status| {
            assert!(status.success(), "{status}");
            true
        })
    }

    /// Stops it. Each of its threads notices for itself, and one that has not may still begin a call.
    pub(crate) fn stop(&self) {
        self.signal("-STOP");
        let began = Instant::now();
        while !self.is_stopped() {
            assert!(began.elapsed() < SOON, "it does not stop");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.unwrap().success());
    }

    fn is_stopped(&self) -> bool {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.id())).unwrap();
        threads.flatten().all(|thread| {
            let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            stat.rsplit_once(") ")
                .is_some_and(|(_, rest)| rest.starts_with('T'))
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
