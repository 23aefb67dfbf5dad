//! Who buys.

use toolpact::returns::{BooleanValue, EntityReference, EntityResult, Relationship};
use toolpact::{ToolError, tool};

use super::examples;
use crate::Shop;
use crate::store::customers::{self, Customer};
use crate::values::CustomerId;

/// How many of a customer's orders are named.
const ORDERS: u32 = 10;

impl Shop {
    /// Returns one customer, with the newest orders.
    #[tool(read_only, idempotent, timeout_ms = 5_000, example = examples::customer)]
    pub(crate) fn get_customer(
        &self,
        /// The number of the customer, as in C-117.
        customer: CustomerId,
    ) -> Result<EntityResult<Customer>, ToolError> {
        self.database.read(|from| {
            let found = customers::get(from, customer)?;
            let orders = customers::latest_orders(from, customer, ORDERS)?;
            let orders = orders
                .iter()
                .map(|order| EntityReference::new(&order.to_string(), "order"));
            let orders = Relationship::Many(orders.collect::<Result<_, _>>()?);
            Ok(EntityResult::new(&customer.to_string(), "customer", found)?
                .with_relationship("latest_orders", orders))
        })
    }

    /// Says whether there is a customer with this e-mail address.
    #[tool(read_only, idempotent, timeout_ms = 5_000)]
    pub(crate) fn customer_exists(
        &self,
        /// The address. Capital letters do not matter.
        #[schemars(length(min = 1, max = 254))]
        email: &str,
    ) -> Result<BooleanValue, ToolError> {
        let exists = self.database.read(|from| customers::exists(from, email))?;
        Ok(BooleanValue::success(exists))
    }
}
