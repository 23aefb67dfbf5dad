//! The token that a client has to show.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A secret, kept as its digest, so that it is in no log and no memory dump.
#[derive(Clone)]
pub(crate) struct Token([u8; 32]);

impl Token {
    pub(crate) fn new(secret: &str) -> Self {
        Self(digest(secret.as_bytes()))
    }

    /// Whether this is it. How long that takes says nothing about how much of it was right.
    pub(crate) fn is(&self, shown: &[u8]) -> bool {
        let shown = digest(shown);
        let pairs = self.0.iter().zip(&shown);
        let different = pairs.fold(0, |different, (ours, theirs)| different | (ours ^ theirs));
        std::hint::black_box(different) == 0
    }
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn only_the_whole_token_will_do() {
        let token = Token::new("s3cret");
        assert!(token.is(b"s3cret"));
        for wrong in ["", "s3cre", "s3cret ", "S3cret"] {
            assert!(!token.is(wrong.as_bytes()), "{wrong:?}");
        }
        assert_eq!(format!("{token:?}"), "Token");
    }
}
