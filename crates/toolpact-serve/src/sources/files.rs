//! Files with tools, and how those are executed.

use std::path::Path;

use serde_json::{Value as Json, json};
use toolpact::Definition;
use toolpact::core::Severity;
use toolpact::core::contract::{Contract, Run};
use toolpact::core::dialect::{Import, ImportedTool, NotImported, import};
use toolpact::core::json::{Document, Limits};

use super::build::{Built, NotBuilt};
use crate::config::{Executor, FilesSource, format, locate};
use crate::executor::{HttpPlan, Sender, operation};
use crate::memory::Memory;

pub(super) fn build(config: &FilesSource, memory: &Memory) -> Result<Built, NotBuilt> {
    let mut built = Built::default();
    let sender =
        Sender::new(&memory.answers).map_err(|why| NotBuilt::new("HTTP cannot be used", why))?;
    let mut unused: Vec<&str> = config.tools.keys().map(String::as_str).collect();
    for path in &config.paths {
        let file = read(path)?;
        for bad in file.import.left_out() {
            // It has a way to be executed, whatever else is wrong with it.
            unused.retain(|name| *name != &*bad.name);
            built.left_out.push(file.left_out(bad));
        }
        for tool in file.import.tools() {
            unused.retain(|name| *name != &*tool.name && !tool.contract.is_called(name));
            match define(tool, config, &sender) {
                Ok(Defined {
                    definition,
                    program,
                }) => {
                    let program = program.map(|program| (tool.name.to_string(), program));
                    built.programs.extend(program);
                    built.definitions.push(definition);
                }
                Err(why) => built
                    .left_out
                    .push(left_out(&path.display(), &tool.name, &why)),
            }
        }
    }
    for name in unused {
        let message =
            format!("`{name}` has a way to be executed, but no file has a tool of that name");
        built.left_out.push(message);
    }
    Ok(built)
}

/// A file with tools.
pub(super) struct ToolFile<'p> {
    path: &'p Path,
    pub(super) document: Document,
    pub(super) import: Import,
}

impl ToolFile<'_> {
    /// What is said of a tool that cannot be used: a line for each error, with its place.
    pub(super) fn left_out(&self, bad: &NotImported) -> String {
        let path = self.path.display();
        if bad.is_hosted {
            return left_out(&path, &bad.name, NotImported::HOSTED);
        }
        let errors = bad.violations.iter();
        let errors = errors.filter(|one| one.severity() == Severity::Error);
        let lines = errors.map(|one| match locate(&self.document, one.pointer()) {
            Some((line, column)) => (format!("{path}:{line}:{column}"), one.to_string()),
            None => (path.to_string(), one.to_string()),
        });
        let lines = lines.enumerate().map(|(at, (place, why))| match at {
            0 => left_out(&place, &bad.name, &why),
            _ => format!("{place}: {why}"),
        });
        lines.collect::<Vec<String>>().join("\n")
    }
}

/// The tools of a file, whatever dialect they are in.
pub(super) fn read(path: &Path) -> Result<ToolFile<'_>, NotBuilt> {
    let shown = path.display();
    let text = std::fs::read(path).map_err(|error| {
        let why = format!("cannot read {shown}: {error}");
        NotBuilt::new("a file cannot be read", why)
    })?;
    let document = Document::parse(&text, format(path), &Limits::default());
    let import = import(&document).map_err(|violations| {
        let errors = violations
            .iter()
            .filter(|v| v.severity() == Severity::Error);
        let lines: Vec<String> = errors
            .map(|violation| format!("{shown}:{violation}"))
            .collect();
        NotBuilt::new("a file has no tools that can be read", lines.join("\n"))
    })?;
    Ok(ToolFile {
        path,
        document,
        import,
    })
}

/// A tool that can be called, and the program that a call starts.
struct Defined {
    definition: Definition,
    program: Option<String>,
}

fn define(tool: &ImportedTool, config: &FilesSource, sender: &Sender) -> Result<Defined, String> {
    let contract = tool.contract.clone();
    let named = config.tools.get(&*tool.name);
    let executor = named.or_else(|| config.tools.get(contract.name().as_str()));
    let contract = match executor.and_then(|executor| executor.lift.as_ref()) {
        Some(lift) => with(&contract, "lift", json!(lift))?,
        None => contract,
    };
    if let Some((command, env)) = executor.and_then(Executor::program) {
        let program = json!({"command": command, "env": env});
        return run(with(&contract, "run", program)?);
    }
    let definition = match (executor.and_then(|one| one.http.as_ref()), &tool.route) {
        (Some(http), _) => {
            let plan = HttpPlan::new(http);
            let plan = plan.map_err(|wrong| format!("`{}`: {}", wrong.field, wrong.message))?;
            plan.definition(contract, sender)
        }
        (None, Some(route)) => {
            let api = config.api.clone().unwrap_or_default();
            operation(route, &api)?.definition(contract, sender)
        }
        (None, None) if contract.run().is_some() => return run(contract),
        (None, None) => {
            let why = "nothing says how it is executed: give its contract a `run`, or name it in \
                       `tools` of its source in a config";
            return Err(why.to_owned());
        }
    };
    Ok(Defined {
        definition,
        program: None,
    })
}

/// A contract with another value of a field.
fn with(contract: &Contract, field: &str, value: Json) -> Result<Contract, String> {
    let document = contract.to_value().deserialize::<Json>();
    let mut document = document.map_err(|error| error.to_string())?;
    document[field] = value;
    Contract::from_json(document.to_string()).map_err(|wrong| wrong.to_string())
}

fn run(contract: Contract) -> Result<Defined, String> {
    let program = match contract.run() {
        Some(Run::Command(command)) => Some(command.program().to_owned()),
        _ => None,
    };
    let definition = Definition::run(contract).map_err(|error| error.to_string())?;
    Ok(Defined {
        definition,
        program,
    })
}

fn left_out(place: &dyn std::fmt::Display, tool: &str, why: &str) -> String {
    format!("{place}: the tool `{tool}` is left out: {why}")
}
