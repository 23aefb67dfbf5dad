//! The tool that runs scripts of agents: Python that calls the other tools of the server, checked
//! against their contracts and run in a sandbox.

mod contract;
mod host;
mod result;

use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::mpsc;
use toolpact::code::{RunOptions, RunReport, Sandbox, ScriptTools};
use toolpact::core::contract::Contract;
use toolpact::core::json::{Node, Value};
use toolpact::core::returns::ErrorKind;
use toolpact::returns::Progress;
use toolpact::{Context, Definition, Registry, ToolError};

use contract::Described;
pub(crate) use host::CodeHost;

use crate::config::CodeConfig;

/// The tools that scripts can call, as they are by now.
type CurrentTools = Arc<RwLock<Arc<ScriptTools>>>;

/// The tool that runs scripts, and the one that gives declarations if they are too long to be in the
/// description of the first.
fn definitions(
    config: &CodeConfig,
    sandbox: &Arc<Sandbox>,
    tools: &CurrentTools,
    is_same_for_all: bool,
) -> Result<Vec<Definition>, ToolError> {
    let described = contract::describe(config, &current(tools), is_same_for_all)?;
    let (limits, sandbox) = (config.limits, Arc::clone(sandbox));
    let of_run = Arc::clone(tools);
    let run = Definition::new(described.run, move |args: Value, context: Context| {
        let (sandbox, tools) = (Arc::clone(&sandbox), current(&of_run));
        // Nobody is shown the values of its trace.
        let options = RunOptions::default().limits(limits.trace(0));
        async move {
            let tools = tools_of(&tools, &context).await?;
            let script = text_of(&args, "script");
            run(&script, &sandbox, &tools, options, &context).await
        }
    });
    let of_look_up = Arc::clone(tools);
    let look_up = described.declarations.map(|contract| {
        Definition::new(contract, move |args: Value, context: Context| {
            let tools = current(&of_look_up);
            async move { declarations(&args, &*tools_of(&tools, &context).await?) }
        })
    });
    Ok([Some(run), look_up].into_iter().flatten().collect())
}

/// The contracts of the tools that `definitions` makes where there are policies.
pub(crate) fn contracts(config: &CodeConfig) -> Vec<Contract> {
    let described = || -> Result<Described, ToolError> {
        let session = Registry::new().session().open()?;
        contract::describe(config, &ScriptTools::of(&session), false)
    };
    let described = described().ok();
    let contracts = described.map(|described| [Some(described.run), described.declarations]);
    contracts.into_iter().flatten().flatten().collect()
}

/// The tools that whoever makes this call may see: a script makes its calls for them. To describe many tools takes a
/// while, off the threads of calls.
async fn tools_of(
    tools: &Arc<ScriptTools>,
    context: &Context,
) -> Result<Arc<ScriptTools>, ToolError> {
    let (tools, principal) = (Arc::clone(tools), context.principal().clone());
    let theirs = toolpact::background::spawn(move || tools.for_principal(&principal)).await;
    let theirs = theirs.map_err(|_| {
        ToolError::new(ErrorKind::Internal, "").with_source("the tools could not be described")
    });
    Ok(Arc::new(theirs?))
}

fn current(tools: &CurrentTools) -> Arc<ScriptTools> {
    Arc::clone(&tools.read().unwrap_or_else(PoisonError::into_inner))
}

async fn run(
    script: &str,
    sandbox: &Sandbox,
    tools: &ScriptTools,
    options: RunOptions,
    context: &Context,
) -> Result<Value, ToolError> {
    let (sender, mut calls) = mpsc::unbounded_channel();
    let options = options.calls(sender);
    let tools = tools.used_by(context.client_info().cloned());
    let mut running = std::pin::pin!(sandbox.run(script, &tools, &options));
    let mut made = 0_u64;
    let report: RunReport = loop {
        tokio::select! {
            biased;
            report = &mut running => break report,
            Some(tool) = calls.recv() => {
                made += 1;
                let message = format!("call {made}: {tool}");
                context.progress(Progress::default().with_message(&message)).await;
            }
        }
    };
    result::of(report)
}

/// The declarations of the tools that are named, by the names of their functions.
fn declarations(args: &Value, tools: &ScriptTools) -> Result<Value, ToolError> {
    let names = args.root().get("tools");
    let names: Vec<String> = names
        .into_iter()
        .flat_map(Node::items)
        .filter_map(|name| name.as_str().map(|name| name.replace('-', "_")))
        .collect();
    let known: Vec<&str> = tools.names().collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let near = toolpact::core::violation::nearest(unknown, known.iter().copied());
        let near = near.map(|near| format!(" Did you mean `{near}`?"));
        let message = format!(
            "There is no function `{unknown}`.{}",
            near.unwrap_or_default()
        );
        return Err(ToolError::not_found(message));
    }
    Ok(Value::from(&*tools.declarations(&names.join(" "))))
}

fn text_of(args: &Value, key: &str) -> String {
    let text = args.root().get(key).and_then(Node::as_str);
    text.map(String::from).unwrap_or_default()
}
