use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

use crate::private_files;

/// The key that snapshots are signed with.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey(Vec<u8>);

/// The key itself, as text.
const VARIABLE: &str = "TOOLPACT_KEY";

/// Shorter keys could be guessed.
const SHORTEST: usize = 16;

impl SigningKey {
    /// A key of these bytes, of which there are at least 16.
    ///
    /// ```
    /// use toolpact::code::SigningKey;
    ///
    /// assert!(SigningKey::new("a secret of some length").is_ok());
    /// let refused = SigningKey::new("secret").unwrap_err();
    /// assert_eq!(refused.to_string(), "expected a key of at least 16 bytes, found 6");
    /// ```
    pub fn new(bytes: impl Into<Vec<u8>>) -> io::Result<Self> {
        let bytes = bytes.into();
        match bytes.len() {
            SHORTEST.. => Ok(Self(bytes)),
            length => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("expected a key of at least {SHORTEST} bytes, found {length}"),
            )),
        }
    }

    /// The key in `TOOLPACT_KEY`, or else the one in the data directory of this user, which is created
    /// if it does not exist.
    pub fn find() -> io::Result<Self> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{VARIABLE}: {error}"));
        match env::var_os(VARIABLE) {
            Some(text) => Self::new(text.into_encoded_bytes()).map_err(named),
            None => Self::in_file(&data_folder()?.join("key")),
        }
    }

    /// The key in a file, which is created if it does not exist: 32 random bytes that only this user can
    /// read.
    pub fn in_file(path: &Path) -> io::Result<Self> {
        let named = |error: io::Error| {
            let message = format!("the key in {}: {error}", path.display());
            io::Error::new(error.kind(), message)
        };
        match fs::read(path) {
            Ok(bytes) => Self::new(bytes).map_err(named),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create(path).map_err(named)?;
                // Another process may have been faster.
                fs::read(path).and_then(Self::new).map_err(named)
            }
            Err(error) => Err(named(error)),
        }
    }

    /// The key itself, to sign something else with.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A key is a secret.
impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

/// Where this program keeps what it needs of this user.
pub(super) fn data_folder() -> io::Result<PathBuf> {
    let set = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let data = set("XDG_DATA_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| Some(set("HOME")?.join(".local/share")));
    let nowhere = || {
        let message = format!("there is no place for a key: set HOME or {VARIABLE}");
        io::Error::new(io::ErrorKind::NotFound, message)
    };
    Ok(data.ok_or_else(nowhere)?.join("toolpact"))
}

/// Writes the whole key to a temporary file first, so that nobody reads half of it.
fn create(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        private_files::create_folder(folder)?;
    }
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let mut options = private_files::options();
    options.write(true).create_new(true);
    let written = options
        .open(&draft)
        .and_then(|mut file| file.write_all(&bytes))
        // Does nothing if the file exists by now.
        .and_then(|()| match fs::hard_link(&draft, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        });
    let _ = fs::remove_file(&draft);
    written
}
