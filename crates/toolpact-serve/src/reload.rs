//! Follows the config while the server runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;
use toolpact_mcp::Server;

use crate::config::{About, Config};
use crate::sources::Keeper;

/// How often the files are looked at.
const PAUSE: Duration = Duration::from_millis(500);

/// Looks at the config, if it came from a file, and the files it names until it is told to stop. A config that is wrong
/// changes nothing; what is wrong with it is logged once.
pub(crate) async fn follow(
    path: Option<PathBuf>,
    config: Config,
    keeper: Arc<Keeper>,
    mcp: Server,
    stop: CancellationToken,
) {
    // Files may be on a disk that is far away, and slow.
    let following = move || {
        let file = path.map(|path| (Seen::of(&path), path));
        // Flags may have changed what was read, but they are no changes of the file.
        let read = file
            .as_ref()
            .and_then(|(_, path)| Config::from_file(path).ok());
        Following {
            config: read.unwrap_or(config),
            file,
        }
    };
    let Ok(mut following) = tokio::task::spawn_blocking(following).await else {
        return;
    };
    let pause = || tokio::time::sleep(PAUSE);
    while stop.run_until_cancelled(pause()).await.is_some() {
        let (keeper, mcp) = (Arc::clone(&keeper), mcp.clone());
        let looked = tokio::task::spawn_blocking(move || {
            if following.look() {
                mcp.set_info(following.config.server.to_info());
            }
            // Files that sources name may have changed, too: unchanged ones are left as they are.
            keeper.apply(&following.config.sources);
            following
        });
        match looked.await {
            Ok(looked) => following = looked,
            Err(error) => {
                tracing::error!(%error, "the config is not followed any more");
                return;
            }
        }
    }
}

struct Following {
    /// Where the config came from, and what was there.
    file: Option<(Seen, PathBuf)>,
    config: Config,
}

impl Following {
    /// Whether there is another config now.
    fn look(&mut self) -> bool {
        let Some((seen, path)) = &mut self.file else {
            return false;
        };
        if !seen.changes(path) {
            return false;
        }
        match Config::from_file(path) {
            Ok(config) => {
                tracing::info!(config = %path.display(), "the config has changed");
                warn_of_the_rest(&self.config, &config);
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

/// What is followed only by a new start.
fn warn_of_the_rest(before: &Config, now: &Config) {
    let rest = |config: &Config| {
        let config = Config {
            sources: Vec::new(),
            server: About::default(),
            ..config.clone()
        };
        serde_json::to_string(&config).unwrap_or_default()
    };
    if rest(before) != rest(now) {
        tracing::warn!(
            "only `sources` and `server` are followed while the server runs: start it again for the rest"
        );
    }
}

/// What a file was when it was looked at.
struct Seen {
    about: Option<(SystemTime, u64)>,
    digest: Option<Vec<u8>>,
}

impl Seen {
    fn of(path: &Path) -> Self {
        Self {
            about: about(path),
            digest: digest(path),
        }
    }

    /// Whether there is another text now. It is read only if its time or its length is another,
    /// or the time is so fresh that it may be written again within it.
    fn changes(&mut self, path: &Path) -> bool {
        let about = about(path);
        let fresh = |(time, _): (SystemTime, u64)| {
            time.elapsed().is_ok_and(|age| age < Duration::from_secs(3))
        };
        if about == self.about && !about.is_some_and(fresh) {
            return false;
        }
        self.about = about;
        let digest = digest(path);
        let changed = digest != self.digest;
        self.digest = digest;
        changed
    }
}

fn about(path: &Path) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

fn digest(path: &Path) -> Option<Vec<u8>> {
    let text = std::fs::read(path).ok()?;
    Some(Sha256::digest(text).to_vec())
}
