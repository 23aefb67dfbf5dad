use std::io;
use std::path::PathBuf;

use super::key;
use crate::private_files;

/// Remembers which snapshots were resumed, so that none of them is resumed again.
///
/// Each leaves an empty file in a folder, whose name is its signature. All processes that resume snapshots have
/// to use the same folder.
#[derive(Debug, Clone)]
pub struct UsedSnapshots(PathBuf);

impl UsedSnapshots {
    /// In a folder, which is created if it does not exist.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    /// In the data directory of this user.
    pub fn find() -> io::Result<Self> {
        Ok(Self(key::data_folder()?.join("used-snapshots")))
    }

    /// Marks a snapshot as used. `false` if it is already.
    pub(super) fn mark(&self, signature: &[u8]) -> io::Result<bool> {
        private_files::create_folder(&self.0)?;
        let name: Vec<String> = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut options = private_files::options();
        match options
            .write(true)
            .create_new(true)
            .open(self.0.join(name.concat()))
        {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }
}
