use std::path::Path;
use std::sync::Arc;

use toolpact::{Definition, Registry, tools};

use crate::ShopError;
use crate::database::Database;
use crate::generate::{Plan, fill};
use crate::reindex::Jobs;

/// A shop: a database in a directory, and the tools that work with it.
pub struct Shop {
    pub(crate) database: Arc<Database>,
    pub(crate) jobs: Jobs,
}

/// How a shop is filled when it is made. One that is there already stays as it is.
#[derive(Debug, Clone)]
#[must_use]
pub struct Options {
    plan: Plan,
}

impl Shop {
    /// Opens the shop in a directory. If there is none, it is made and filled.
    ///
    /// Blocks for as long as that takes: milliseconds, or a second for a new one.
    pub fn open(dir: &Path) -> Result<Arc<Self>, ShopError> {
        Self::options().open(dir)
    }

    /// For a shop that is larger, smaller or other than the usual one.
    pub fn options() -> Options {
        let plan = Plan {
            seed: 7,
            orders: 4000,
        };
        Options { plan }
    }

    /// Registers all tools, in the toolset without a name.
    pub fn register(self: &Arc<Self>, registry: &Registry) -> Result<(), toolpact::Error> {
        registry.add_all(self.tools()?)
    }

    /// All tools, for who wants to register only some, or in a toolset of their own.
    pub fn tools(self: &Arc<Self>) -> Result<Vec<Definition>, toolpact::Error> {
        let shop = Arc::clone(self);
        let tools = tools![
            // tools/orders.rs
            shop.search_orders,
            shop.get_order,
            shop.summarize_order,
            shop.count_orders,
            // tools/changes.rs
            shop.create_order,
            shop.update_order,
            shop.cancel_order,
            shop.archive_order,
            shop.import_orders,
            // tools/catalogue.rs
            shop.search_products,
            shop.get_product,
            shop.suggest_slug,
            // tools/customers.rs
            shop.get_customer,
            shop.customer_exists,
            // tools/reports.rs
            shop.sum_sales,
            shop.export_orders,
            shop.sales_chart,
            // tools/watch.rs
            shop.watch_orders,
            // tools/operations.rs
            shop.start_reindex,
            shop.get_operation,
            shop.cancel_operation,
            // tools/backups.rs
            shop.backup_database,
            shop.read_backup,
        ];
        tools.into_iter().collect()
    }
}

impl Options {
    /// Another seed makes another shop, and the same one the same.
    pub fn seed(mut self, seed: u64) -> Self {
        self.plan.seed = seed;
        self
    }

    /// How many orders there have been; there are customers to match.
    pub fn orders(mut self, orders: u32) -> Self {
        self.plan.orders = orders;
        self
    }

    /// Opens the shop. See [`Shop::open`].
    pub fn open(self, dir: &Path) -> Result<Arc<Shop>, ShopError> {
        let database = Database::open(dir, |transaction| fill(transaction, self.plan))?;
        let database = Arc::new(database);
        let jobs = Jobs::new(&database)?;
        Ok(Arc::new(Shop { database, jobs }))
    }
}

impl std::fmt::Debug for Shop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shop")
            .field("dir", &self.database.dir())
            .finish_non_exhaustive()
    }
}
