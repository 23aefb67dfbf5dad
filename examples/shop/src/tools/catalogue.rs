//! What the shop sells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::{EntityReference, EntityResult, ListResult, Relationship, StringValue};
use toolpact::{ToolError, tool};

use super::examples;
use crate::Shop;
use crate::slug::slug;
use crate::store::products::{self, Product, Review};
use crate::values::Sku;

/// A product with what is said about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Reviewed {
    #[serde(flatten)]
    product: Product,
    /// The mean of all stars, 1 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    stars: Option<f64>,
    /// The newest reviews.
    reviews: Vec<Review>,
}

impl Shop {
    /// Lists products by name, page by page.
    #[tool(read_only, idempotent, timeout_ms = 5_000, example = examples::products)]
    pub(crate) fn search_products(
        &self,
        /// A part of the name or of the category.
        #[schemars(length(min = 1, max = 100))]
        text: Option<&str>,
        /// Which page; the first is 1.
        #[tool(default = 1)]
        #[schemars(range(min = 1, max = 1_000_000))]
        page: u32,
        /// How many products are on a page.
        #[tool(default = 20)]
        #[schemars(range(min = 1, max = 100))]
        per_page: u32,
    ) -> Result<ListResult<Product>, ToolError> {
        let found = self
            .database
            .read(|from| products::page(from, text, page, per_page))?;
        found.page(page, per_page)
    }

    /// Returns one product with its price, its stock and the newest reviews.
    #[tool(read_only, idempotent, timeout_ms = 5_000, example = examples::product)]
    pub(crate) fn get_product(
        &self,
        /// The product, as in TEA-004.
        product: &Sku,
        /// How many reviews at most.
        #[tool(default = 3)]
        #[schemars(range(max = 50))]
        reviews: u32,
    ) -> Result<EntityResult<Reviewed>, ToolError> {
        self.database.read(|from| {
            let found = products::get(from, product)?;
            let (reviews, stars) = products::reviews(from, product, reviews)?;
            let writers = reviews
                .iter()
                .map(|review| EntityReference::new(&review.customer.to_string(), "customer"));
            let writers = Relationship::Many(writers.collect::<Result<_, _>>()?);
            let attributes = Reviewed {
                product: found,
                stars,
                reviews,
            };
            Ok(EntityResult::new(product.as_str(), "product", attributes)?
                .with_relationship("reviewers", writers))
        })
    }

    /// Makes the address of a page for a product of this name, one that no other product has.
    #[tool(read_only, idempotent, timeout_ms = 5_000)]
    pub(crate) fn suggest_slug(
        &self,
        /// The name of the product.
        #[schemars(length(min = 1, max = 200))]
        name: &str,
    ) -> Result<StringValue, ToolError> {
        let slug = slug(name);
        if slug.is_empty() {
            return Err(ToolError::invalid(
                "The name has no letter or digit that can stand in an address. Give one in Latin letters.",
            ));
        }
        self.database.read(|from| {
            let mut free = slug.clone();
            // One more than there are products, at most.
            for number in 2.. {
                if !products::has_slug(from, &free)? {
                    break;
                }
                free = format!("{slug}-{number}");
            }
            Ok(StringValue::success(free))
        })
    }
}
