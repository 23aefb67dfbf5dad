//! Converts words of the command line to the arguments of a call.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, anyhow, bail};
use serde_json::Value as Json;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;

/// A word: `key=value` or `key:=json`, with `@file` replaced by the content of the file.
pub(super) struct Word<'w> {
    key: &'w str,
    text: Cow<'w, str>,
    is_json: bool,
    of_file: bool,
}

/// All words, with the files that they name. This may block, if one of them is a pipe.
pub(super) fn read(words: &[String]) -> anyhow::Result<Vec<Word<'_>>> {
    words.iter().map(|word| Word::read(word)).collect()
}

/// All words as one object.
pub(super) fn object(words: &[Word<'_>], contract: Option<&Contract>) -> anyhow::Result<Value> {
    let mut args = BTreeMap::new();
    for word in words {
        let (key, value) = (word.key.to_owned(), word.value(contract)?);
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

impl<'w> Word<'w> {
    fn read(word: &'w str) -> anyhow::Result<Self> {
        let Some((key, value)) = word.split_once('=') else {
            bail!("expected `key=value`, found `{word}`; --json takes all arguments as one object");
        };
        let (text, of_file) = content(value).with_context(|| format!("cannot use `{word}`"))?;
        let json = key.strip_suffix(':');
        Ok(Self {
            key: json.unwrap_or(key),
            text,
            is_json: json.is_some(),
            of_file,
        })
    }

    pub(super) fn key(&self) -> &str {
        self.key
    }

    pub(super) fn value(&self, contract: Option<&Contract>) -> anyhow::Result<Value> {
        let key = self.key;
        let json = Value::from_json(self.text.as_bytes());
        if self.is_json {
            return json.with_context(|| format!("expected `{key}` to be JSON"));
        }
        let is_text = self.of_file || contract.is_some_and(|contract| is_text(contract, key));
        let json = json.ok().filter(|_| !is_text);
        Ok(json.unwrap_or_else(|| Value::from(&*self.text)))
    }
}

/// The content of a value, and whether it is from a file: `@file`; `@@` is an `@`.
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

/// Whether the contract accepts only text.
fn is_text(contract: &Contract, key: &str) -> bool {
    let schema = contract.parameters().to_json_schema();
    let property = schema.root().get("properties").and_then(|all| all.get(key));
    let kind = property.and_then(|property| property.get("type"));
    kind.is_some_and(|kind| kind.as_str().as_deref() == Some("string"))
}

#[cfg(test)]
mod tests {
    use super::Word;
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
            let word = Word::read(argument).unwrap();
            let value = word.value(Some(&contract)).unwrap();
            assert_eq!((word.key, value.text()), expected, "{argument}");
        }
        assert!(Word::read("id").is_err());
        assert!(Word::read("id:=x").unwrap().value(Some(&contract)).is_err());
        assert!(Word::read("id=@no/such/file").is_err());
    }
}
