use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::Value as Json;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_serve::View;

use crate::output::Output;
use crate::place::{Place, PlaceArguments};
use crate::signals::unless_asked;
use crate::status::Status;

/// Call a tool of a server or of files
///
/// Arguments are `key=value`: text where the contract says so, else JSON. `key:=value` is JSON
/// whatever the contract says.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The tool
    tool: String,
    /// Its arguments
    #[arg(value_name = "KEY=VALUE")]
    words: Vec<String>,
    /// All arguments as a JSON object
    #[arg(long, value_name = "ARGS", conflicts_with = "words")]
    json: Option<String>,
    /// The form of the result
    #[arg(long, value_parser = views(), default_value = "text")]
    view: View,
    #[command(flatten)]
    place: PlaceArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact call search_orders 'filter:={\"status\": \"sent\"}' page=2
  toolpact call get_order --json '{\"order\": \"O-1001\"}' --view json
  toolpact call get-ticket number=5 --tools examples/desk.yaml

Exit status:
  0  it worked
  1  the call failed, and the answer says why
  2  it could not run: usage, a server that cannot be reached
  130, 143  it was asked to stop: Ctrl-C, SIGTERM";

fn views() -> impl TypedValueParser<Value = View> {
    let names = View::ALL.map(View::as_str);
    PossibleValuesParser::new(names).try_map(|name| View::from_name(&name).ok_or("no such view"))
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let place = arguments.place.open()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let called = runtime.block_on(unless_asked(async {
        let args = arguments.args(&place).await?;
        place.call(&arguments.tool, args, arguments.view).await
    }))?;
    let (worked, answer) = match called {
        Ok(called) => called,
        Err(asked) => return Ok(asked),
    };
    out.write_foreign(answer.trim_end_matches('\n'));
    writeln!(out)?;
    match worked {
        true => Ok(Status::Fine),
        // The tool may be in a file that could not be read.
        false => Ok(place.status().max(Status::Wrong)),
    }
}

impl Arguments {
    async fn args(&self, place: &Place) -> anyhow::Result<Value> {
        if let Some(json) = &self.json {
            return Value::from_json(json).context("expected JSON after --json");
        }
        if self.words.is_empty() {
            return Ok(Value::from_json("{}")?);
        }
        let contracts = place.contracts().await?;
        let contract = contracts
            .iter()
            .find(|contract| contract.name().as_str() == self.tool);
        let mut args = BTreeMap::new();
        for word in &self.words {
            let (key, value) = read(word, contract)?;
            if args.insert(key.clone(), value).is_some() {
                bail!("expected each argument once, found `{key}` again");
            }
        }
        // As texts, so that numbers keep every digit.
        let member =
            |(key, value): (&String, &Value)| format!("{}:{}", Json::from(&**key), value.text());
        let members: Vec<String> = args.iter().map(member).collect();
        Ok(Value::from_json(format!("{{{}}}", members.join(",")))?)
    }
}

/// `key=value` or `key:=json`.
fn read(argument: &str, contract: Option<&Contract>) -> anyhow::Result<(String, Value)> {
    let Some((key, value)) = argument.split_once('=') else {
        bail!("expected `key=value`, found `{argument}`");
    };
    if let Some(key) = key.strip_suffix(':') {
        let value = Value::from_json(value);
        let value = value.with_context(|| format!("expected `{key}` to be JSON"))?;
        return Ok((key.to_owned(), value));
    }
    let json = match contract.is_some_and(|contract| is_text(contract, key)) {
        true => None,
        false => Value::from_json(value).ok(),
    };
    Ok((key.to_owned(), json.unwrap_or_else(|| Value::from(value))))
}

/// Whether the contract wants text and nothing else.
fn is_text(contract: &Contract, key: &str) -> bool {
    let schema = contract.parameters().to_json_schema();
    let property = schema.root().get("properties").and_then(|all| all.get(key));
    let kind = property.and_then(|property| property.get("type"));
    kind.is_some_and(|kind| kind.as_str().as_deref() == Some("string"))
}

#[cfg(test)]
mod tests {
    use super::read;
    use toolpact_core::contract::Contract;

    #[test]
    fn values_are_what_the_contract_wants() {
        let contract = Contract::from_json(
            r#"{"name": "t", "description": "T.", "returns": "VoidResult", "parameters": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "page": {"type": "integer"}}
            }}"#,
        )
        .unwrap();
        for (argument, expected) in [
            ("id=7", ("id", r#""7""#)),
            ("page=7", ("page", "7")),
            ("page=x=y", ("page", r#""x=y""#)),
            ("id:=7", ("id", "7")),
            (
                "id:=12345678901234567890123",
                ("id", "12345678901234567890123"),
            ),
        ] {
            let (key, value) = read(argument, Some(&contract)).unwrap();
            assert_eq!((&*key, value.text()), expected, "{argument}");
        }
        assert!(read("id", Some(&contract)).is_err());
        assert!(read("id:=x", Some(&contract)).is_err());
    }
}
