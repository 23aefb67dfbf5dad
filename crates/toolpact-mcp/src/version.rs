//! The versions of the protocol, and the dialect of each.

use std::fmt;

use toolpact::core::dialect::Dialect;

/// A version of the protocol that is spoken here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// With sessions.
    V2025_06_18,
    /// With sessions.
    V2025_11_25,
    /// Each request describes its sender.
    V2026_07_28,
}

impl Version {
    /// The oldest first.
    pub const ALL: [Version; 3] = [Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    pub(crate) const LATEST: Version = Self::V2026_07_28;

    /// What a client is offered that initializes a session with a version that is not spoken here.
    const LATEST_WITH_SESSIONS: Version = Self::V2025_11_25;

    /// Versions of clients whose sessions may go on in a later one.
    const EARLIER: [&str; 2] = ["2024-11-05", "2025-03-26"];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.name() == name)
    }

    /// Whether a header may name this version: one that is spoken here, or an earlier one.
    pub(crate) fn is_known(name: &str) -> bool {
        Self::from_name(name).is_some() || Self::EARLIER.contains(&name)
    }

    /// As the protocol writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Whether clients of this version have sessions. Those of later ones describe themselves in every
    /// request.
    pub fn has_sessions(self) -> bool {
        self <= Self::LATEST_WITH_SESSIONS
    }

    /// The version of a session whose client asks for this one.
    pub(crate) fn negotiate(requested: &str) -> Self {
        let known = Self::from_name(requested);
        known
            .filter(|version| version.has_sessions())
            .unwrap_or(Self::LATEST_WITH_SESSIONS)
    }

    /// The version of a server that says it speaks this one. One that is older or not said is taken for
    /// the oldest: what that allows, all allow.
    pub fn spoken_by(server: &str) -> Self {
        let mut newest_first = Self::ALL.into_iter().rev();
        let spoken = newest_first.find(|version| version.name() <= server);
        spoken.unwrap_or(Self::ALL[0])
    }

    /// How it writes tools, calls and results.
    pub fn dialect(self) -> Dialect {
        match self {
            Self::V2025_06_18 => Dialect::Mcp2025_06_18,
            Self::V2025_11_25 => Dialect::Mcp2025_11_25,
            Self::V2026_07_28 => Dialect::Mcp,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn sessions_are_negotiated() {
        for (requested, expected) in [
            ("2025-06-18", Version::V2025_06_18),
            ("2025-11-25", Version::V2025_11_25),
            ("2026-07-28", Version::V2025_11_25),
            ("2024-11-05", Version::V2025_11_25),
            ("", Version::V2025_11_25),
        ] {
            assert_eq!(Version::negotiate(requested), expected, "{requested}");
        }
        assert!(Version::is_known("2025-03-26") && !Version::is_known("1999-01-01"));
        for version in Version::ALL {
            assert_eq!(Version::from_name(version.name()), Some(version));
        }
    }
}
