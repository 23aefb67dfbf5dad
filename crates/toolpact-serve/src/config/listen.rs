//! The address that a server listens on.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// The address that is meant: `127.0.0.1:7878`, or a port alone, which is one of this machine to
/// itself.
pub(crate) fn address(text: &str) -> Result<String, String> {
    let port = |text: &str| text.parse::<u16>().is_ok();
    match text.rsplit_once(':') {
        None if port(text) => Ok(format!("127.0.0.1:{text}")),
        Some((host, number)) if !host.is_empty() && port(number) => Ok(text.to_owned()),
        Some(("", number)) if port(number) => Err(format!(
            "expected a host before `{text}`: `127.0.0.1{text}` for this machine alone, \
             `0.0.0.0{text}` for every network it is in"
        )),
        _ => Err(format!(
            "expected an address such as `127.0.0.1:7878`, or a port, found `{text}`"
        )),
    }
}

/// Reads the field, in which YAML has a port alone as a number.
pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Port(u16),
        Address(String),
    }
    Ok(match Written::deserialize(from)? {
        Written::Port(port) => port.to_string(),
        Written::Address(address) => address,
    })
}

pub(super) fn schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "integer"], "minimum": 0, "maximum": u16::MAX})
}

/// An address with another port.
pub(crate) fn with_port(listen: &str, port: u16) -> String {
    let address = address(listen);
    let host = address.as_deref().ok().and_then(|one| one.rsplit_once(':'));
    format!("{}:{port}", host.map_or("127.0.0.1", |(host, _)| host))
}

#[cfg(test)]
mod tests {
    use super::{address, with_port};

    #[test]
    fn a_port_is_one_of_this_machine() {
        for (text, expected) in [
            ("9000", Ok("127.0.0.1:9000")),
            ("0.0.0.0:9000", Ok("0.0.0.0:9000")),
            ("[::1]:9000", Ok("[::1]:9000")),
            ("localhost:0", Ok("localhost:0")),
            (":9000", Err("`127.0.0.1:9000` for this machine alone")),
            ("99999", Err("found `99999`")),
            ("nowhere", Err("found `nowhere`")),
        ] {
            match (address(text), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
        assert_eq!(with_port("0.0.0.0:80", 9000), "0.0.0.0:9000");
        assert_eq!(with_port("80", 9000), "127.0.0.1:9000");
    }
}
