use serde::{Serialize, Serializer};

use crate::text::display;

/// What a change means for those it concerns. The later one is the worse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nothing changed.
    Same,
    /// Text for models and people changed, and nothing that is checked.
    Documentation,
    /// Something changed that breaks nobody.
    Compatible,
    /// Neither could it be shown that it breaks nobody, nor was anything found that breaks.
    Unknown,
    /// Something that was valid is not any more. There is a [`Witness`](super::Witness) of it.
    Breaking,
}

/// The part of a version number that has to grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VersionBump {
    /// None: nothing changed.
    None,
    /// The third number.
    Patch,
    /// The second number.
    Minor,
    /// The first number.
    Major,
}

impl Verdict {
    /// Every verdict, the worst last.
    pub const ALL: [Self; 5] = [
        Self::Same,
        Self::Documentation,
        Self::Compatible,
        Self::Unknown,
        Self::Breaking,
    ];

    /// The name: `same`, `documentation`, `compatible`, `unknown` or `breaking`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Documentation => "documentation",
            Self::Compatible => "compatible",
            Self::Unknown => "unknown",
            Self::Breaking => "breaking",
        }
    }

    /// What semantic versioning asks for. What is not known counts as breaking.
    #[must_use]
    pub const fn version_bump(self) -> VersionBump {
        match self {
            Self::Same => VersionBump::None,
            Self::Documentation => VersionBump::Patch,
            Self::Compatible => VersionBump::Minor,
            Self::Unknown | Self::Breaking => VersionBump::Major,
        }
    }
}

impl VersionBump {
    /// The name: `none`, `patch`, `minor` or `major`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

display!(Verdict: name, VersionBump: name);

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for VersionBump {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
