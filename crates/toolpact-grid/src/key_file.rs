//! Keys of hosts as text: a file for hosts, and a line for runtimes.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Reason};
use crate::identity::{HostKey, HostKeys};
use crate::subject::{Id, random_hex};

/// The file of a host.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    name: Box<str>,
    /// 32 bytes in base64url.
    secret: Box<str>,
}

impl HostKey {
    /// A new key, and the text of the file that hosts have it from.
    pub fn generate(name: &str) -> Result<(Self, String), Error> {
        let name = Id::new(name)?;
        let random = format!("{}{}", random_hex()?, random_hex()?);
        let digits = random.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let seed: Vec<u8> = digits.filter_map(byte).collect();
        let file = KeyFile {
            name: name.as_str().into(),
            secret: BASE64.encode(&seed).into(),
        };
        let text = serde_json::to_string(&file).unwrap_or_default();
        Ok((Self::from_seed(name.as_str(), &seed)?, text + "\n"))
    }

    /// The key of a file that [`HostKey::generate`] made.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        let wrong = || {
            Error::new(Reason::Key(
                "a key of a host as `toolpact grid key` makes it",
            ))
        };
        let file: KeyFile = serde_json::from_str(text).map_err(|_| wrong())?;
        let seed = BASE64.decode(&*file.secret).map_err(|_| wrong())?;
        Self::from_seed(Id::new(&file.name)?.as_str(), &seed)
    }

    /// What runtimes know it by: `NAME=PUBLIC`, which is no secret.
    #[must_use]
    pub fn public_text(&self) -> String {
        format!("{}={}", self.name(), BASE64.encode(self.public()))
    }
}

impl HostKeys {
    /// One more, as [`HostKey::public_text`] writes it.
    pub fn add_text(self, text: &str) -> Result<Self, Error> {
        let wrong = || {
            let what = "the public key of a host as `toolpact grid key` prints it, `NAME=…`";
            Error::new(Reason::Key(what))
        };
        let (name, public) = text.trim().split_once('=').ok_or_else(wrong)?;
        let public = BASE64.decode(public).map_err(|_| wrong())?;
        match public.len() {
            32 => self.add(Id::new(name)?.as_str(), &public),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HostKey, HostKeys};

    #[test]
    fn a_key_is_the_same_from_its_file() {
        let (key, text) = HostKey::generate("h1").unwrap();
        let read = HostKey::from_text(&text).unwrap();
        assert_eq!(read.public_text(), key.public_text());
        assert!(
            key.public_text().starts_with("h1="),
            "{}",
            key.public_text()
        );
        HostKeys::new().add_text(&key.public_text()).unwrap();
        let (other, _) = HostKey::generate("h1").unwrap();
        assert_ne!(other.public_text(), key.public_text());
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for wrong in [
            "",
            "{}",
            r#"{"name": "h1", "secret": "AA"}"#,
            r#"{"name": "h.1", "secret": ""}"#,
        ] {
            assert!(HostKey::from_text(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "h1", "h1=", "h1=AAAA", "h.1=AAAA", "h1=!"] {
            assert!(HostKeys::new().add_text(wrong).is_err(), "{wrong}");
        }
        let (key, text) = HostKey::generate("h1").unwrap();
        assert!(!format!("{key:?}").contains(&text[30..50]));
    }
}
