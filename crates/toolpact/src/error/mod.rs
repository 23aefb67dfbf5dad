//! What goes wrong: tools that cannot be registered, scripts, programs and templates that fail.
//!
//! A call always has a result, and why it failed is a [`ToolError`](crate::ToolError), which may have
//! one of these as its source.

mod definition;
mod kind;

use std::error::Error as StdError;
use std::{fmt, io};

use toolpact_core::Violations;

use definition::DefinitionFault;
pub use kind::ErrorKind;

use crate::ToolError;
use crate::code::{ScriptError, SnapshotFault};
use crate::command::CommandFault;
use crate::text::TemplateFault;

/// Why a tool cannot be registered, or a script, a program or a text template failed: the kind, the
/// place, and what caused it.
///
/// ```
/// use toolpact::{Registry, error::ErrorKind, returns::StringValue, tool};
///
/// /// Greets someone by name.
/// #[tool(read_only)]
/// async fn greet(name: String) -> StringValue {
///     StringValue::success(format!("Hello, {name}!"))
/// }
///
/// let registry = Registry::new();
/// registry.add(greet::tool())?;
/// let error = registry.add(greet::tool()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NameTaken);
/// assert_eq!(error.tool(), Some("greet"));
/// # Ok::<(), toolpact::Error>(())
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    tool: Option<Box<str>>,
    place: Box<str>,
    fault: Fault,
}

enum Fault {
    Definition(DefinitionFault),
    UnknownOutput,
    BrokenOutput(Violations),
    UnreadableOutput(ToolError),
    NoWorker {
        message: String,
        source: Option<io::Error>,
    },
    WorkerLost(String),
    Script(ScriptError),
    Snapshot(SnapshotFault),
    Template(TemplateFault),
    Program {
        fault: CommandFault,
        stderr: String,
    },
    Record(Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// What kind of thing went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match &self.0.fault {
            Fault::Definition(fault) => fault.kind(),
            Fault::UnknownOutput => ErrorKind::UnknownTool,
            Fault::BrokenOutput(_) | Fault::UnreadableOutput(_) => ErrorKind::InvalidOutput,
            Fault::NoWorker { .. } => ErrorKind::NoWorker,
            Fault::WorkerLost(_) => ErrorKind::WorkerLost,
            Fault::Script(_) => ErrorKind::Script,
            Fault::Snapshot(_) => ErrorKind::InvalidSnapshot,
            Fault::Template(_) => ErrorKind::Template,
            Fault::Program { .. } => ErrorKind::Program,
            Fault::Record(_) => ErrorKind::InvalidRecord,
        }
    }

    /// A stable word for it: `invalid-definition`, `types`, `limit-time`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &self.0.fault {
            Fault::Script(error) => error.code(),
            Fault::Snapshot(fault) => fault.code(),
            Fault::Program { fault, .. } => fault.code(),
            _ => match self.kind() {
                ErrorKind::NameTaken => "name-taken",
                ErrorKind::UnknownTool => "unknown-tool",
                ErrorKind::InvalidOutput => "invalid-output",
                ErrorKind::NoWorker => "no-worker",
                ErrorKind::WorkerLost => "worker-lost",
                ErrorKind::Template => "template",
                ErrorKind::InvalidRecord => "invalid-record",
                _ => "invalid-definition",
            },
        }
    }

    /// The tool it is about, if it is about one.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        self.0.tool.as_deref()
    }

    /// Where: "/parameters/type" in a contract, "line 2, column 5" in a script, "line 1, at `data.nme`"
    /// in a text template, "line 7" in a log, the path of a program. Empty where there is no place to name.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// The status that a program ended with, if that was what went wrong.
    #[must_use]
    pub fn exit_status(&self) -> Option<i32> {
        match &self.0.fault {
            Fault::Program {
                fault: CommandFault::Exit { status, .. },
                ..
            } => Some(*status),
            _ => None,
        }
    }

    /// The last lines that a program wrote to standard error, if it failed.
    #[must_use]
    pub fn stderr(&self) -> Option<&str> {
        match &self.0.fault {
            Fault::Program { stderr, .. } => Some(stderr),
            _ => None,
        }
    }

    /// The rules that a contract, a name or a result breaks, with their places.
    #[must_use]
    pub fn violations(&self) -> Option<&Violations> {
        match &self.0.fault {
            Fault::Definition(fault) => fault.violations(),
            Fault::BrokenOutput(violations) => Some(violations),
            _ => None,
        }
    }

    /// What went wrong with a script, and where in it.
    #[must_use]
    pub fn script(&self) -> Option<&ScriptError> {
        match &self.0.fault {
            Fault::Script(error) => Some(error),
            _ => None,
        }
    }

    /// Whether a script is to blame. If not, it could not be run at all, or not to its end.
    #[must_use]
    pub fn is_script_fault(&self) -> bool {
        let script = self.script();
        script.is_some_and(|error| !matches!(error, ScriptError::Declarations(_)))
    }

    pub(crate) fn unknown_output(tool: &str) -> Self {
        Self::new(Some(tool), Fault::UnknownOutput)
    }

    pub(crate) fn broken_output(tool: &str, violations: Violations) -> Self {
        Self::new(Some(tool), Fault::BrokenOutput(violations))
    }

    pub(crate) fn unreadable_output(tool: &str, error: ToolError) -> Self {
        Self::new(Some(tool), Fault::UnreadableOutput(error))
    }

    pub(crate) fn no_worker(message: String, source: Option<io::Error>) -> Self {
        Self::new(None, Fault::NoWorker { message, source })
    }

    pub(crate) fn worker_lost(reason: impl Into<String>) -> Self {
        Self::new(None, Fault::WorkerLost(reason.into()))
    }

    pub(crate) fn template(fault: TemplateFault) -> Self {
        Self::at(&fault.place(), Fault::Template(fault))
    }

    pub(crate) fn command(program: &str, fault: CommandFault, stderr: String) -> Self {
        Self::at(program, Fault::Program { fault, stderr })
    }

    /// A line of a log cannot be read.
    pub(crate) fn record(line: usize, source: impl StdError + Send + Sync + 'static) -> Self {
        Self::at(&format!("line {line}"), Fault::Record(Box::new(source)))
    }

    fn new(tool: Option<&str>, fault: Fault) -> Self {
        let mut error = Self::at(&fault.place(), fault);
        error.0.tool = tool.map(Box::from);
        error
    }

    fn at(place: &str, fault: Fault) -> Self {
        let (tool, place) = (None, place.into());
        Self(Box::new(Inner { tool, place, fault }))
    }
}

