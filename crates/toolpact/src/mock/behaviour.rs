use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_core::returns::ErrorKind;
use toolpact_core::sample::Random;
use toolpact_core::violation::nearest;

use super::often::as_text;
use super::{Often, WrongSetting};

/// What a mocked tool does besides answering.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Behaviour {
    /// Errors in place of answers: `RATE_LIMIT_EXCEEDED=10%`, `EXTERNAL_TIMEOUT=1/5`. Of several that fall
    /// on one call, it is the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<MockedError>,
    /// How long a call takes, in milliseconds: `200`, `100-400`, `5000=1/10`. The first that falls on a
    /// call holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub delays: Vec<Delay>,
    /// How often the result breaks the contract: `10%`, `1/10`, `always`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaches: Option<Often>,
}

/// An error and how often it is: `EXTERNAL_TIMEOUT=1/5`, `NOT_FOUND_RESOURCE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MockedError {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// How often it is.
    pub often: Often,
}

/// How long a call takes and how often it does: `200`, `100-400=10%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delay {
    least_ms: u64,
    most_ms: u64,
    often: Often,
}

as_text!(MockedError: "^[A-Z_]+(=.+)?$", Delay: "^[0-9]+(-[0-9]+)?(=.+)?$");

impl Behaviour {
    /// Whether it only answers.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        *self == Self::default()
    }

    /// The error of the call of this number.
    pub(super) fn error(&self, number: u64, random: &mut Random) -> Option<ErrorKind> {
        let mut errors = self.errors.iter();
        let error = errors.find(|error| error.often.happens(number, random));
        error.map(|error| error.kind)
    }

    /// The delay of the call of this number.
    pub(super) fn delay(&self, number: u64, random: &mut Random) -> Option<Duration> {
        let mut delays = self.delays.iter();
        let delay = delays.find(|delay| delay.often.happens(number, random))?;
        let more = usize::try_from(delay.most_ms - delay.least_ms).unwrap_or(usize::MAX);
        let more = random.below(more.saturating_add(1)) as u64;
        Some(Duration::from_millis(delay.least_ms + more))
    }

    /// Whether the result of the call of this number breaks the contract.
    pub(super) fn breaks(&self, number: u64, random: &mut Random) -> bool {
        self.breaches
            .is_some_and(|often| often.happens(number, random))
    }
}

impl FromStr for MockedError {
    type Err = WrongSetting;

    fn from_str(text: &str) -> Result<Self, WrongSetting> {
        let (code, often) = split(text)?;
        let kind = ErrorKind::all().find(|kind| kind.code() == code);
        let kind = kind.ok_or_else(|| {
            let codes = || ErrorKind::all().map(ErrorKind::code);
            let expected = match nearest(code, codes()) {
                Some(meant) => format!("the code of an error, such as `{meant}`"),
                None => {
                    let all: Vec<&str> = codes().collect();
                    format!("the code of an error, one of {}", all.join(", "))
                }
            };
            WrongSetting::new(expected, code)
        })?;
        Ok(Self { kind, often })
    }
}

impl fmt::Display for MockedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.kind.code(), self.often)
    }
}

impl FromStr for Delay {
    type Err = WrongSetting;

    fn from_str(text: &str) -> Result<Self, WrongSetting> {
        let (span, often) = split(text)?;
        let (least, most) = span.split_once('-').unwrap_or((span, span));
        match (least.parse(), most.parse()) {
            (Ok(least_ms), Ok(most_ms)) if least_ms <= most_ms => Ok(Self {
                least_ms,
                most_ms,
                often,
            }),
            _ => Err(WrongSetting::new(
                "milliseconds such as `200` or `100-400`",
                span,
            )),
        }
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            least_ms,
            most_ms,
            often,
        } = self;
        match least_ms == most_ms {
            true => write!(f, "{least_ms}={often}"),
            false => write!(f, "{least_ms}-{most_ms}={often}"),
        }
    }
}

/// What, and how often; always, where nothing is said of that.
fn split(text: &str) -> Result<(&str, Often), WrongSetting> {
    match text.split_once('=') {
        Some((what, often)) => Ok((what, often.parse()?)),
        None => Ok((text, Often::ALWAYS)),
    }
}
