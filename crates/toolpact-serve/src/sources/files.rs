//! Files with tools, and how those are executed.

use std::path::Path;

use serde_json::{Value as Json, json};
use toolpact::Definition;
use toolpact::core::Severity;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::{Import, ImportedTool, import};
use toolpact::core::json::{Document, Format, Limits};

use super::build::{Built, NotBuilt};
use crate::config::{CommandExecutor, Executor, FilesSource};
use crate::executor::{HttpPlan, Sender, operation};

pub(super) fn build(config: &FilesSource) -> Result<Built, NotBuilt> {
    let mut built = Built {
        definitions: Vec::new(),
        left_out: Vec::new(),
        upstream: None,
    };
    let sender = Sender::new().map_err(|why| NotBuilt::new("HTTP cannot be used", why))?;
    let mut unused: Vec<&str> = config.tools.keys().map(String::as_str).collect();
    for path in &config.paths {
        let import = read(path)?;
        for bad in import.left_out() {
            built
                .left_out
                .push(left_out(path, &bad.name, &bad.violations.to_string()));
        }
        for tool in import.tools() {
            unused.retain(|name| *name != &*tool.name && *name != tool.contract.name().as_str());
            match define(tool, config, &sender) {
                Ok(definition) => built.definitions.push(definition),
                Err(why) => built.left_out.push(left_out(path, &tool.name, &why)),
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

/// The tools of a file, whatever dialect they are in.
pub(super) fn read(path: &Path) -> Result<Import, NotBuilt> {
    let shown = path.display();
    let text = std::fs::read(path).map_err(|error| {
        let why = format!("cannot read {shown}: {error}");
        NotBuilt::new("a file cannot be read", why)
    })?;
    let json = path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("json"));
    let format = if json { Format::Json } else { Format::Yaml };
    let document = Document::parse(&text, format, &Limits::default());
    import(&document).map_err(|violations| {
        let errors = violations
            .iter()
            .filter(|v| v.severity() == Severity::Error);
        let lines: Vec<String> = errors
            .map(|violation| format!("{shown}:{violation}"))
            .collect();
        NotBuilt::new("a file has no tools that can be read", lines.join("\n"))
    })
}

fn define(
    tool: &ImportedTool,
    config: &FilesSource,
    sender: &Sender,
) -> Result<Definition, String> {
    let contract = tool.contract.clone();
    let named = config.tools.get(&*tool.name);
    let executor = named.or_else(|| config.tools.get(contract.name().as_str()));
    let lift = executor.and_then(|executor| match executor {
        Executor::Command(command) => command.lift.as_ref(),
        Executor::Http(http) => http.lift.as_ref(),
    });
    let contract = match lift {
        Some(lift) => with(&contract, "lift", json!(lift))?,
        None => contract,
    };
    match (executor, &tool.route) {
        (Some(Executor::Command(command)), _) => run(&contract, command),
        (Some(Executor::Http(http)), _) => {
            let plan = HttpPlan::new(http);
            let plan = plan.map_err(|wrong| format!("`{}`: {}", wrong.field, wrong.message))?;
            Ok(plan.definition(contract, sender))
        }
        (None, Some(route)) => {
            let api = config.api.clone().unwrap_or_default();
            Ok(operation(route, &api)?.definition(contract, sender))
        }
        (None, None) if contract.run().is_some() => {
            Definition::run(contract).map_err(|error| error.to_string())
        }
        (None, None) => Err(
            "nothing says how it is executed: give its contract a `run`, or name it in `tools`"
                .to_owned(),
        ),
    }
}

/// A contract with a way to run it.
fn run(contract: &Contract, command: &CommandExecutor) -> Result<Definition, String> {
    let run = json!({"command": command.run, "env": command.env});
    let contract = with(contract, "run", run)?;
    Definition::run(contract).map_err(|error| error.to_string())
}

/// A contract with another value of a field.
fn with(contract: &Contract, field: &str, value: Json) -> Result<Contract, String> {
    let document = contract.to_value().deserialize::<Json>();
    let mut document = document.map_err(|error| error.to_string())?;
    document[field] = value;
    Contract::from_json(document.to_string()).map_err(|wrong| wrong.to_string())
}

fn left_out(path: &Path, tool: &str, why: &str) -> String {
    format!("{}: the tool `{tool}` is left out: {why}", path.display())
}
