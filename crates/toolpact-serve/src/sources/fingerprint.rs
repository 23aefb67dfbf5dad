//! Whether a source has changed.

use sha2::{Digest as _, Sha256};

use crate::config::Source;

/// A digest of the config of a source and of the times of its files. If it changes, the source is built
/// again.
pub(super) fn fingerprint(source: &Source) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(serde_json::to_vec(source).unwrap_or_default());
    let paths = match source {
        Source::Shop(_) => Vec::new(),
        Source::Files(files) => files.paths.iter().collect(),
        Source::Mcp(mcp) => mcp.contracts.iter().collect(),
        Source::Grid(grid) => grid.files().collect(),
    };
    for path in paths {
        let about = std::fs::metadata(path).ok();
        let time = about.as_ref().and_then(|about| about.modified().ok());
        hash.update(format!("{time:?} {:?}", about.map(|about| about.len())));
    }
    hash.finalize().to_vec()
}
