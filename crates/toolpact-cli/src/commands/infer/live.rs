//! Calls of read-only tools of a server, to learn from their results.

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value as Json, json};
use toolpact_core::contract::Contract;
use toolpact_core::infer::{Form, InferredTool, ObservedTools};
use toolpact_core::json::{Kind, Limits, Value};
use toolpact_serve::View;

use super::Arguments;
use crate::backend::Backend;
use crate::signals::unless_asked;

/// Makes the calls, and returns the contracts that the server has for these tools.
pub(super) fn call_all(
    arguments: &Arguments,
    observed: &mut ObservedTools,
) -> anyhow::Result<Vec<Contract>> {
    if arguments.call.is_empty() {
        return Ok(Vec::new());
    }
    let calls: Vec<(&str, Value)> = arguments
        .call
        .iter()
        .map(|call| split(call))
        .collect::<Result<_, _>>()?;
    let target = arguments.servers.open_here()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let all = async {
        let backend = target.connect().await?;
        let contracts = backend.contracts().await?;
        for (tool, _) in &calls {
            ensure_read_only(tool, &contracts)?;
        }
        for (tool, args) in &calls {
            observe(&backend, tool, args, observed).await?;
        }
        let is_called =
            |contract: &Contract| calls.iter().any(|(tool, _)| contract.is_called(tool));
        anyhow::Ok(contracts.into_iter().filter(is_called).collect())
    };
    match runtime.block_on(unless_asked(all))? {
        Ok(contracts) => Ok(contracts),
        Err(_) => bail!("stopped before all calls were made"),
    }
}

/// A name, and a JSON object unless there are no arguments.
fn split(call: &str) -> anyhow::Result<(&str, Value)> {
    let (tool, args) = call
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((call.trim(), "{}"));
    let args = Value::from_json(args.trim())
        .context("expected --call 'TOOL {…}', with its arguments as JSON")?;
    ensure!(
        args.kind() == Kind::Object,
        "expected the arguments of {tool} to be a JSON object"
    );
    Ok((tool, args))
}

/// Nobody wants a file deleted to learn what the answer looks like.
fn ensure_read_only(tool: &str, contracts: &[Contract]) -> anyhow::Result<()> {
    let contract = contracts.iter().find(|contract| contract.is_called(tool));
    let contract = contract.with_context(|| format!("the server has no tool {tool}"))?;
    ensure!(
        contract.effects().read_only() == Some(true),
        "the contract of {tool} does not say that it is read-only (`effects: {{ read_only: true }}`); call it \
         yourself, and give what it returned"
    );
    Ok(())
}

async fn observe(
    backend: &Backend,
    tool: &str,
    args: &Value,
    observed: &mut ObservedTools,
) -> anyhow::Result<()> {
    let answer = backend.call(tool, args.clone(), View::Json).await?;
    let line = match answer.worked {
        true => format!(
            r#"{{"tool":{},"args":{args},"result":{}}}"#,
            json!(tool),
            answer.text.trim()
        ),
        false => format!(
            r#"{{"tool":{},"args":{args},"outcome":"FAILED_CALL"}}"#,
            json!(tool)
        ),
    };
    let read = observed.add_line(line.as_bytes(), Form::Detect, &Limits::default());
    read.with_context(|| format!("the result of {tool} is no JSON"))
}

/// What the server says of its tools stays; only `returns` is from the results.
pub(super) fn keep(served: &[Contract], tools: &mut [InferredTool]) -> anyhow::Result<()> {
    for tool in tools {
        let name = tool.contract.name().as_str();
        let Some(own) = served.iter().find(|own| own.is_called(name)) else {
            continue;
        };
        let mut document: Json = serde_json::from_str(&own.to_json())?;
        let inferred: Json = serde_json::from_str(&tool.contract.to_json())?;
        if let (Some(document), Some(returns)) = (document.as_object_mut(), inferred.get("returns"))
        {
            document.insert("returns".to_owned(), returns.clone());
        }
        tool.contract = Contract::from_json(document.to_string())?;
        // These are of parameters that are not used.
        tool.parameters.clear();
    }
    Ok(())
}
