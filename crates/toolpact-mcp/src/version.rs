//! The versions of the protocol, and the dialect that each of them is.

use rmcp::model::ProtocolVersion;
use toolpact::core::dialect::Dialect;

/// What is spoken, the oldest first.
pub(crate) static VERSIONS: [ProtocolVersion; 3] = [
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// The dialects of [`VERSIONS`], in the same order.
pub(crate) const DIALECTS: [Dialect; 3] =
    [Dialect::Mcp2025_06_18, Dialect::Mcp2025_11_25, Dialect::Mcp];

/// The place of a version in the two lists. One that is older or not said is taken for the oldest:
/// what that allows, all allow.
pub(crate) fn place(version: Option<&ProtocolVersion>) -> usize {
    let version = version.map_or("", ProtocolVersion::as_str);
    let later = VERSIONS.iter().filter(|known| known.as_str() <= version);
    later.count().saturating_sub(1)
}

/// The dialect of a version.
pub(crate) fn dialect(version: Option<&ProtocolVersion>) -> Dialect {
    DIALECTS[place(version)]
}

#[cfg(test)]
mod tests {
    use super::{DIALECTS, VERSIONS, dialect};
    use rmcp::model::ProtocolVersion;

    #[test]
    fn every_version_has_its_dialect() {
        for (version, expected) in VERSIONS.iter().zip(DIALECTS) {
            assert_eq!(dialect(Some(version)), expected);
        }
        assert_eq!(dialect(None), DIALECTS[0]);
        assert_eq!(dialect(Some(&ProtocolVersion::V_2024_11_05)), DIALECTS[0]);
    }
}
