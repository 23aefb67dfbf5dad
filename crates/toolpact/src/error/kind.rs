/// What kind of thing went wrong with an [`Error`](super::Error).
///
/// This is about tools that cannot be registered, and about scripts, programs, text templates and
/// records that do not do what they are for. What a caller is told of a call that failed has kinds of its own: [`core::returns::ErrorKind`](toolpact_core::returns::ErrorKind).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A tool cannot be registered: its contract, its types or its name are wrong.
    InvalidDefinition,
    /// Another tool has the name already.
    NameTaken,
    /// There is no such tool.
    UnknownTool,
    /// A result is not what its tool returns.
    InvalidOutput,
    /// The program that runs scripts is not there, or does not start.
    NoWorker,
    /// The program that runs scripts ended before the script did.
    WorkerLost,
    /// A script did not run, or did not end well: see [`Error::script`](super::Error::script).
    Script,
    /// A snapshot of a run cannot be resumed.
    InvalidSnapshot,
    /// The text template of a contract made no text of a result.
    Template,
    /// The program of a tool did not start, or did not end well.
    Program,
    /// A line of a call log, or a stored result, cannot be read.
    InvalidRecord,
}
