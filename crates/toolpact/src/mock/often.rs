use std::fmt;
use std::str::FromStr;

use toolpact_core::sample::Random;

/// How often something happens: `10%` of the calls by chance, `1/10` for every tenth call, `always`.
///
/// ```
/// use toolpact::mock::Often;
///
/// assert_eq!("1/10".parse(), Ok(Often::every(10)));
/// assert_eq!("2.5%".parse::<Often>().unwrap().to_string(), "2.5%");
/// assert!("10".parse::<Often>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Often(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// So many of a million.
    Share(u32),
    Every(u64),
}

/// A setting of a mock that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongSetting {
    pub(super) expected: String,
    pub(super) found: String,
}

const MILLION: u32 = 1_000_000;
const EXPECTED: &str =
    "a share of the calls such as `10%`, every so many calls such as `1/10`, or `always`";

impl Often {
    /// With every call.
    pub const ALWAYS: Self = Self(Kind::Every(1));

    /// With every so many calls, beginning with the one of this number.
    #[must_use]
    pub fn every(calls: u64) -> Self {
        Self(Kind::Every(calls.max(1)))
    }

    /// Whether it happens with the call of this number, which begins at 1.
    pub(super) fn happens(self, number: u64, random: &mut Random) -> bool {
        match self.0 {
            Kind::Every(calls) => number.is_multiple_of(calls),
            Kind::Share(share) => random.below(MILLION as usize) < share as usize,
        }
    }
}

impl FromStr for Often {
    type Err = WrongSetting;

    fn from_str(text: &str) -> Result<Self, WrongSetting> {
        let wrong = || WrongSetting::new(EXPECTED, text);
        if text == "always" {
            return Ok(Self::ALWAYS);
        }
        if let Some(calls) = text.strip_prefix("1/") {
            let calls: u64 = calls.parse().map_err(|_| wrong())?;
            return (calls > 0).then(|| Self::every(calls)).ok_or_else(wrong);
        }
        let percent = text.strip_suffix('%').ok_or_else(wrong)?;
        let percent: f64 = percent.trim().parse().map_err(|_| wrong())?;
        match (0.0..=100.0).contains(&percent) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is at most a million"
            )]
            true => Ok(Self(Kind::Share((percent * 10_000.0).round() as u32))),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for Often {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Every(1) => f.write_str("always"),
            Kind::Every(calls) => write!(f, "1/{calls}"),
            Kind::Share(share) => write!(f, "{}%", f64::from(share) / 10_000.0),
        }
    }
}

impl WrongSetting {
    pub(super) fn new(expected: impl Into<String>, found: &str) -> Self {
        Self {
            expected: expected.into(),
            found: found.to_owned(),
        }
    }
}

impl fmt::Display for WrongSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for WrongSetting {}

/// Settings that are written as text.
macro_rules! as_text {
    ($($name:ident: $pattern:literal),*) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "string", "pattern": $pattern})
            }
        }
    )*};
}
pub(super) use as_text;

as_text!(Often: r"^(always|1/[0-9]+|[0-9.]+%)$");
