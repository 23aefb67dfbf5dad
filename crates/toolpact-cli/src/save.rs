//! Writes files atomically.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

/// How many names are tried for a temporary file.
const NAMES: u32 = 100;

/// Replaces the content of a file in one step.
pub(crate) fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let saving = Saving::begin(path)?;
    let is_file = saving.temporary.is_some();
    ensure!(is_file, "{}: it is no file", cannot_write(path));
    saving.finish(text.as_bytes())
}

/// A file to be written. The old content stays until it is [finished](Saving::finish).
pub(crate) struct Saving {
    /// The path as given.
    name: PathBuf,
    path: PathBuf,
    /// The file that will be renamed. A device or a pipe is written directly.
    temporary: Option<PathBuf>,
    file: File,
}

impl Saving {
    /// Fails early if the file cannot be written, before there is something to write.
    pub(crate) fn begin(path: &Path) -> anyhow::Result<Self> {
        Self::open(path).with_context(|| cannot_write(path))
    }

    fn open(name: &Path) -> io::Result<Self> {
        let path = destination(name)?;
        let about = fs::metadata(&path).ok();
        let (file, temporary) = match about {
            Some(about) if !about.is_file() => (File::options().write(true).open(&path)?, None),
            Some(about) => match of_this_process(&about) {
                Some(stream) => (stream, None),
                None => {
                    may_write(&path, &about)?;
                    beside(&path, Some(&about))?
                }
            },
            None => beside(&path, None)?,
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
        fs::rename(temporary, &self.path)?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        // On failure, the old file is unchanged; only the temporary file is removed.
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// The real file. A link stays a link: its target is replaced.
fn destination(name: &Path) -> io::Result<PathBuf> {
    let refuse = |why| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    match fs::canonicalize(name) {
        Ok(path) => Ok(path),
        // A pipe has no path.
        Err(_) if fs::metadata(name).is_ok() => Ok(name.to_owned()),
        Err(_) if fs::symlink_metadata(name).is_ok() => refuse("it is a link that leads nowhere"),
        Err(_) if is_folder(name) => refuse("it is the name of a folder, and not of a file"),
        Err(_) => Ok(name.to_owned()),
    }
}

fn is_folder(name: &Path) -> bool {
    let name = name.as_os_str().as_encoded_bytes();
    name.last()
        .is_some_and(|&last| std::path::is_separator(last.into()))
}

/// Standard output or standard error, if that is the file: its content stays, as in a shell.
#[cfg(unix)]
fn of_this_process(about: &Metadata) -> Option<File> {
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;
    let (out, err) = (io::stdout(), io::stderr());
    let streams = [
        out.as_fd().try_clone_to_owned(),
        err.as_fd().try_clone_to_owned(),
    ];
    let mut streams = streams.into_iter().flatten().map(File::from);
    streams.find(|stream| {
        let own = stream.metadata();
        own.is_ok_and(|own| (own.dev(), own.ino()) == (about.dev(), about.ino()))
    })
}

#[cfg(not(unix))]
fn of_this_process(_: &Metadata) -> Option<File> {
    None
}

/// Renaming over a file needs no write permission on it, but a read-only file must not be replaced.
fn may_write(path: &Path, about: &Metadata) -> io::Result<()> {
    if about.permissions().readonly() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is read-only",
        ));
    }
    File::options().write(true).open(path).map(drop)
}

/// A new file in the same directory, because only there can it be renamed over the other. It is no
/// more readable than the other. A leftover file is no obstacle.
fn beside(path: &Path, about: Option<&Metadata>) -> io::Result<(File, Option<PathBuf>)> {
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..NAMES {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".toolpact-{}-{number}", std::process::id()));
        let temporary = path.with_file_name(name);
        match File::options()
            .write(true)
            .create_new(true)
            .open(&temporary)
        {
            Ok(file) => {
                if let Some(about) = about {
                    fs::set_permissions(&temporary, about.permissions())?;
                }
                return Ok((file, Some(temporary)));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

#[cfg(test)]
mod tests {
    use super::replace;
    use std::fs;
    use std::path::Path;

    #[test]
    fn what_was_left_behind_is_not_in_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let left = format!("a.json.toolpact-{}-0", std::process::id());
        fs::write(folder.path().join(&left), "half").unwrap();
        fs::write(&path, "old").unwrap();
        replace(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_replaced() {
        let refused = replace(Path::new("/dev/null"), "new").unwrap_err();
        assert_eq!(refused.to_string(), "cannot write /dev/null: it is no file");
    }
}
