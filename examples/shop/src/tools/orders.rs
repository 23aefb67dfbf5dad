//! Finding and reading orders.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::{
    EntityReference, EntityResult, ListResult, NumberValue, Relationship, StringValue,
};
use toolpact::{ToolError, tool};

use super::examples;
use crate::Shop;
use crate::store::filter::OrderFilter;
use crate::store::orders::{self, Line, OrderRow};
use crate::values::{CURRENCY, Cents, OrderId, Status};

/// An order in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Order {
    status: Status,
    lines: Vec<Line>,
    total: Cents,
    currency: String,
    note: String,
    #[schemars(extend("format" = "date-time"))]
    placed_at: String,
    #[schemars(extend("format" = "date-time"))]
    updated_at: String,
    archived: bool,
    /// Goes up with every change; `update_order` asks for it.
    version: u32,
}

impl Shop {
    /// Finds orders, the newest first, page by page. Without a filter, all that are not archived.
    #[tool(read_only, idempotent, timeout_ms = 10_000, example = examples::orders)]
    pub(crate) fn search_orders(
        &self,
        /// Which orders.
        #[tool(default)]
        filter: &OrderFilter,
        /// Which page; the first is 1.
        #[tool(default = 1)]
        #[schemars(range(min = 1, max = 1_000_000))]
        page: u32,
        /// How many orders are on a page.
        #[tool(default = 20)]
        #[schemars(range(min = 1, max = 100))]
        per_page: u32,
    ) -> Result<ListResult<OrderRow>, ToolError> {
        let found = self
            .database
            .read(|from| orders::page(from, filter, page, per_page))?;
        found.page(page, per_page)
    }

    /// Returns one order with its lines, and says who ordered and what else there is to look up.
    #[tool(read_only, idempotent, timeout_ms = 5_000, example = examples::order)]
    pub(crate) fn get_order(
        &self,
        /// The number of the order, as in O-1042.
        order: OrderId,
    ) -> Result<EntityResult<Order>, ToolError> {
        self.database.read(|from| {
            let (row, updated_at) = orders::get(from, order)?;
            let lines = orders::lines(from, order)?;
            let customer = EntityReference::new(&row.customer.to_string(), "customer")?;
            let products = lines
                .iter()
                .map(|line| EntityReference::new(line.product.as_str(), "product"));
            let products = products.collect::<Result<_, _>>()?;
            let attributes = Order::new(row, lines, updated_at);
            Ok(EntityResult::new(&order.to_string(), "order", attributes)?
                .with_relationship("customer", Relationship::One(customer))
                .with_relationship("products", Relationship::Many(products)))
        })
    }

    /// Says in a sentence what an order is about and how far it is.
    #[tool(read_only, idempotent, timeout_ms = 5_000)]
    pub(crate) fn summarize_order(
        &self,
        /// The number of the order, as in O-1042.
        order: OrderId,
    ) -> Result<StringValue, ToolError> {
        self.database.read(|from| {
            let (row, _) = orders::get(from, order)?;
            let lines = orders::lines(from, order)?;
            Ok(StringValue::success(sentence(&row, &lines)))
        })
    }

    /// Counts orders.
    #[tool(read_only, idempotent, timeout_ms = 5_000)]
    pub(crate) fn count_orders(
        &self,
        /// Which orders.
        #[tool(default)]
        filter: &OrderFilter,
    ) -> Result<NumberValue, ToolError> {
        let count = self.database.read(|from| orders::count(from, filter))?;
        Ok(NumberValue::success(count).with_unit("orders"))
    }
}

impl Order {
    fn new(row: OrderRow, lines: Vec<Line>, updated_at: String) -> Self {
        Self {
            status: row.status,
            lines,
            total: row.total,
            currency: row.currency,
            note: row.note,
            placed_at: row.placed_at,
            updated_at,
            archived: row.archived,
            version: row.version,
        }
    }
}

fn sentence(row: &OrderRow, lines: &[Line]) -> String {
    let goods: Vec<String> = lines
        .iter()
        .map(|line| format!("{} x {}", line.quantity, line.name))
        .collect();
    let day = row.placed_at.split('T').next().unwrap_or_default();
    format!(
        "{} of {} from {day} is {}: {}. Total: {} {CURRENCY}.",
        row.order,
        row.customer_name,
        row.status.as_str(),
        goods.join("; "),
        row.total,
    )
}
