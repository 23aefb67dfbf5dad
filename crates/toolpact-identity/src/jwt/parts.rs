//! A JWT before anything of it is believed.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use toolpact::core::json::{Kind, Node, Value};

/// Longest token that is read.
const MOST_BYTES: usize = 16 << 10;

/// What stands in a token. Keys that occur twice are refused: readers differ in which of them they see.
pub(super) struct Parts {
    header: Value,
    pub(super) claims: Value,
}

/// Why a token is not taken, for the log.
pub(super) type Why = &'static str;

impl Parts {
    pub(super) fn read(token: &str) -> Result<Self, Why> {
        if token.len() > MOST_BYTES {
            return Err("the token is longer than 16 KiB");
        }
        let mut parts = token.split('.');
        let (Some(header), Some(claims), Some(_), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("the token is no JWT: it does not have three parts");
        };
        Ok(Self {
            header: object(header).ok_or("the header of the token is no object of JSON")?,
            claims: object(claims).ok_or("the claims of the token are no object of JSON")?,
        })
    }

    /// What the header says about how it is signed: the algorithm and the name of the key. Where a key would be
    /// found (`jwk`, `jku`, `x5u`, `x5c`) is not listened to.
    pub(super) fn signed_by(&self) -> Result<(Algorithm, Option<String>), Why> {
        let header = self.header.root();
        if header.get("crit").is_some() {
            return Err("the token has critical headers, and none is known");
        }
        self.check_type()?;
        let algorithm = header.get("alg").and_then(Node::as_str);
        let algorithm = algorithm.and_then(|name| name.parse().ok());
        let algorithm = algorithm.ok_or("the token is signed by no known algorithm")?;
        match header.get("kid").map(Node::as_str) {
            None => Ok((algorithm, None)),
            Some(Some(kid)) => Ok((algorithm, Some(kid.into_owned()))),
            Some(None) => Err("the name of the key of the token is no text"),
        }
    }

    /// A token for another purpose, such as a logout, says so in its type.
    fn check_type(&self) -> Result<(), Why> {
        let Some(kind) = self.header.root().get("typ") else {
            return Ok(());
        };
        let kind = kind.as_str().unwrap_or_default().to_ascii_lowercase();
        match kind.strip_prefix("application/").unwrap_or(&kind) {
            "jwt" | "at+jwt" => Ok(()),
            _ => Err("the token is of another type than JWT or at+jwt"),
        }
    }

    /// The issuer that the claims name. It is one text.
    pub(super) fn issuer(&self) -> Option<String> {
        let issuer = self.claims.root().get("iss")?.as_str()?;
        Some(issuer.into_owned())
    }
}

fn object(part: &str) -> Option<Value> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let value = Value::from_json(text).ok()?;
    (value.kind() == Kind::Object).then_some(value)
}
