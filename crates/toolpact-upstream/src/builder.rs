use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use toolpact::core::contract::Contract;
use toolpact::core::memory::MemoryBudget;

use crate::Upstream;
use crate::error::{Reason, UpstreamError};
use crate::link::{Link, Settings};
use crate::place::{Address, Place, Program};

/// Connects to another MCP server.
///
/// ```
/// use std::time::Duration;
/// use toolpact_upstream::Upstream;
///
/// let builder = Upstream::http("https://tools.example.com/mcp")
///     .bearer("s3cret")
///     .timeout(Duration::from_secs(20));
/// assert!(!format!("{builder:?}").contains("s3cret"));
/// ```
#[must_use]
pub struct UpstreamBuilder {
    place: Place,
    settings: Settings,
    /// What could not be used, told when the connection is made.
    wrong: Option<UpstreamError>,
}

impl UpstreamBuilder {
    pub(crate) fn command(program: OsString) -> Self {
        Self::new(Place::Command(Program {
            path: program,
            args: Vec::new(),
            env: Vec::new(),
            folder: None,
        }))
    }

    pub(crate) fn http(url: String) -> Self {
        Self::new(Place::Http(Address {
            url,
            headers: HashMap::new(),
        }))
    }

    fn new(place: Place) -> Self {
        Self {
            place,
            settings: Settings::default(),
            wrong: None,
        }
    }

    /// One more argument of the program.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        match &mut self.place {
            Place::Command(program) => program.args.push(arg.into()),
            Place::Http(_) => self.refuse("`arg` is for programs"),
        }
        self
    }

    /// More arguments of the program.
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        for arg in args {
            self = self.arg(arg);
        }
        self
    }

    /// A variable of the program's environment.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        match &mut self.place {
            Place::Command(program) => program.env.push((name.into(), value.into())),
            Place::Http(_) => self.refuse("`env` is for programs"),
        }
        self
    }

    /// The folder that the program runs in.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        match &mut self.place {
            Place::Command(program) => program.folder = Some(folder.into()),
            Place::Http(_) => self.refuse("`folder` is for programs"),
        }
        self
    }

    /// A header of every request, which may be a secret.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let (name_read, value_read) = (name.parse::<HeaderName>(), HeaderValue::from_str(value));
        match (&mut self.place, name_read, value_read) {
            (Place::Http(address), Ok(name), Ok(mut value)) => {
                value.set_sensitive(true);
                address.headers.insert(name, value);
            }
            (Place::Http(_), ..) => {
                self.refuse(&format!(
                    "the header `{name}` has a name or a value that HTTP cannot carry"
                ));
            }
            (Place::Command(_), ..) => self.refuse("`header` is for servers at an address"),
        }
        self
    }

    /// The token that every request shows, as `Authorization: Bearer …`.
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// How long a call may take, unless it or its contract says otherwise.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeout = Some(timeout);
        self
    }

    /// How long the server may take to answer that it is there: 30 seconds without this.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.settings.connect_timeout = timeout;
        self
    }

    /// Speaks 2026-07-28, without a session. Without this, a session is opened if the server has them, and
    /// 2026-07-28 is spoken with one that has none.
    pub fn sessionless(mut self) -> Self {
        self.settings.sessionless = true;
        self
    }

    /// Holds the tool of this name to another contract, too: what it is called with has to satisfy
    /// the contract, what it returns has to satisfy the contract and the server's own schema.
    pub fn contract(mut self, contract: Contract) -> Self {
        let name = contract.name().as_str().into();
        self.settings.contracts.insert(name, contract);
        self
    }

    /// Uses the tools that are there if others are missing that there are contracts for. Without this,
    /// that is an error. [`Upstream::missing`] names them.
    pub fn allow_missing_tools(mut self) -> Self {
        self.settings.missing_allowed = true;
        self
    }

    /// Most tools that are used of the server: 10,000 without this. [`Upstream::excess`] says what is beyond.
    pub fn most_tools(mut self, tools: usize) -> Self {
        self.settings.list_limits.items = tools;
        self
    }

    /// Most bytes of the definitions of its tools: 32 MiB without this.
    pub fn most_tools_bytes(mut self, bytes: usize) -> Self {
        self.settings.list_limits.bytes = bytes;
        self
    }

    /// The memory that answers take while they are being read, of this and of all other servers with the same
    /// budget. A call whose answer has no place fails with `RATE_LIMIT_CONCURRENCY`. 256 MiB without this.
    pub fn answer_memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.settings.answers = budget;
        self
    }

    /// The memory that lists take, as long as their tools, prompts and resources are used, of this and of all other
    /// servers with the same budget. A list that has no place is not read. 256 MiB without this.
    pub fn list_memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.settings.lists = budget;
        self
    }

    /// Connects, and lists what the server has.
    pub async fn connect(self) -> Result<Upstream, UpstreamError> {
        match self.wrong {
            Some(wrong) => Err(wrong),
            None => Upstream::connect(Arc::new(Link::new(self.place, self.settings))).await,
        }
    }

    fn refuse(&mut self, why: &str) {
        self.wrong
            .get_or_insert_with(|| UpstreamError::new("", Reason::Settings(why.to_owned())));
    }
}

impl std::fmt::Debug for UpstreamBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("UpstreamBuilder").field(&self.place).finish()
    }
}
