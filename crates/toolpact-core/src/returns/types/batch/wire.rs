//! Batches as they are written, read and described.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::super::as_object::AsObject;
use super::super::result_node::ResultNode;
use super::super::wire::standard_result;
use super::super::{envelope, refine};
use super::{BatchItem, BatchResult, ErrorGroup, Ran};
use crate::Error;
use crate::returns::StandardError;

standard_result!(BatchResult<T>);

#[derive(Serialize)]
struct Wire<'a, I: Serialize> {
    success: bool,
    batch_id: &'a str,
    total: u64,
    successful: u64,
    failed: u64,
    items: Vec<I>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [ErrorGroup],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a StandardError>,
}

#[derive(Serialize)]
struct Item<'a, P> {
    id: &'a str,
    #[serde(flatten)]
    envelope: P,
}

#[derive(Serialize)]
struct Data<'a, T: Serialize> {
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<AsObject<'a, T>>,
}

impl<T: Serialize> BatchResult<T> {
    fn wire(&self) -> impl Serialize {
        let ran = self.outcome.as_ref().ok();
        Wire {
            success: ran.is_some_and(|ran| ran.success),
            batch_id: &self.batch_id,
            total: self.total,
            successful: self.successful(),
            failed: self.failed(),
            items: ran
                .iter()
                .flat_map(|ran| &ran.items)
                .map(BatchItem::wire)
                .collect(),
            errors: ran.map_or(&[], |ran| &ran.errors),
            error: self.outcome.as_ref().err(),
        }
    }
}

impl<T: Serialize> BatchItem<T> {
    fn wire(&self) -> impl Serialize {
        Item {
            id: &self.id,
            envelope: envelope::wire(&self.outcome, |data| Data {
                data: data.as_ref().map(AsObject),
            }),
        }
    }
}

impl<T: DeserializeOwned> BatchResult<T> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        let batch_id = part.require("batch_id")?.filled()?;
        let total = part.require("total")?.count(0)?;
        let outcome = match part.get("error") {
            Some(error) => Err(did_not_run(&part, &error)?),
            None => Ok(Ran::read(&part)?),
        };
        Ok(Self {
            batch_id,
            total,
            outcome,
        })
    }
}

fn did_not_run(part: &ResultNode<'_>, error: &ResultNode<'_>) -> Result<StandardError, Error> {
    let success = part.require("success")?;
    if success.flag()? {
        return Err(success.wrong("expected false beside an error"));
    }
    if let Some(items) = part.get("items")
        && items.items()?.next().is_some()
    {
        return Err(items.fail("expected no items of a batch that did not run"));
    }
    error.error()
}

impl<T: DeserializeOwned> Ran<T> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let successful = part.require("successful")?.count(0)?;
        part.require("failed")?.count(0)?;
        Ok(Self {
            success: part.require("success")?.flag()?,
            successful,
            items: all(part, "items", BatchItem::read)?,
            errors: all(part, "errors", ErrorGroup::read)?,
        })
    }
}

fn all<T>(
    part: &ResultNode<'_>,
    key: &str,
    read: impl Fn(&ResultNode<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let items = part.optional(key, |part| part.items()?.map(|item| read(&item)).collect())?;
    Ok(items.unwrap_or_default())
}

impl<T: DeserializeOwned> BatchItem<T> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let outcome = envelope::read(part, &["data"], |part| {
            part.optional("data", ResultNode::object_payload)
        })?;
        let id = part.require("id")?.text()?;
        Ok(Self { id, outcome })
    }
}

impl ErrorGroup {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        Ok(Self {
            code: part.require("code")?.text()?,
            message: part.require("message")?.text()?,
            count: part.optional("count", |part| part.count(0))?,
        })
    }
}

impl<T: JsonSchema> BatchResult<T> {
    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        let item = json!({"allOf": [
            {"properties": {"data": refine::payload::<T>(generator)}},
            refine::envelope(generator, &[], &["data"]),
        ]});
        let repeated = json!({
            "required": ["code", "message"],
            "properties": {"count": {"minimum": 0}},
        });
        vec![
            json!({"properties": {
                "batch_id": {"minLength": 1},
                "items": {"items": item},
                "errors": {"items": repeated},
            }}),
            json!({
                "if": {"required": ["error"]},
                "then": {"properties": {
                    "success": {"const": false},
                    "items": {"maxItems": 0},
                    "error": refine::error(generator),
                }},
                "else": {"required": ["successful", "failed"]},
            }),
        ]
    }
}
