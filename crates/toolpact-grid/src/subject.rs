//! The subjects of the protocol, and the names in them.

use std::cell::RefCell;
use std::fmt;

use crate::error::{Error, Reason};

/// The version of the protocol, as it is in every subject.
pub(crate) const VERSION: &str = "v1";

/// The subjects and buckets of one grid. Grids with other first words do not see each other.
#[derive(Debug, Clone)]
pub(crate) struct Subjects {
    word: Box<str>,
}

impl Subjects {
    /// With `toolpact` or another first word.
    pub(crate) fn new(word: &str) -> Result<Self, Error> {
        let word = Id::new(word)?;
        Ok(Self { word: word.0 })
    }

    pub(crate) fn announce(&self) -> String {
        self.of("announce")
    }

    pub(crate) fn manifest(&self) -> String {
        self.of("manifest")
    }

    /// Where a runtime takes calls of a tool.
    pub(crate) fn call(&self, runtime: &Id, tool: &str, digest: &str) -> String {
        self.of(&format!("call.{runtime}.{tool}.{digest}"))
    }

    /// Where a runtime takes calls of all its tools, several in a message.
    pub(crate) fn batch(&self, runtime: &Id) -> String {
        self.of(&format!("call.{runtime}.batch"))
    }

    pub(crate) fn control(&self, runtime: &Id) -> String {
        self.of(&format!("control.{runtime}"))
    }

    /// Where hosts put durable calls of a tool.
    pub(crate) fn queue(&self, tool: &str, digest: &str) -> String {
        self.of(&format!("queue.{tool}.{digest}"))
    }

    /// Where a host is told that a durable call has its outcome, or has got on.
    pub(crate) fn outcome(&self, host: &str, invocation: &str) -> String {
        self.of(&format!("outcome.{host}.{invocation}"))
    }

    /// Where a host in DEVELOPMENT mode takes contracts of runtimes.
    pub(crate) fn register(&self, host: &str) -> String {
        self.of(&format!("register.{host}"))
    }

    /// Where a host says all that it knows.
    pub(crate) fn status(&self, host: &Id) -> String {
        self.of(&format!("status.{host}"))
    }

    /// What comes before the invocation and the attempt, without a dot.
    pub(crate) fn replies(&self, host: &Id) -> String {
        self.of(&format!("reply.{host}"))
    }

    /// The name of a bucket.
    pub(crate) fn bucket(&self, name: &str) -> String {
        format!("{}_{VERSION}_{name}", self.word)
    }

    fn of(&self, rest: &str) -> String {
        format!("{}.{VERSION}.{rest}", self.word)
    }
}

/// The id of a host or a runtime: a token of a subject.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(Box<str>);

impl Id {
    /// Most characters.
    const LENGTH: usize = 64;

    /// An id of these characters: letters, digits, `_` and `-`.
    pub fn new(text: &str) -> Result<Self, Error> {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        match (1..=Self::LENGTH).contains(&text.len()) && text.bytes().all(is_part) {
            true => Ok(Self(text.into())),
            false => Err(Error::new(Reason::Name(text.into()))),
        }
    }

    /// A name with random digits, so that each start has another.
    pub(crate) fn random(name: &str) -> Result<Self, Error> {
        let digits = random_hex()?;
        let suffix = digits.get(..8).unwrap_or(&digits);
        Self::new(&format!("{name}-{suffix}"))
    }

    /// Its characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// 128 random bits, which nobody can guess.
pub(crate) fn random_hex() -> Result<String, Error> {
    // Asking the system for each of them would take longer than all the rest of an id.
    thread_local! {
        static BITS: RefCell<Vec<[u8; 16]>> = const { RefCell::new(Vec::new()) };
    }
    let bits = BITS.with_borrow_mut(|bits| {
        if bits.is_empty() {
            bits.resize(64, [0; 16]);
            getrandom::fill(bits.as_flattened_mut())?;
        }
        Ok(bits.pop().unwrap_or_default())
    });
    let bits = bits.map_err(|error| Error::new(Reason::Random(error)))?;
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or('0');
    Ok(bits
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect())
}

/// Whether a text is as many lower-case hexadecimal digits.
pub(crate) fn is_hex(text: &str, digits: usize) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == digits && text.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::{Id, Subjects, is_hex, random_hex};

    #[test]
    fn a_name_that_would_be_another_subject_is_none() {
        for wrong in ["", "a.b", "a b", "*", ">", "ä", &"x".repeat(65)] {
            assert!(Id::new(wrong).is_err(), "{wrong:?}");
            assert!(Subjects::new(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(Id::new("billing-7f_3").unwrap().as_str(), "billing-7f_3");
    }

    #[test]
    fn subjects_are_those_of_the_page() {
        let subjects = Subjects::new("toolpact").unwrap();
        let id = Id::new("r1").unwrap();
        assert_eq!(
            subjects.call(&id, "add", "0f"),
            "toolpact.v1.call.r1.add.0f"
        );
        assert_eq!(subjects.batch(&id), "toolpact.v1.call.r1.batch");
        assert_eq!(subjects.control(&id), "toolpact.v1.control.r1");
        assert_eq!(subjects.bucket("presence"), "toolpact_v1_presence");
        assert!(is_hex(&random_hex().unwrap(), 32));
    }
}
