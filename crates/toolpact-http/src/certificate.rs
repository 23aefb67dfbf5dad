//! The certificate that a client shows when it connects.

use rustls::pki_types::CertificateDer;
use toolpact_core::{ANONYMOUS, Principal};
use webpki::EndEntityCert;

/// Whose certificate a client has shown. The authority that it is of is one that the server trusts.
#[derive(Debug, Clone)]
pub struct ClientCertificate(Principal);

/// The longest name that is taken over.
const LONGEST: usize = 256;

/// The object identifier of the common name, 2.5.4.3.
const COMMON_NAME: [u8; 3] = [0x55, 0x04, 0x03];

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT_IDENTIFIER: u8 = 0x06;
const UTF8_STRING: u8 = 0x0c;
const PRINTABLE_STRING: u8 = 0x13;
const IA5_STRING: u8 = 0x16;

impl ClientCertificate {
    /// `None` if it names nobody. The signature of the certificate is not looked at here.
    pub(crate) fn of(certificate: &CertificateDer<'_>) -> Option<Self> {
        let certificate = EndEntityCert::try_from(certificate).ok()?;
        let name = common_name(certificate.subject())
            .or_else(|| certificate.valid_uri_names().find_map(named))
            .or_else(|| certificate.valid_dns_names().find_map(named))?;
        let issuer = common_name(certificate.issuer())?;
        // An issuer of JWTs is an address, so that no two are called the same.
        let principal = Principal::new(name).issued_by(format!("x509:{issuer}"));
        Some(Self(principal))
    }

    /// Its subject: the common name, or else the first alternative name that is an address or a host. Its issuer
    /// is `x509:` with the common name of the authority.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.0
    }
}

/// A name, unless it has something in it that no name has.
fn named(name: &str) -> Option<&str> {
    let is_name = !name.is_empty() && name.len() <= LONGEST && !name.chars().any(char::is_control);
    (is_name && name != ANONYMOUS).then_some(name)
}

/// The common name in a distinguished name, if there is exactly one.
fn common_name(distinguished: &[u8]) -> Option<&str> {
    let mut names = Vec::new();
    let mut rest = distinguished;
    while !rest.is_empty() {
        let mut attributes = read(&mut rest, SET)?;
        while !attributes.is_empty() {
            let mut attribute = read(&mut attributes, SEQUENCE)?;
            if read(&mut attribute, OBJECT_IDENTIFIER)? == COMMON_NAME {
                names.push(text(attribute)?);
            }
        }
    }
    match names[..] {
        [name] => named(name),
        _ => None,
    }
}

fn text(mut value: &[u8]) -> Option<&str> {
    let kind = *value.first()?;
    matches!(kind, UTF8_STRING | PRINTABLE_STRING | IA5_STRING).then_some(())?;
    std::str::from_utf8(read(&mut value, kind)?).ok()
}

/// The content of the next value of DER, if it is of this kind.
fn read<'d>(from: &mut &'d [u8], kind: u8) -> Option<&'d [u8]> {
    let (&[found, length], rest) = from.split_first_chunk()?;
    (found == kind).then_some(())?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81 => {
            let (&length, rest) = rest.split_first()?;
            (usize::from(length), rest)
        }
        0x82 => {
            let (&length, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_be_bytes(length)), rest)
        }
        // No name is that long.
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    *from = rest;
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::common_name;

    /// `CN=<name>` as DER has it, for short names.
    fn attribute(kind: u8, name: &[u8]) -> Vec<u8> {
        let length = |more: usize| u8::try_from(name.len() + more).unwrap();
        let mut der = vec![
            0x31,
            length(9),
            0x30,
            length(7),
            6,
            3,
            0x55,
            4,
            3,
            kind,
            length(0),
        ];
        der.extend_from_slice(name);
        der
    }

    #[test]
    fn a_subject_has_one_common_name_or_none() {
        let ada = attribute(0x0c, b"ada");
        assert_eq!(common_name(&ada), Some("ada"));
        let organisation = [0x31, 9, 0x30, 7, 6, 3, 0x55, 4, 10, 0x0c, 0];
        assert_eq!(
            common_name(&[&organisation[..], &ada].concat()),
            Some("ada")
        );
        for wrong in [
            Vec::new(),
            organisation.to_vec(),
            [&ada[..], &ada].concat(),
            attribute(0x0c, b"a\nb"),
            attribute(0x0c, b"\xff"),
            attribute(0x1e, b"\0a"),
            attribute(0x0c, b""),
            attribute(0x0c, b"anonymous"),
            ada[..ada.len() - 1].to_vec(),
            vec![0x31, 0x84, 0xff, 0xff, 0xff, 0xff],
        ] {
            assert_eq!(common_name(&wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn no_bytes_are_too_odd() {
        let ada = attribute(0x0c, b"ada");
        for place in 0..ada.len() {
            for byte in 0..=255 {
                let mut odd = ada.clone();
                odd[place] = byte;
                let _ = common_name(&odd);
            }
        }
    }
}
