use std::fmt;
use std::str::FromStr;

use schemars::json_schema;

use super::{Unreadable, as_text};

/// What a product is called in the warehouse: `TEA-004`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Sku(Box<str>);

as_text!(
    Sku,
    json_schema!({"type": "string", "pattern": "^[A-Z]{3}-[0-9]{3}$"})
);

impl Sku {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Sku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Sku {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let bytes = text.as_bytes();
        let good = bytes.len() == 7
            && bytes[..3].iter().all(u8::is_ascii_uppercase)
            && bytes[3] == b'-'
            && bytes[4..].iter().all(u8::is_ascii_digit);
        match good {
            true => Ok(Self(text.into())),
            false => Err(Unreadable::expected("a product such as `TEA-004`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sku;

    #[test]
    fn only_the_very_form_is_read() {
        assert_eq!("TEA-004".parse::<Sku>().unwrap().as_str(), "TEA-004");
        for wrong in [
            "",
            "TEA-04",
            "tea-004",
            "TEA-0044",
            "TÉA-04",
            "TEA_004",
            "TEA-00\u{664}",
        ] {
            assert!(wrong.parse::<Sku>().is_err(), "{wrong}");
        }
    }
}
