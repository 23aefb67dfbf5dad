//! Why a tool cannot be registered.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use toolpact_core::Violations;

use super::{Error, ErrorKind, Fault};

/// Why a tool cannot be registered.
pub(super) enum DefinitionFault {
    Contract(Violations),
    Recursive {
        path: Box<str>,
        type_name: &'static str,
    },
    NotText {
        type_name: &'static str,
    },
    Example(Arc<serde_json::Error>),
    Taken {
        toolset: Box<str>,
    },
    Unknown {
        toolset: Box<str>,
    },
    NoBody,
    Run(Box<str>),
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

impl Error {
    pub(crate) fn contract(tool: &str, violations: Violations) -> Self {
        Self::definition(tool, DefinitionFault::Contract(violations))
    }

    pub(crate) fn recursive(tool: &str, path: &str, type_name: &'static str) -> Self {
        let path = path.into();
        Self::definition(tool, DefinitionFault::Recursive { path, type_name })
    }

    pub(crate) fn not_text(tool: &str, type_name: &'static str) -> Self {
        Self::definition(tool, DefinitionFault::NotText { type_name })
    }

    pub(crate) fn example(tool: &str, error: Arc<serde_json::Error>) -> Self {
        Self::definition(tool, DefinitionFault::Example(error))
    }

    pub(crate) fn name_taken(tool: &str, toolset: &str) -> Self {
        let toolset = toolset.into();
        Self::definition(tool, DefinitionFault::Taken { toolset })
    }

    pub(crate) fn unknown_tool(tool: &str, toolset: &str) -> Self {
        let toolset = toolset.into();
        Self::definition(tool, DefinitionFault::Unknown { toolset })
    }

    pub(crate) fn no_body(tool: &str) -> Self {
        Self::definition(tool, DefinitionFault::NoBody)
    }

    /// The way to run it cannot be used.
    pub(crate) fn run(tool: &str, why: &str) -> Self {
        Self::definition(tool, DefinitionFault::Run(why.into()))
    }

    pub(crate) fn toolset(name: &str, violations: Violations) -> Self {
        let name = name.into();
        let fault = DefinitionFault::Toolset { name, violations };
        Self::new(None, Fault::Definition(fault))
    }

    pub(crate) fn qualified(tool: &str, name: &str, violations: Violations) -> Self {
        let name = name.into();
        Self::definition(tool, DefinitionFault::Qualified { name, violations })
    }

    /// In a session, tools of these toolsets would have the same name.
    pub(crate) fn name_clash(name: &str, toolsets: [&str; 2]) -> Self {
        let toolsets = toolsets.map(Box::from);
        Self::definition(name, DefinitionFault::Clash { toolsets })
    }

    fn definition(tool: &str, fault: DefinitionFault) -> Self {
        Self::new(Some(tool), Fault::Definition(fault))
    }
}

impl DefinitionFault {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Taken { .. } | Self::Clash { .. } => ErrorKind::NameTaken,
            Self::Unknown { .. } => ErrorKind::UnknownTool,
            _ => ErrorKind::InvalidDefinition,
        }
    }

    pub(super) fn violations(&self) -> Option<&Violations> {
        match self {
            Self::Contract(violations)
            | Self::Toolset { violations, .. }
            | Self::Qualified { violations, .. } => Some(violations),
            _ => None,
        }
    }

    pub(super) fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Example(error) => Some(&**error),
            _ => self
                .violations()
                .map(|violations| violations as &(dyn StdError + 'static)),
        }
    }

    pub(super) fn fmt(&self, tool: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contract(violations) => {
                write!(f, "the contract of `{tool}` is wrong:\n{violations}")
            }
            Self::Recursive { path, type_name } => write!(
                f,
                "what `{tool}` takes contains itself at `{path}` (in {type_name}), which ADM and some \
                 providers cannot say; use a type that ends, or allow it with `recursive`"
            ),
            Self::NotText { type_name } => write!(
                f,
                "`{tool}` is opaque, so it has to return a String; found {type_name}"
            ),
            Self::Example(reason) => {
                write!(
                    f,
                    "an example of what `{tool}` returns cannot be written: {reason}"
                )
            }
            Self::Taken { toolset } => write!(
                f,
                "there is a tool `{tool}` in {} already; replace it, or choose another name or toolset",
                shown(toolset)
            ),
            Self::Unknown { toolset } => {
                write!(f, "there is no tool `{tool}` in {}", shown(toolset))
            }
            Self::NoBody => write!(
                f,
                "the contract of `{tool}` does not say how it is run; add `run`, or give it a closure"
            ),
            Self::Run(why) => write!(f, "`{tool}` cannot be run as its contract says: {why}"),
            Self::Toolset { name, violations } => {
                write!(f, "`{name}` cannot be the name of a toolset: {violations}")
            }
            Self::Clash {
                toolsets: [one, two],
            } => write!(
                f,
                "a tool of {} and one of {} would both be called `{tool}` in this session; choose \
                 another name for one of them, or let the session see fewer toolsets",
                shown(one),
                shown(two)
            ),
            Self::Qualified { name, violations } => write!(
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
