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
use toolpact::returns::Progress;
use toolpact::{Context, Definition, Registry, ToolError};

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
) -> Result<Vec<Definition>, ToolError> {
    let described = contract::describe(config, &current(tools))?;
    let (limits, sandbox) = (config.limits, Arc::clone(sandbox));
    let of_run = Arc::clone(tools);
    let run = Definition::new(described.run, move |args: Value, context: Context| {
        let (sandbox, tools) = (Arc::clone(&sandbox), current(&of_run));
        // Nobody is shown the values of its trace.
        let options = RunOptions::default().limits(limits.trace(0));
        async move {
            run(
                &text_of(&args, "script"),
                &sandbox,
                &tools,
                options,
                &context,
            )
            .await
        }
    });
    let of_look_up = Arc::clone(tools);
    let look_up = described.declarations.map(|contract| {
        Definition::new(contract, move |args: Value, _: Context| {
            let declared = declarations(&args, &current(&of_look_up));
            async move { declared }
        })
    });
    Ok([Some(run), look_up].into_iter().flatten().collect())
}

/// The contract of the tool that runs scripts, whatever tools there are.
pub(crate) fn contract(config: &CodeConfig) -> Option<Contract> {
    let session = Registry::new().session().open().ok()?;
    let described = contract::describe(config, &ScriptTools::of(&session));
    Some(described.ok()?.run)
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
    // The script makes its calls for whoever called this tool.
    let tools = tools.for_principal(context.principal());
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
