//! Where data is kept.

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::Config;

/// The folder for data where nobody named one, as it was called beside a config.
const BESIDE: &str = "toolpact-data";

impl Config {
    /// The folder for what has to be kept: that of the config, or one in the user's folder for data
    /// of programs. The working directory may be one that cannot be written, as it is for the
    /// servers that some MCP clients start.
    #[must_use]
    pub fn data_folder(&self) -> PathBuf {
        let named = self.data.clone();
        named
            .or_else(of_user)
            .unwrap_or_else(|| PathBuf::from(BESIDE))
    }

    /// With the data beside the config, if no folder is named and there is one from earlier.
    #[must_use]
    pub fn with_data_beside(mut self, folder: &Path) -> Self {
        if self.data.is_none() {
            self.data = Some(folder.join(BESIDE)).filter(|beside| beside.is_dir());
        }
        self
    }

    /// With a folder of this config's own in that of the user, if none is named: two configs do not share
    /// what they keep.
    pub(super) fn with_data_of(mut self, config: &Path) -> Self {
        if self.data.is_none() {
            self.data = of_user().map(|folder| folder.join(own_name(config)));
        }
        self
    }
}

/// A name for the folder of a config: that of the folder it is in, so that people find it, and digits that
/// tell it from others.
fn own_name(config: &Path) -> String {
    let path = config.canonicalize();
    let path = path.or_else(|_| std::path::absolute(config));
    let path = path.unwrap_or_else(|_| config.to_owned());
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    let folder = folder.to_string_lossy();
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let name: String = folder.chars().map(plain).take(40).collect();
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    let digits = u32::from_be_bytes(*digest.first_chunk().unwrap_or(&[0; 4]));
    format!("{name}-{digits:08x}")
}

/// `toolpact` in the folder that `XDG_DATA_HOME` names, or where the system has data of programs.
fn of_user() -> Option<PathBuf> {
    let named = |variable: &str| {
        let path = std::env::var_os(variable).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let of_system = || match () {
        () if cfg!(windows) => named("LOCALAPPDATA"),
        () if cfg!(target_os = "macos") => Some(named("HOME")?.join("Library/Application Support")),
        () => Some(named("HOME")?.join(".local/share")),
    };
    let folder = named("XDG_DATA_HOME").or_else(of_system)?;
    Some(folder.join("toolpact"))
}
