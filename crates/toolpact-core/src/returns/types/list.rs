use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::as_object::AsObject;
use super::result_node::ResultNode;
use super::wire::standard_result;
use super::{Pagination, envelope, refine};
use crate::Error;
use crate::returns::StandardError;

/// A list, or a page of one, or an error. `T` is written as an object.
///
/// ```
/// use std::collections::BTreeMap;
/// use toolpact_core::returns::types::ListResult;
///
/// let items = vec![BTreeMap::from([("id", 1)])];
/// let list = ListResult::success(items.clone());
/// assert_eq!(serde_json::to_string(&list)?, r#"{"success":true,"data":[{"id":1}]}"#);
///
/// let page = ListResult::page(items, 5, 10, 41)?;
/// assert_eq!(page.pagination().unwrap().total_pages(), 5);
/// assert!(!page.pagination().unwrap().has_next());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ListResult<T> {
    outcome: Result<Vec<T>, StandardError>,
    /// Set for a success only.
    pagination: Option<Pagination>,
}

standard_result!(ListResult<T>);

impl<T> ListResult<T> {
    /// A whole list.
    #[must_use]
    pub fn success(items: Vec<T>) -> Self {
        Self {
            outcome: Ok(items),
            pagination: None,
        }
    }

    /// A page of a list: the number of the page, from 1, the maximum number of items on a page, and
    /// the number of items on all pages. The rest is computed.
    pub fn page(items: Vec<T>, page: u64, per_page: u64, total: u64) -> Result<Self, Error> {
        let pagination = Pagination::new(page, per_page, total)?;
        Error::unless_hold(&pagination.facts(items.len()))?;
        Ok(Self {
            outcome: Ok(items),
            pagination: Some(pagination),
        })
    }

    /// A failure.
    #[must_use]
    pub fn failure(error: StandardError) -> Self {
        Self {
            outcome: Err(error),
            pagination: None,
        }
    }

    /// The payload of a success, or the error.
    pub fn as_result(&self) -> Result<&[T], &StandardError> {
        self.outcome.as_deref()
    }

    /// The payload of a success, or the error.
    pub fn into_result(self) -> Result<Vec<T>, StandardError> {
        self.outcome
    }

    /// The position of the page in its list.
    #[must_use]
    pub fn pagination(&self) -> Option<&Pagination> {
        self.pagination.as_ref()
    }
}

#[derive(Serialize)]
struct Wire<'a, T: Serialize> {
    success: bool,
    /// Present in a failure, too: the specification requires it.
    data: Vec<AsObject<'a, T>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<&'a Pagination>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a StandardError>,
}

impl<T: Serialize> ListResult<T> {
    fn wire(&self) -> impl Serialize {
        Wire {
            success: self.outcome.is_ok(),
            data: self.outcome.iter().flatten().map(AsObject).collect(),
            pagination: self.pagination.as_ref(),
            error: self.outcome.as_ref().err(),
        }
    }
}

impl<T: DeserializeOwned> ListResult<T> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let outcome = envelope::read(part, &["pagination"], |part| {
            let items = part.require("data")?.items()?;
            items
                .map(|item| item.object_payload())
                .collect::<Result<Vec<T>, _>>()
        })?;
        // The specification requires it in a failure, too.
        part.require("data")?.items().map(drop)?;
        Ok(Self {
            outcome,
            pagination: part.optional("pagination", Pagination::read)?,
        })
    }
}

impl<T: JsonSchema> ListResult<T> {
    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        let mut envelope = refine::envelope(generator, &["data"], &["pagination"]);
        envelope["else"]["properties"]["data"] = json!({"maxItems": 0});
        vec![
            json!({"properties": {
                "data": {"items": refine::payload::<T>(generator)},
                "pagination": {"required": ["page", "per_page", "total"]},
            }}),
            envelope,
        ]
    }
}
