//! Taking, changing and archiving orders.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::elicitation::Question;
use toolpact::returns::{BatchResult, Identifier, IdentifierValue, ObjectResult, VoidResult};
use toolpact::{Context, ToolError, tool};

use super::examples;
use crate::Shop;
use crate::import::{self, Imported};
use crate::store::create::{NewOrder, create};
use crate::store::orders::OrderRow;
use crate::store::update::{self, Change};
use crate::values::{CustomerId, OrderId, Sku, Status};

/// So many pieces of a product.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Wanted {
    /// The product, as in TEA-004.
    product: Sku,
    #[schemars(range(min = 1, max = 1000))]
    quantity: u32,
}

/// What a person has to say before an order is cancelled.
#[derive(Debug, Deserialize, JsonSchema)]
struct Cancellation {
    /// Whether to cancel the order. Its goods can be sold again then.
    cancel: bool,
    /// Why. It becomes a part of the note of the order.
    #[serde(default)]
    #[schemars(length(max = 200))]
    reason: String,
}

impl Shop {
    /// Takes an order and returns its number. The goods are set aside; the order is open until it is
    /// paid. With a `reference`, an order that is sent twice is taken once.
    #[tool(timeout_ms = 10_000, example = examples::created)]
    pub(crate) fn create_order(
        &self,
        /// Who orders, as in C-117.
        customer: CustomerId,
        /// What is ordered, each product once.
        #[schemars(length(min = 1, max = 50))]
        lines: &[Wanted],
        /// What the customer has to say.
        #[tool(default)]
        #[schemars(length(max = 500))]
        note: &str,
        /// Your own name for the order, which no other order has.
        #[schemars(length(min = 1, max = 64))]
        reference: Option<&str>,
    ) -> Result<IdentifierValue, ToolError> {
        let order = NewOrder {
            customer,
            lines: lines
                .iter()
                .map(|line| (&line.product, line.quantity))
                .collect(),
            note,
            reference,
        };
        let (id, _) = self.database.write(|to| create(to, &order))?;
        let id = Identifier::new(&id.to_string())?;
        Ok(IdentifierValue::success(id.with_type("order")))
    }

    /// Changes the status or the note of an order, and returns it as it is then. An open order can be
    /// paid, a paid one sent, a sent one delivered; until it is sent, it can be cancelled.
    #[tool(timeout_ms = 10_000, example = examples::updated)]
    pub(crate) fn update_order(
        &self,
        /// The number of the order, as in O-1042.
        order: OrderId,
        /// The version you have seen. If it is not the latest, nothing is changed.
        version: u32,
        /// How far it is now.
        status: Option<Status>,
        /// A new note in the place of the old one.
        #[schemars(length(max = 500))]
        note: Option<&str>,
    ) -> Result<ObjectResult<OrderRow>, ToolError> {
        if status.is_none() && note.is_none() {
            return Err(ToolError::invalid(
                "Nothing is to be changed. Give `status` or `note`.",
            ));
        }
        let change = Change { status, note };
        let order = self
            .database
            .write(|to| update::update(to, order, version, &change))?;
        Ok(ObjectResult::success(order))
    }

    /// Cancels an order that is not sent yet, and returns it as it is then. A person is asked first
    /// whether to, and why.
    #[tool(timeout_ms = 600_000, example = examples::cancelled)]
    pub(crate) async fn cancel_order(
        &self,
        /// The number of the order, as in O-1042.
        order: OrderId,
        context: &Context,
    ) -> Result<ObjectResult<OrderRow>, ToolError> {
        // Nobody is asked about what cannot be done.
        let found = self
            .database
            .read_aside(move |from| update::cancellable(from, order))
            .await?;
        if !context.can_ask(Question::User) {
            return Err(ToolError::not_allowed(format!(
                "A person has to confirm that {order} is cancelled, and your client cannot pass on the \
                 question. Ask the user yourself; if they agree, `update_order` cancels it."
            )));
        }
        let question = format!(
            "Cancel {order} of {}: {} pieces for {} {}, {}?",
            found.customer_name,
            found.pieces,
            found.total,
            found.currency,
            found.status.as_str()
        );
        let answer = context.ask_user::<Cancellation>("cancel", question).await?;
        let Some(Cancellation {
            cancel: true,
            reason,
        }) = answer.given()
        else {
            return Err(ToolError::not_allowed(format!(
                "The user does not want {order} to be cancelled. It stays as it is."
            )));
        };
        let note = update::note_of_cancellation(&found.note, &reason);
        let cancelled = self
            .database
            .write_aside(move |to| {
                let (status, note) = (Some(Status::Cancelled), Some(&*note));
                update::update(to, order, found.version, &Change { status, note })
            })
            .await?;
        Ok(ObjectResult::success(cancelled))
    }

    /// Puts away an order that is delivered or cancelled. Searches leave it out from then on.
    #[tool(idempotent, timeout_ms = 10_000)]
    pub(crate) fn archive_order(
        &self,
        /// The number of the order, as in O-1042.
        order: OrderId,
    ) -> Result<VoidResult, ToolError> {
        self.database.write(|to| update::archive(to, order))?;
        Ok(VoidResult::success().with_message(&format!("{order} is archived.")))
    }

    /// Takes orders from CSV text, one for each line. The first line names the columns: `customer`,
    /// `product` and `quantity`, and if you like `note` and `reference`. Lines that are wrong are
    /// reported with their place and left out; all others are taken.
    #[tool(timeout_ms = 60_000, example = examples::imported)]
    pub(crate) fn import_orders(
        &self,
        /// The text, with commas and, where needed, double quotes. At most 1,000 lines.
        #[schemars(length(min = 1, max = 200_000))]
        csv: &str,
    ) -> Result<BatchResult<Imported>, ToolError> {
        let rows = import::read(csv)?;
        self.database.write(|to| import::take(to, rows))
    }
}
