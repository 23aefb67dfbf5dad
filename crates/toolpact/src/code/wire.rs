//! The protocol of a host and its worker: frames of JSON, each prefixed with its length.
//!
//! For the program `toolpact-code`; everyone else wants [`Sandbox`](super::Sandbox).

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::LimitKind;

/// The version. It changes with every change of the protocol.
pub const PROTOCOL: u32 = 2;

/// The argument of a worker that may run scripts where the system cannot be kept from them.
pub const ALLOW_UNCONFINED: &str = "--allow-unconfined";

/// Longest frame, in bytes.
pub const LONGEST_FRAME: usize = 256 << 20;

/// Longest script, in bytes: the type checker is not made for longer ones.
pub const LONGEST_SCRIPT: usize = 64 << 10;

/// A message of the host.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// Check a script, and run it unless it is to be checked only.
    Begin(Begin),
    /// Resume a run that was saved.
    Resume(Resume),
    /// The result of a call.
    Answer(CallResult),
    /// Save the run, which waits for a result, and drop it.
    Save,
}

/// A script, and what it may use.
#[derive(Debug, Serialize, Deserialize)]
pub struct Begin {
    /// Its text.
    pub script: String,
    /// The name of the script in tracebacks.
    pub file: String,
    /// Declarations of the tools that it names.
    pub stubs: String,
    /// The functions that call tools.
    pub tools: Vec<String>,
    /// How much it may use.
    pub budget: ScriptBudget,
    /// Whether it is not to be run.
    pub only_check: bool,
}

/// How much a script may use.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ScriptBudget {
    /// Milliseconds of its own, those of tools not counted.
    pub time_ms: u64,
    /// Bytes.
    pub memory: usize,
    /// Depth of nested function calls.
    pub recursion: usize,
    /// Calls of tools.
    pub calls: usize,
    /// Bytes printed and returned.
    pub output: usize,
}

/// A run that was saved.
#[derive(Debug, Serialize, Deserialize)]
pub struct Resume {
    /// What [`Reply::Saved`] had.
    pub state: String,
    /// The name of the script in tracebacks.
    pub file: String,
    /// The functions that call tools.
    pub tools: Vec<String>,
    /// How much it may use in all. Time and recursion are part of the state.
    pub budget: ScriptBudget,
    /// Calls that were made.
    pub calls: usize,
    /// Bytes that were printed.
    pub printed: usize,
}

/// The result of a call.
#[derive(Debug, Serialize, Deserialize)]
pub struct CallResult {
    /// The call.
    pub id: u32,
    /// A value or an exception.
    pub outcome: Outcome,
}

/// What a script gets of a call.
#[derive(Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// A value.
    Value(Box<RawValue>),
    /// An exception.
    Raise(Exception, String),
}

/// The exceptions that a call can raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exception {
    /// The tool failed.
    ToolError,
    /// The arguments are not those of the function.
    TypeError,
    /// A value that is not JSON.
    ValueError,
}

/// A message of the worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// It has started.
    Ready {
        /// Its [`PROTOCOL`].
        protocol: u32,
    },
    /// It runs no scripts, since it cannot confine itself. The reason.
    Unconfined(String),
    /// The script passed the checks. Unless it was to be checked only, it runs now.
    Checked {
        /// Whether comments silence the type checker.
        ignores: bool,
    },
    /// Something was printed.
    Printed(String),
    /// A tool is called.
    Call(ToolCall),
    /// The script waits for the result of one more call.
    Waiting {
        /// How many results it has received: others may be on their way.
        answers: usize,
    },
    /// The script has ended.
    Done {
        /// Its value.
        value: Box<RawValue>,
        /// How many bytes the worker has in use.
        memory: usize,
    },
    /// The script is wrong, failed or was stopped.
    Failed(Failure),
    /// The run, as bytes in Base64.
    Saved(String),
}

/// A call of a tool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ToolCall {
    /// Its number, which no other call of the run has.
    pub id: u32,
    /// The function.
    pub function: String,
    /// Positional arguments.
    pub args: Vec<Box<RawValue>>,
    /// Keyword arguments.
    pub named: Vec<(String, Box<RawValue>)>,
    /// Whether the script goes on meanwhile.
    pub is_task: bool,
}

/// Why a script did not end well.
#[derive(Debug, Serialize, Deserialize)]
pub enum Failure {
    /// It is too long.
    TooLong(usize),
    /// It is not Python that the interpreter accepts.
    Syntax {
        /// What is wrong.
        message: String,
        /// Where.
        place: ScriptPosition,
    },
    /// The type checker found errors.
    Types(Vec<TypeFinding>),
    /// The declarations are wrong, which is not the fault of the script.
    Declarations(String),
    /// It raised an exception.
    Raised {
        /// The type of the exception.
        exception: String,
        /// What it says.
        message: String,
        /// Where, the outermost first.
        frames: Vec<Frame>,
    },
    /// It exceeded a limit.
    Limit {
        /// Which limit.
        limit: LimitKind,
        /// Where, the outermost first.
        frames: Vec<Frame>,
    },
    /// Its value is not JSON.
    Value(String),
    /// The run that was saved cannot be read.
    State(String),
    /// The worker got a message that it did not expect.
    Protocol(String),
}

/// An error that the type checker found.
#[derive(Debug, Serialize, Deserialize)]
pub struct TypeFinding {
    /// Where.
    pub place: ScriptPosition,
    /// The rule.
    pub rule: String,
    /// What is wrong.
    pub message: String,
}

/// A frame of a traceback.
#[derive(Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The line that was running.
    pub place: ScriptPosition,
    /// The function; `None` outside of functions.
    pub function: Option<String>,
}

/// A place in a script, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScriptPosition {
    /// The line.
    pub line: u32,
    /// The character of the line.
    pub column: u32,
}

/// Writes one frame.
pub fn write_frame<T: Serialize>(out: &mut impl Write, message: &T) -> io::Result<()> {
    out.write_all(&to_frame(message)?)?;
    out.flush()
}

/// Reads one frame; `None` at the end of the stream.
pub fn read_frame<T: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut bytes = Vec::new();
    let length = length_of(length)?;
    input.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    from_bytes(&bytes).map(Some)
}

/// The bytes of a frame, with the length in front.
pub(super) fn to_frame<T: Serialize>(message: &T) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = frame.len() - 4;
    let too_long = || invalid(format!("a frame of {length} bytes is too long"));
    let length = u32::try_from(length)
        .ok()
        .filter(|_| length <= LONGEST_FRAME);
    frame[..4].copy_from_slice(&length.ok_or_else(too_long)?.to_le_bytes());
    Ok(frame)
}

/// The length that stands in front of a frame.
pub(super) fn length_of(bytes: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_le_bytes(bytes) as usize;
    match length <= LONGEST_FRAME {
        true => Ok(length),
        false => Err(invalid(format!("a frame of {length} bytes is too long"))),
    }
}

/// The message of a frame.
pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    serde_json::from_slice(bytes).map_err(|error| invalid(error.to_string()))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