impl Fault {
    /// Where, as far as the fault itself says.
    fn place(&self) -> String {
        let violations = match self {
            Fault::Definition(DefinitionFault::Recursive { path, .. }) => return path.to_string(),
            Fault::Script(error) => {
                let position = error.position();
                return position.map_or_else(String::new, |position| position.to_string());
            }
            Fault::Definition(fault) => fault.violations(),
            Fault::BrokenOutput(violations) => Some(violations),
            _ => None,
        };
        let first = violations.and_then(|violations| violations.iter().next());
        first.map_or_else(String::new, |violation| violation.pointer().to_string())
    }
}

impl From<ScriptError> for Error {
    fn from(error: ScriptError) -> Self {
        Self::new(None, Fault::Script(error))
    }
}

impl From<SnapshotFault> for Error {
    fn from(fault: SnapshotFault) -> Self {
        Self::new(None, Fault::Snapshot(fault))
    }
}

/// All that is known, the cause included.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool = self.tool().unwrap_or_default();
        match &self.0.fault {
            Fault::Definition(fault) => fault.fmt(tool, f),
            Fault::UnknownOutput => write!(f, "there is no tool `{tool}`"),
            Fault::BrokenOutput(violations) => violations.fmt(f),
            Fault::UnreadableOutput(error) => write!(f, "{error:?}"),
            Fault::NoWorker { message, .. } => f.write_str(message),
            Fault::WorkerLost(reason) => write!(
                f,
                "the program that runs scripts ended before the script did ({reason}); run it again"
            ),
            Fault::Script(error) => error.fmt(f),
            Fault::Snapshot(fault) => fault.fmt(f),
            Fault::Template(fault) => fault.fmt(f),
            Fault::Program { fault, .. } => fault.fmt(f),
            Fault::Record(source) => write!(f, "{}: {source}", self.place()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.kind())
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.0.fault {
            Fault::Definition(fault) => fault.source(),
            Fault::BrokenOutput(violations) => Some(violations),
            Fault::UnreadableOutput(error) => error
                .source()
                .map(|source| source as &(dyn StdError + 'static)),
            Fault::Template(fault) => Some(fault.source()),
            Fault::Program { fault, .. } => fault.source(),
            Fault::Record(source) => Some(&**source),
            Fault::NoWorker { source, .. } => source
                .as_ref()
                .map(|source| source as &(dyn StdError + 'static)),
            _ => None,
        }
    }
}
