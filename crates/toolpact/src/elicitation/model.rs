/// What a model is asked.
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
    /// A question, and how long the answer may be.
    pub fn new(text: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            text: text.into(),
            max_tokens,
            system: None,
            temperature: None,
        }
    }

    /// What the model is told about itself first.
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = Some(system.into());
        self
    }

    /// How much is left to chance.
    pub fn with_temperature(mut self, temperature: f32) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The question.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How long the answer may be.
    #[must_use]
    pub fn max_tokens(&self) -> u32 {
        self.max_tokens
    }

    /// What the model is told about itself first.
    #[must_use]
    pub fn system(&self) -> Option<&str> {
        self.system.as_deref()
    }

    /// How much is left to chance.
    #[must_use]
    pub fn temperature(&self) -> Option<f32> {
        self.temperature
    }
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelReply {
    /// Its words.
    pub text: String,
    /// Which model it was.
    pub model: String,
    /// Why it ended, in the words of whoever asked it.
    pub stop_reason: Option<String>,
}

impl ModelReply {
    /// Words of a model.
    #[must_use]
    pub fn new(text: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            model: model.into(),
            stop_reason: None,
        }
    }

    /// With why it ended.
    #[must_use]
    pub fn with_stop_reason(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
        self
    }
}

/// A place to work in, such as a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: `file:///home/ada/project`.
    pub uri: String,
    /// What people call it.
    pub name: Option<String>,
}

impl Root {
    /// A place.
    #[must_use]
    pub fn new(uri: impl Into<String>, name: Option<String>) -> Self {
        let uri = uri.into();
        Self { uri, name }
    }
}
