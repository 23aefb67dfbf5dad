/// A prompt for the model of the caller.
///
/// ```
/// use toolpact::elicitation::Prompt;
///
/// let prompt = Prompt::new("What is the capital of France?", 100).with_system("Answer in one word.");
/// assert_eq!(prompt.max_tokens(), 100);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Prompt {
    text: String,
    max_tokens: u32,
    system: Option<String>,
    temperature: Option<f32>,
}

impl Prompt {
    /// A prompt, and the most tokens of the reply.
    pub fn new(text: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            text: text.into(),
            max_tokens,
            system: None,
            temperature: None,
        }
    }

    /// The system prompt.
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = Some(system.into());
        self
    }

    /// The sampling temperature.
    pub fn with_temperature(mut self, temperature: f32) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The prompt.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The most tokens of the reply.
    #[must_use]
    pub fn max_tokens(&self) -> u32 {
        self.max_tokens
    }

    /// The system prompt.
    #[must_use]
    pub fn system(&self) -> Option<&str> {
        self.system.as_deref()
    }

    /// The sampling temperature.
    #[must_use]
    pub fn temperature(&self) -> Option<f32> {
        self.temperature
    }
}

/// The reply of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelReply {
    /// Its text.
    pub text: String,
    /// Which model it was.
    pub model: String,
    /// Why it stopped, as the client reports it.
    pub stop_reason: Option<String>,
}

impl ModelReply {
    /// A reply.
    #[must_use]
    pub fn new(text: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            model: model.into(),
            stop_reason: None,
        }
    }

    /// With why it stopped.
    #[must_use]
    pub fn with_stop_reason(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
        self
    }
}

/// A root: a folder or another place that the caller works in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: `file:///home/ada/project`.
    pub uri: String,
    /// Its name for people.
    pub name: Option<String>,
}

impl Root {
    /// A root.
    #[must_use]
    pub fn new(uri: impl Into<String>, name: Option<String>) -> Self {
        let uri = uri.into();
        Self { uri, name }
    }
}
