//! Named tokens, in a file that has their digests only.

mod expiry;
mod table;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toolpact::private_files;
use toolpact_http::{OneToken, Secret};

use crate::{IdentityError, secret_text};
pub use expiry::Expiry;
pub(crate) use table::Tokens;

/// Longest file that is read.
const MOST_BYTES: u64 = 16 << 20;

/// Longest name of a token.
const LONGEST_NAME: usize = 100;

/// A file with named tokens. It is replaced as a whole, so that a server never reads half of it.
#[derive(Debug, Clone)]
pub struct TokenFile(PathBuf);

/// A token as the file has it: who shows it is this principal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NamedToken {
    /// The name of the principal.
    pub name: String,
    /// The SHA-256 of the token.
    sha256: String,
    /// The groups that it is in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// The tenant that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The scopes that it has, for tools that need some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// When it was made.
    #[serde(serialize_with = "write_time", deserialize_with = "read_time")]
    pub created: Timestamp,
    /// When it ends.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_end",
        deserialize_with = "read_end"
    )]
    pub expires: Option<Timestamp>,
}

/// What a new token is to be.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "it is filled in by its maker")]
pub struct NewToken {
    /// The name of the principal.
    pub name: String,
    /// The groups that it is in.
    pub groups: Vec<String>,
    /// The tenant that it belongs to.
    pub tenant: Option<String>,
    /// The scopes that it has.
    pub scopes: Vec<String>,
    /// When it ends.
    pub expires: Option<Expiry>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    tokens: Vec<NamedToken>,
}

impl TokenFile {
    /// The file at a path, which need not be there yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The tokens in it, without what they are.
    pub fn list(&self) -> Result<Vec<NamedToken>, IdentityError> {
        let metadata = match std::fs::metadata(&self.0) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.wrong(error)),
        };
        if metadata.len() > MOST_BYTES {
            let message = format!(
                "expected at most {MOST_BYTES} bytes, found {}",
                metadata.len()
            );
            return Err(self.wrong(message));
        }
        let text = std::fs::read(&self.0).map_err(|error| self.wrong(error))?;
        let written: Written = serde_json::from_slice(&text).map_err(|error| self.wrong(error))?;
        Ok(written.tokens)
    }

    /// Makes a token, and returns it: it is nowhere else.
    pub fn add(&self, new: NewToken) -> Result<String, IdentityError> {
        check_name(&new.name)?;
        let _lock = self.lock()?;
        let mut tokens = self.list()?;
        if tokens.iter().any(|token| token.name == new.name) {
            let message = format!(
                "expected a name that no token has, found `{}` again; revoke that one first",
                new.name
            );
            return Err(self.wrong(message));
        }
        let secret = secret_text::make()?;
        let created = now();
        tokens.push(NamedToken {
            name: new.name,
            sha256: hex(Secret::new(&secret).digest()),
            groups: new.groups,
            tenant: new.tenant,
            scopes: new.scopes,
            created,
            expires: new
                .expires
                .map(|expiry| expiry.after(created))
                .transpose()?,
        });
        self.write(tokens)?;
        Ok(secret)
    }

    /// Takes a token away. `false` if there is none of this name.
    pub fn revoke(&self, name: &str) -> Result<bool, IdentityError> {
        let _lock = self.lock()?;
        let mut tokens = self.list()?;
        let before = tokens.len();
        tokens.retain(|token| token.name != name);
        if tokens.len() == before {
            return Ok(false);
        }
        self.write(tokens)?;
        Ok(true)
    }

    /// Others who change the file wait until this is dropped.
    fn lock(&self) -> Result<File, IdentityError> {
        let path = self.beside("lock");
        let mut options = private_files::options();
        let lock = options.write(true).create(true).truncate(false).open(&path);
        let lock = lock.and_then(|lock| lock.lock().map(|()| lock));
        lock.map_err(|error| IdentityError::in_file(&path, error))
    }

    fn write(&self, tokens: Vec<NamedToken>) -> Result<(), IdentityError> {
        let text = serde_json::to_vec_pretty(&Written { tokens });
        let text = text.map_err(|error| self.wrong(error))?;
        let path = self.beside("new");
        let written = || {
            // One that a crash has left may be anybody's.
            let _ = std::fs::remove_file(&path);
            let mut file = private_files::options()
                .write(true)
                .create_new(true)
                .open(&path)?;
            file.write_all(&text)?;
            file.sync_all()?;
            std::fs::rename(&path, &self.0)
        };
        written().map_err(|error: std::io::Error| self.wrong(error))
    }

    fn beside(&self, end: &str) -> PathBuf {
        let mut name = self.0.file_name().unwrap_or_default().to_owned();
        name.push(".");
        name.push(end);
        self.0.with_file_name(name)
    }

    fn wrong(&self, why: impl std::fmt::Display) -> IdentityError {
        IdentityError::in_file(&self.0, why)
    }
}

fn check_name(name: &str) -> Result<(), IdentityError> {
    let reserved = [toolpact::core::ANONYMOUS, OneToken::NAME];
    if reserved.contains(&name) {
        return Err(IdentityError::new(format!(
            "expected another name: `{name}` is what others are called"
        )));
    }
    let is_allowed =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '@' | '/' | ':');
    let starts_well = name.starts_with(char::is_alphanumeric);
    match starts_well && name.len() <= LONGEST_NAME && name.chars().all(is_allowed) {
        true => Ok(()),
        false => Err(IdentityError::new(format!(
            "expected a name of at most {LONGEST_NAME} bytes that begins with a letter or a digit and has only \
             letters, digits and `.`, `_`, `-`, `@`, `/`, `:`, found `{}`",
            name.chars()
                .take(LONGEST_NAME)
                .flat_map(char::escape_debug)
                .collect::<String>()
        ))),
    }
}

fn write_time<S: Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(time)
}

fn read_time<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn write_end<S: Serializer>(time: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.to_string()).serialize(to)
}

fn read_end<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    read_time(from).map(Some)
}

/// The time, to the second.
fn now() -> Timestamp {
    let now = std::time::SystemTime::now();
    let since = now
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    Timestamp::from_second(seconds).unwrap_or_default()
}

fn hex(digest: &[u8; 32]) -> String {
    let half = |from: usize| u128::from_be_bytes(std::array::from_fn(|place| digest[from + place]));
    format!("{:032x}{:032x}", half(0), half(16))
}
