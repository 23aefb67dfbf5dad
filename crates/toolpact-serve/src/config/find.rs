//! The config of a folder.

use std::path::{Path, PathBuf};

use super::ConfigError;

/// What a config is called.
const NAMES: [&str; 3] = ["toolpact.yaml", "toolpact.yml", "toolpact.json"];

/// The config of a folder, if it has one: `toolpact.yaml`, `toolpact.yml` or `toolpact.json`. Fails
/// if it has several.
pub fn in_folder(folder: &Path) -> Result<Option<PathBuf>, ConfigError> {
    let there = NAMES.iter().filter(|name| folder.join(name).exists());
    match *there.collect::<Vec<_>>() {
        [] => Ok(None),
        // The folder `.` is not part of a name that people would write.
        [name] if folder == Path::new(".") => Ok(Some(PathBuf::from(name))),
        [name] => Ok(Some(folder.join(name))),
        [first, second, ..] => Err(ConfigError::of_message(format!(
            "expected one config in {}, found `{first}` and `{second}`; name the one that is meant",
            folder.display()
        ))),
    }
}
