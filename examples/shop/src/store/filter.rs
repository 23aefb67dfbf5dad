use rusqlite::ToSql;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::ToolError;

use super::words::query;
use crate::values::{CustomerId, Day, Status};

/// Which orders. Without anything, all that are not archived.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OrderFilter {
    /// Only orders that are this far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<Status>,
    /// Only orders of this customer, as in C-117.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) customer: Option<CustomerId>,
    /// Only orders placed on this day or later, as in 2026-02-15.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<Day>,
    /// Only orders placed on this day or earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<Day>,
    /// Only orders with words that begin like these: in the customer's name, the city, the products
    /// or the note.
    #[schemars(length(min = 1, max = 200))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// Archived orders, too.
    #[serde(default)]
    pub(crate) archived: bool,
}

/// The condition that goes with [`OrderFilter::bind`]; orders are `o`.
macro_rules! matching {
    () => {
        "(:status IS NULL OR o.status = :status)
         AND (:customer IS NULL OR o.customer_id = :customer)
         AND (:from IS NULL OR o.placed_at >= :from)
         AND (:before IS NULL OR o.placed_at < :before)
         AND (:archived OR o.archived_at IS NULL)
         AND (:words IS NULL OR o.id IN
             (SELECT rowid FROM order_words WHERE order_words MATCH :words))"
    };
}

pub(crate) use matching;

/// A filter in the words of the database.
pub(crate) struct Bound {
    status: Option<Status>,
    customer: Option<CustomerId>,
    from: Option<String>,
    before: Option<String>,
    words: Option<String>,
    archived: bool,
}

impl OrderFilter {
    /// What is to be bound, if the filter makes sense.
    pub(crate) fn bind(&self) -> Result<Bound, ToolError> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err(ToolError::invalid(format!(
                "The filter ends on {to}, before it begins on {from}. Swap `from` and `to`."
            )));
        }
        Ok(Bound {
            status: self.status,
            customer: self.customer,
            from: self.from.map(|day| day.to_string()),
            // The last day there is has nothing after it.
            before: self.to.and_then(Day::next).map(|day| day.to_string()),
            words: self.text.as_deref().map(query).transpose()?,
            archived: self.archived,
        })
    }
}

impl Bound {
    /// By name, with more that a statement needs.
    pub(crate) fn params<'a, const N: usize>(
        &'a self,
        more: [(&'a str, &'a dyn ToSql); N],
    ) -> Vec<(&'a str, &'a dyn ToSql)> {
        let mut params: Vec<(&str, &dyn ToSql)> = vec![
            (":status", &self.status),
            (":customer", &self.customer),
            (":from", &self.from),
            (":before", &self.before),
            (":archived", &self.archived),
            (":words", &self.words),
        ];
        params.extend(more);
        params
    }
}
