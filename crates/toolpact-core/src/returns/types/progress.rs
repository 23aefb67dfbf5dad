use serde::Serialize;

use super::result_node::ResultNode;
use crate::Error;
use crate::returns::meaning::Operation;

/// The progress of an operation.
///
/// ```
/// use toolpact_core::returns::types::Progress;
///
/// let progress = Progress::default().with_percent(65)?.with_steps(13, 20)?;
/// assert_eq!(progress.percent(), Some(65));
/// assert!(progress.with_steps(21, 20).is_err());
/// # Ok::<(), toolpact_core::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_step: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_steps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Box<str>>,
}

impl Progress {
    /// Adds a percentage, of at most 100.
    pub fn with_percent(mut self, percent: u8) -> Result<Self, Error> {
        if percent > 100 {
            let message = format!("expected at most 100, found {percent}");
            return Err(Error::at("percent", message));
        }
        self.percent = Some(percent);
        Ok(self)
    }

    /// Adds the current step and the number of steps.
    pub fn with_steps(mut self, current: u64, total: u64) -> Result<Self, Error> {
        Error::unless_hold(&Operation {
            current_step: Some(current.into()),
            total_steps: Some(total.into()),
            ..Operation::default()
        })?;
        self.current_step = Some(current);
        self.total_steps = Some(total);
        Ok(self)
    }

    /// Adds a message.
    #[must_use]
    pub fn with_message(mut self, message: &str) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The percentage.
    #[must_use]
    pub fn percent(&self) -> Option<u8> {
        self.percent
    }

    /// The current step.
    #[must_use]
    pub fn current_step(&self) -> Option<u64> {
        self.current_step
    }

    /// The number of steps.
    #[must_use]
    pub fn total_steps(&self) -> Option<u64> {
        self.total_steps
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    pub(super) fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        let percent = part.optional("percent", |part| {
            let percent = u8::try_from(part.count(0)?).ok();
            let percent = percent.filter(|percent| *percent <= 100);
            percent.ok_or_else(|| part.wrong("expected at most 100"))
        })?;
        Ok(Self {
            percent,
            current_step: part.optional("current_step", |part| part.count(0))?,
            total_steps: part.optional("total_steps", |part| part.count(0))?,
            message: part.optional("message", ResultNode::text)?,
        })
    }
}
