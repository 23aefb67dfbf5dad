//! Files and folders that only the user of this process can read: data of customers, results of tools, keys.

use std::path::Path;
use std::{fs, io};

/// Makes a folder and those above it that are missing, for this user only. One that is there stays as it is.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// For files that are created for this user only.
#[must_use]
pub fn options() -> fs::OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only unix has modes"))]
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
