use std::fmt;

use super::LimitKind;
use super::tool_failure::ToolFailure;
use super::wire::ScriptPosition;

/// Why a script was refused, or did not end well. Its `Display` is what a model may read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ScriptError {
    /// The script is too long.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
        /// What is allowed.
        limit: usize,
    },
    /// It is not Python that the interpreter accepts.
    Syntax(Box<Finding>),
    /// The type checker found errors.
    Types(Vec<Finding>),
    /// The declarations of the tools are wrong, which is not the fault of the script.
    Declarations(String),
    /// It raised an exception.
    Raised(Box<UncaughtException>),
    /// It exceeded a limit. No script can catch that.
    Limit(LimitExceeded),
    /// Its value is not JSON.
    Value(String),
}

/// One thing that is wrong with a script, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub message: String,
    /// The rule of the type checker, or `syntax`.
    pub rule: String,
    /// Where.
    pub place: ScriptPosition,
    /// The line of the script.
    pub source: String,
    /// The tools whose contracts it is about.
    pub tools: Vec<String>,
    /// What to write instead, if it is a usual mistake.
    pub hint: Option<String>,
}

/// An exception that nothing caught.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncaughtException {
    /// The type of the exception.
    pub exception: String,
    /// What it says.
    pub message: String,
    /// Where, the outermost first.
    pub traceback: Vec<TracebackLine>,
    /// The failure of the tool, if the exception comes from one.
    pub failure: Option<ToolFailure>,
}

/// A limit that a script exceeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitExceeded {
    /// Which one.
    pub limit: LimitKind,
    /// What is allowed.
    pub allowed: String,
    /// Where, the outermost first; empty if the worker had to be killed.
    pub traceback: Vec<TracebackLine>,
}

/// One line of a traceback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracebackLine {
    /// What the script is called.
    pub file: String,
    /// Where.
    pub place: ScriptPosition,
    /// The function; `None` outside of functions.
    pub function: Option<String>,
    /// The line of the script.
    pub source: String,
}

impl ScriptError {
    /// Its stable code: `types`, `limit-time`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ScriptError::TooLong { .. } => "script-too-long",
            ScriptError::Syntax(_) => "syntax",
            ScriptError::Types(_) => "types",
            ScriptError::Declarations(_) => "declarations",
            ScriptError::Raised(_) => "raised",
            ScriptError::Limit(exceeded) => exceeded.limit.code(),
            ScriptError::Value(_) => "value",
        }
    }

    /// Where in the script, if that is known: of several places, the first; of a traceback, the last.
    #[must_use]
    pub fn position(&self) -> Option<ScriptPosition> {
        let innermost = |traceback: &[TracebackLine]| traceback.last().map(|line| line.place);
        match self {
            ScriptError::Syntax(finding) => Some(finding.place),
            ScriptError::Types(findings) => findings.first().map(|finding| finding.place),
            ScriptError::Raised(raised) => innermost(&raised.traceback),
            ScriptError::Limit(exceeded) => innermost(&exceeded.traceback),
            _ => None,
        }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScriptError::Value(reason) => f.write_str(reason),
            ScriptError::TooLong { bytes, limit } => write!(
                f,
                "expected a script of at most {limit} bytes, found {bytes}; split it"
            ),
            ScriptError::Syntax(finding) => write!(f, "{finding}"),
            ScriptError::Types(findings) => {
                for (number, finding) in findings.iter().enumerate() {
                    write!(f, "{}{finding}", if number == 0 { "" } else { "\n\n" })?;
                }
                Ok(())
            }
            ScriptError::Declarations(reason) => {
                write!(f, "the declarations of the tools are wrong: {reason}")
            }
            ScriptError::Raised(raised) => write!(f, "{raised}"),
            ScriptError::Limit(exceeded) => write!(f, "{exceeded}"),
        }
    }
}

/// "line 3, column 5".
impl fmt::Display for ScriptPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        if self.rule != "syntax" {
            write!(f, " [{}]", self.rule)?;
        }
        if !self.source.trim().is_empty() {
            write!(f, "\n    {}", self.source.trim())?;
        }
        if !self.tools.is_empty() {
            write!(f, "\n    by the contract of `{}`", self.tools.join("`, `"))?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n    {hint}")?;
        }
        Ok(())
    }
}

impl fmt::Display for UncaughtException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        traceback(f, &self.traceback)?;
        match (&*self.exception, &*self.message) {
            (exception, "") => f.write_str(exception),
            (exception, message) => write!(f, "{exception}: {message}"),
        }
    }
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        traceback(f, &self.traceback)?;
        let Self { limit, allowed, .. } = self;
        write!(
            f,
            "{limit}: the script used more than {allowed}; {}",
            limit.advice()
        )
    }
}

/// How many lines of one function that calls itself are shown, as Python does it.
const REPEATED: usize = 3;

fn traceback(f: &mut fmt::Formatter<'_>, lines: &[TracebackLine]) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(f, "Traceback (most recent call last):")?;
    for same in lines.chunk_by(|a, b| a == b) {
        for line in same.iter().take(REPEATED) {
            write!(f, "{line}")?;
        }
        if same.len() > REPEATED {
            let more = same.len() - REPEATED;
            writeln!(f, "  [Previous line repeated {more} more times]")?;
        }
    }
    Ok(())
}

impl fmt::Display for TracebackLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            place,
            function,
            source,
        } = self;
        let function = function.as_deref().unwrap_or("<module>");
        writeln!(f, "  File \"{file}\", line {}, in {function}", place.line)?;
        match source.trim() {
            "" => Ok(()),
            source => writeln!(f, "    {source}"),
        }
    }
}
