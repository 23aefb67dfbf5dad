//! Files that are written as a whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Puts a text in a file's place in one step.
pub(crate) fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    Saving::begin(path)?.finish(text.as_bytes())
}

/// A file that is to be written. What is there stays until it is [finished](Saving::finish).
pub(crate) struct Saving {
    /// As it was named.
    name: PathBuf,
    path: PathBuf,
    /// What becomes the file. A device or a pipe is written to as it is.
    temporary: Option<PathBuf>,
    file: File,
}

impl Saving {
    /// Fails where nothing could be written, so that it is known before there is something to write.
    pub(crate) fn begin(path: &Path) -> anyhow::Result<Self> {
        Self::open(path).with_context(|| cannot_write(path))
    }

    fn open(name: &Path) -> io::Result<Self> {
        // A link stays a link: the file it leads to is replaced.
        let path = fs::canonicalize(name).unwrap_or_else(|_| name.to_owned());
        let (file, temporary) = match fs::metadata(&path) {
            Ok(about) if !about.is_file() => (File::options().write(true).open(&path)?, None),
            about => {
                if let Ok(about) = about {
                    may_write(&path, &about)?;
                }
                let temporary = beside(&path);
                let mut new = File::options();
                let file = new.write(true).create_new(true).open(&temporary)?;
                (file, Some(temporary))
            }
        };
        let name = name.to_owned();
        Ok(Self {
            name,
            path,
            temporary,
            file,
        })
    }

    pub(crate) fn finish(mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.write(bytes).with_context(|| cannot_write(&self.name))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        let Some(temporary) = &self.temporary else {
            return Ok(());
        };
        if let Ok(about) = fs::metadata(&self.path) {
            fs::set_permissions(temporary, about.permissions())?;
        }
        fs::rename(temporary, &self.path)?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        // Whatever went wrong, what was there is still there; only the copy goes.
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// To rename over a file needs no right to write to it. Whoever has none meant that.
fn may_write(path: &Path, about: &Metadata) -> io::Result<()> {
    if about.permissions().readonly() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is read-only",
        ));
    }
    File::options().write(true).open(path).map(drop)
}

/// The same folder, because only there a file can be put in the place of another in one step.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".toolpact-{}", std::process::id()));
    path.with_file_name(name)
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
