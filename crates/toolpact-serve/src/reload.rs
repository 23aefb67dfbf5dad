//! Reloads the config when its file changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;
use toolpact_mcp::Server;

use crate::config::{About, Config, PolicyConfig};
use crate::policy::StartedPolicy;
use crate::sources::Supervisor;

/// What follows the config.
pub(crate) struct Followers {
    pub(crate) supervisor: Arc<Supervisor>,
    pub(crate) policy: Option<StartedPolicy>,
    pub(crate) mcp: Option<Server>,
}

impl Followers {
    pub(crate) fn with_mcp(self, mcp: Server) -> Self {
        Self {
            mcp: Some(mcp),
            ..self
        }
    }
}

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(500);

/// Looks at the config, if it came from a file, and the files it names until it is told to stop. A config that is wrong
/// changes nothing; what is wrong with it is logged once.
pub(crate) async fn watch_config(
    path: Option<PathBuf>,
    config: Config,
    followers: Followers,
    stop: CancellationToken,
) {
    let Followers {
        supervisor,
        mcp,
        mut policy,
    } = followers;
    // Files may be on a disk that is far away, and slow.
    let watched = move || {
        if let Some(path) = path.as_deref().filter(|path| is_writable_by_all(path)) {
            tracing::warn!(
                config = %path.display(),
                "everybody on this machine can change the config, which is followed while the server runs, and so \
                 what it starts: chmod o-w"
            );
        }
        let file = path.map(|path| (FileState::of(&path), path));
        // Flags may have changed what was read, but they are no changes of the file.
        let read = file
            .as_ref()
            .and_then(|(_, path)| Config::from_file(path).ok());
        WatchedConfig {
            config: read.unwrap_or(config),
            file,
        }
    };
    let Ok(mut watched) = tokio::task::spawn_blocking(watched).await else {
        return;
    };
    // The file may have changed since the server read it.
    let set_info = |mcp: &Option<Server>, config: &Config| {
        if let Some(mcp) = mcp {
            mcp.set_info(config.server.to_info());
        }
    };
    set_info(&mcp, &watched.config);
    let pause = || tokio::time::sleep(INTERVAL);
    while stop.run_until_cancelled(pause()).await.is_some() {
        let (supervisor, mcp, mut host) = (Arc::clone(&supervisor), mcp.clone(), policy.take());
        let looked = tokio::task::spawn_blocking(move || {
            if watched.reload_if_changed() {
                set_info(&mcp, &watched.config);
            }
            // Files that sources name may have changed, too: unchanged ones are left as they are.
            supervisor.apply(&watched.config.sources);
            if let Some(host) = &mut host {
                host.follow(watched.config.policy.as_ref(), || supervisor.not_ready());
            }
            (watched, host)
        });
        match looked.await {
            Ok(looked) => (watched, policy) = looked,
            Err(error) => {
                tracing::error!(%error, "the config is not followed any more");
                return;
            }
        }
    }
}

/// Whether others than its user and its group may write a file.
#[cfg(unix)]
fn is_writable_by_all(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o002 != 0)
}

#[cfg(not(unix))]
fn is_writable_by_all(_: &Path) -> bool {
    false
}

struct WatchedConfig {
    /// Where the config came from, and what was there.
    file: Option<(FileState, PathBuf)>,
    config: Config,
}

impl WatchedConfig {
    /// Whether there is another config now.
    fn reload_if_changed(&mut self) -> bool {
        let Some((state, path)) = &mut self.file else {
            return false;
        };
        if !state.update(path) {
            return false;
        }
        match Config::from_file(path) {
            Ok(config) => {
                tracing::info!(config = %path.display(), "the config has changed");
                warn_of_other_changes(&self.config, &config);
                self.config = config;
                true
            }
            Err(error) => {
                tracing::error!(%error, "the new config is wrong, so the old one stays");
                false
            }
        }
    }
}

/// Warns of changes that need a restart.
fn warn_of_other_changes(before: &Config, now: &Config) {
    let rest = |config: &Config| {
        let config = Config {
            sources: Vec::new(),
            server: About::default(),
            // Whether there is one needs a restart, what it says does not.
            policy: config.policy.as_ref().map(|_| PolicyConfig::default()),
            ..config.clone()
        };
        serde_json::to_string(&config).unwrap_or_default()
    };
    if rest(before) != rest(now) {
        tracing::warn!(
            "only `sources`, `server` and what `policy` says are followed while the server runs: start it again for \
             the rest"
        );
    }
}

/// The time, length and digest of a file when it was last read.
#[derive(Debug)]
pub(crate) struct FileState {
    metadata: Option<(SystemTime, u64)>,
    digest: Option<Vec<u8>>,
}

impl FileState {
    pub(crate) fn of(path: &Path) -> Self {
        Self {
            metadata: metadata(path),
            digest: digest(path),
        }
    }

    /// Whether there is another text now. It is read only if its time or its length is another,
    /// or the time is so fresh that it may be written again within it.
    pub(crate) fn update(&mut self, path: &Path) -> bool {
        let metadata = metadata(path);
        let fresh = |(time, _): (SystemTime, u64)| {
            time.elapsed().is_ok_and(|age| age < Duration::from_secs(3))
        };
        if metadata == self.metadata && !metadata.is_some_and(fresh) {
            return false;
        }
        self.metadata = metadata;
        let digest = digest(path);
        let changed = digest != self.digest;
        self.digest = digest;
        changed
    }
}

fn metadata(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

fn digest(path: &Path) -> Option<Vec<u8>> {
    let text = std::fs::read(path).ok()?;
    Some(Sha256::digest(text).to_vec())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::is_writable_by_all;

    #[test]
    fn a_config_that_everybody_can_change_is_told() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (mode, is_told) in [(0o600, false), (0o664, false), (0o646, true), (0o666, true)] {
            fs::set_permissions(file.path(), Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_writable_by_all(file.path()), is_told, "{mode:o}");
        }
    }
}
