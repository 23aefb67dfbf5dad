use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value as Json;

/// The name, description and options of a tool: everything in its contract that is not in its types.
///
/// ```
/// use std::time::Duration;
/// use toolpact::typed::ToolSpec;
///
/// let spec = ToolSpec::new("search_orders", "Finds orders of one customer.")
///     .read_only()
///     .timeout(Duration::from_secs(5));
/// assert_eq!(spec.name(), "search_orders");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is said or not, independently of the others"
)]
pub struct ToolSpec {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) read_only: bool,
    pub(crate) idempotent: bool,
    pub(crate) destructive: bool,
    pub(crate) open_world: bool,
    pub(crate) durable: bool,
    pub(crate) idempotency_key: bool,
    pub(crate) timeout: Option<Duration>,
    pub(crate) template: Option<Cow<'static, str>>,
    pub(crate) content_type: Option<Cow<'static, str>>,
    pub(crate) examples: Vec<Result<Json, ExampleError>>,
    pub(crate) opaque: bool,
    pub(crate) recursive: bool,
    pub(crate) runs_on: RunsOn,
}

/// Why an example cannot be written. It is reported when the tool is registered.
#[derive(Debug, Clone)]
pub(crate) struct ExampleError(pub(crate) Arc<serde_json::Error>);

impl PartialEq for ExampleError {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl Eq for ExampleError {}

/// Where a tool runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RunsOn {
    /// On the executor's pool of threads, which tools share.
    #[default]
    Pool,
    /// On a thread of its own for each call, so that it may block.
    Thread,
    /// In the task of the caller. This is the fastest, and nothing protects the caller from a tool
    /// that blocks: it is for tools that are known to be quick.
    Caller,
}

impl ToolSpec {
    /// A tool of this name. The description is for models: what it does and when to use it.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            read_only: false,
            idempotent: false,
            destructive: false,
            open_world: false,
            durable: false,
            idempotency_key: false,
            timeout: None,
            template: None,
            content_type: None,
            examples: Vec::new(),
            opaque: false,
            recursive: false,
            runs_on: RunsOn::default(),
        }
    }

    /// The name that calls use.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// It changes nothing.
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// A second call with the same arguments changes nothing more.
    pub fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// It may destroy something.
    pub fn destructive(mut self) -> Self {
        self.destructive = true;
        self
    }

    /// It deals with things outside, such as the web.
    pub fn open_world(mut self) -> Self {
        self.open_world = true;
        self
    }

    /// A call on the grid is kept until it has an outcome, whatever dies meanwhile.
    pub fn durable(mut self) -> Self {
        self.durable = true;
        self
    }

    /// It uses [`Context::call_id`](crate::Context::call_id) as idempotency key, so that to execute the same call
    /// twice changes nothing more.
    pub fn idempotency_key(mut self) -> Self {
        self.idempotency_key = true;
        self
    }

    /// How long a call may take.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The text of a result for a model, as a Jinja template.
    pub fn template(mut self, template: impl Into<Cow<'static, str>>) -> Self {
        self.template = Some(template.into());
        self
    }

    /// The content type of a file or medium that it returns: `text/csv`.
    pub fn content_type(mut self, content_type: impl Into<Cow<'static, str>>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// An example of a result. It is checked against the contract when the tool is registered.
    pub fn example(mut self, example: &impl Serialize) -> Self {
        let example = serde_json::to_value(example);
        let example = example.map_err(|error| ExampleError(Arc::new(error)));
        self.examples.push(example);
        self
    }

    /// It returns text, and promises nothing about it. Its output is a `String`.
    pub fn opaque(mut self) -> Self {
        self.opaque = true;
        self
    }

    /// Its arguments may be recursive, which not every provider supports.
    pub fn recursive(mut self) -> Self {
        self.recursive = true;
        self
    }

    /// Where it runs.
    pub fn runs_on(mut self, place: RunsOn) -> Self {
        self.runs_on = place;
        self
    }
}
