//! From words of the command line to the arguments of a call.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, anyhow, bail};
use serde_json::Value as Json;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;

/// All words as one object.
pub(super) fn of_words(words: &[String], contract: Option<&Contract>) -> anyhow::Result<Value> {
    let mut args = BTreeMap::new();
    for word in words {
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

/// `key=value` or `key:=json`, with `@file` in the place of the value.
fn read(argument: &str, contract: Option<&Contract>) -> anyhow::Result<(String, Value)> {
    let Some((key, value)) = argument.split_once('=') else {
        bail!("expected `key=value`, found `{argument}`");
    };
    let (text, of_file) = content(value).with_context(|| format!("cannot use `{argument}`"))?;
    if let Some(key) = key.strip_suffix(':') {
        let value = Value::from_json(text.as_bytes());
        let value = value.with_context(|| format!("expected `{key}` to be JSON"))?;
        return Ok((key.to_owned(), value));
    }
    let json = match of_file || contract.is_some_and(|contract| is_text(contract, key)) {
        true => None,
        false => Value::from_json(text.as_bytes()).ok(),
    };
    Ok((key.to_owned(), json.unwrap_or_else(|| Value::from(&*text))))
}

/// What a value stands for, and whether that is in a file: `@file`; `@@` is an `@`.
fn content(value: &str) -> anyhow::Result<(Cow<'_, str>, bool)> {
    match value.strip_prefix('@') {
        None => Ok((value.into(), false)),
        Some(text) if text.starts_with('@') => Ok((text.into(), false)),
        Some(path) => {
            let bytes = fs::read(path).map_err(|error| {
                let instead = "a text that begins with `@` is written `@@`";
                anyhow!("cannot read {path}: {error}; {instead}")
            })?;
            let text = String::from_utf8(bytes);
            let text = text.with_context(|| format!("expected {path} to be text in UTF-8"))?;
            Ok((text.into(), true))
        }
    }
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
            ("id=@@ada", ("id", r#""@ada""#)),
            ("id=ada@home", ("id", r#""ada@home""#)),
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
        assert!(read("id=@no/such/file", Some(&contract)).is_err());
    }
}
