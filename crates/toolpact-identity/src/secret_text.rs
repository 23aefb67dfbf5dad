//! The text of a token: `tpk_`, 200 bits of chance, and a checksum of 40 bits, in base32.

use sha2::{Digest as _, Sha256};

use crate::IdentityError;

/// What tokens begin with, so that they are recognised where they should not be.
pub(crate) const PREFIX: &str = "tpk_";

const RANDOM: usize = 25;
const CHECKSUM: usize = 5;
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// A token that nobody has had before.
pub(crate) fn make() -> Result<String, IdentityError> {
    let mut bytes = [0; RANDOM + CHECKSUM];
    let (random, checksum) = bytes.split_at_mut(RANDOM);
    let no_chance = |error| IdentityError::new(format!("there is no randomness: {error}"));
    getrandom::fill(random).map_err(no_chance)?;
    checksum.copy_from_slice(&checksum_of(random));
    Ok(format!("{PREFIX}{}", encode(&bytes)))
}

/// Whether a token could have been made here. One that could not was mistyped, or cut off.
pub(crate) fn is_well_formed(token: &str) -> bool {
    let bytes = token.strip_prefix(PREFIX).and_then(decode);
    bytes.is_some_and(|bytes| {
        let (random, checksum) = bytes.split_at(RANDOM);
        checksum_of(random) == checksum
    })
}

fn checksum_of(random: &[u8]) -> [u8; CHECKSUM] {
    let digest = Sha256::digest(random);
    std::array::from_fn(|place| digest[place])
}

/// Five bytes are eight characters.
fn encode(bytes: &[u8; RANDOM + CHECKSUM]) -> String {
    let groups = bytes.chunks(5).map(|group| {
        let number = group
            .iter()
            .fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
        let digit = |place: u32| char::from(ALPHABET[(number >> (35 - 5 * place) & 31) as usize]);
        (0..8).map(digit).collect::<String>()
    });
    groups.collect()
}

fn decode(text: &str) -> Option<[u8; RANDOM + CHECKSUM]> {
    let mut bytes = [0; RANDOM + CHECKSUM];
    (text.len() == bytes.len() / 5 * 8).then_some(())?;
    for (group, into) in text.as_bytes().chunks(8).zip(bytes.chunks_mut(5)) {
        let mut number = 0_u64;
        for byte in group {
            let digit = ALPHABET.iter().position(|digit| digit == byte)?;
            number = number << 5 | digit as u64;
        }
        into.copy_from_slice(&number.to_be_bytes()[3..]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{is_well_formed, make};

    #[test]
    fn what_is_made_is_well_formed_and_typos_are_not() {
        let token = make().unwrap();
        assert_eq!(token.len(), 52);
        assert!(is_well_formed(&token), "{token}");
        assert_ne!(token, make().unwrap());
        for place in 0..token.len() {
            let mut typo = token.clone().into_bytes();
            typo[place] = if typo[place] == b'a' { b'b' } else { b'a' };
            let typo = String::from_utf8(typo).unwrap();
            assert!(!is_well_formed(&typo), "{token} {typo}");
        }
        for wrong in ["", "tpk_", "tpk_a", &token[1..], &token[..51], "tpk_ä"] {
            assert!(!is_well_formed(wrong), "{wrong}");
        }
    }
}
