//! Where data is kept.

use std::path::{Path, PathBuf};

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
