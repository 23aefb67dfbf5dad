use std::error::Error;
use std::fmt;

use toolpact_core::Violations;

/// Why a tool cannot be registered.
#[derive(Debug)]
pub struct DefineError {
    tool: Box<str>,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    Contract(Violations),
    Recursive {
        path: Box<str>,
        type_name: &'static str,
    },
    NotText {
        type_name: &'static str,
    },
    Example {
        reason: Box<str>,
    },
    Taken {
        toolset: Box<str>,
    },
    Unknown {
        toolset: Box<str>,
    },
    NoBody,
    Toolset {
        name: Box<str>,
        violations: Violations,
    },
    Qualified {
        name: Box<str>,
        violations: Violations,
    },
    Clash {
        toolsets: [Box<str>; 2],
    },
}

impl DefineError {
    pub(crate) fn contract(tool: &str, violations: Violations) -> Self {
        Self::new(tool, Reason::Contract(violations))
    }

    pub(crate) fn recursive(tool: &str, path: &str, type_name: &'static str) -> Self {
        let path = path.into();
        Self::new(tool, Reason::Recursive { path, type_name })
    }

    pub(crate) fn not_text(tool: &str, type_name: &'static str) -> Self {
        Self::new(tool, Reason::NotText { type_name })
    }

    pub(crate) fn example(tool: &str, reason: &str) -> Self {
        let reason = reason.into();
        Self::new(tool, Reason::Example { reason })
    }

    pub(crate) fn taken(tool: &str, toolset: &str) -> Self {
        let toolset = toolset.into();
        Self::new(tool, Reason::Taken { toolset })
    }

    pub(crate) fn unknown(tool: &str, toolset: &str) -> Self {
        let toolset = toolset.into();
        Self::new(tool, Reason::Unknown { toolset })
    }

    pub(crate) fn no_body(tool: &str) -> Self {
        Self::new(tool, Reason::NoBody)
    }

    pub(crate) fn toolset(name: &str, violations: Violations) -> Self {
        let name = name.into();
        Self::new("", Reason::Toolset { name, violations })
    }

    pub(crate) fn qualified(tool: &str, name: &str, violations: Violations) -> Self {
        let name = name.into();
        Self::new(tool, Reason::Qualified { name, violations })
    }

    /// In a session, tools of these toolsets would have the same name.
    pub(crate) fn clash(name: &str, toolsets: [&str; 2]) -> Self {
        let toolsets = toolsets.map(Box::from);
        Self::new(name, Reason::Clash { toolsets })
    }

    /// The tool it is about; empty if it is about a toolset.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// What is wrong with its contract, if that is the reason.
    #[must_use]
    pub fn violations(&self) -> Option<&Violations> {
        match &self.reason {
            Reason::Contract(violations)
            | Reason::Toolset { violations, .. }
            | Reason::Qualified { violations, .. } => Some(violations),
            _ => None,
        }
    }

    fn new(tool: &str, reason: Reason) -> Self {
        Self {
            tool: tool.into(),
            reason,
        }
    }
}

impl fmt::Display for DefineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool = &self.tool;
        match &self.reason {
            Reason::Contract(violations) => {
                write!(f, "the contract of `{tool}` is wrong:\n{violations}")
            }
            Reason::Recursive { path, type_name } => write!(
                f,
                "what `{tool}` takes contains itself at `{path}` (in {type_name}), which ADM and some \
                 providers cannot say; use a type that ends, or allow it with `recursive`"
            ),
            Reason::NotText { type_name } => write!(
                f,
                "`{tool}` is opaque, so it has to return a String; found {type_name}"
            ),
            Reason::Example { reason } => {
                write!(
                    f,
                    "an example of what `{tool}` returns cannot be written: {reason}"
                )
            }
            Reason::Taken { toolset } => write!(
                f,
                "there is a tool `{tool}` in {} already; replace it, or choose another name or toolset",
                shown(toolset)
            ),
            Reason::Unknown { toolset } => {
                write!(f, "there is no tool `{tool}` in {}", shown(toolset))
            }
            Reason::NoBody => write!(
                f,
                "the contract of `{tool}` does not say how it is run; add `run`, or give it a closure"
            ),
            Reason::Toolset { name, violations } => {
                write!(f, "`{name}` cannot be the name of a toolset: {violations}")
            }
            Reason::Clash {
                toolsets: [one, two],
            } => write!(
                f,
                "a tool of {} and one of {} would both be called `{tool}` in this session; choose \
                 another name for one of them, or let the session see fewer toolsets",
                shown(one),
                shown(two)
            ),
            Reason::Qualified { name, violations } => write!(
                f,
                "`{tool}` is there more than once, and `{name}` cannot be its name: {violations}"
            ),
        }
    }
}

fn shown(toolset: &str) -> String {
    match toolset {
        "" => "the toolset without a name".to_owned(),
        name => format!("the toolset `{name}`"),
    }
}

impl Error for DefineError {}
