//! Sums, a table to take away, and a picture.

use toolpact::returns::{File, FileResult, Media, MediaResult, NumberValue};
use toolpact::{ToolError, tool};

use super::examples;
use crate::Shop;
use crate::chart;
use crate::csv_file;
use crate::store::filter::OrderFilter;
use crate::store::{orders, sales};
use crate::values::{CURRENCY, Month};

/// As many orders as a table may have.
const MOST: u32 = 10_000;

impl Shop {
    /// Says what orders cost together, in euros. Cancelled orders cost nothing.
    #[tool(read_only, idempotent, timeout_ms = 5_000)]
    pub(crate) fn sum_sales(
        &self,
        /// Which orders.
        #[tool(default)]
        filter: &OrderFilter,
    ) -> Result<NumberValue, ToolError> {
        let sum = self.database.read(|from| sales::sum(from, filter))?;
        let number = sum.to_number().ok_or_else(|| {
            ToolError::business_rule("The sum is too large for a number. Choose fewer orders.")
        })?;
        Ok(NumberValue::success(number).with_unit(CURRENCY))
    }

    /// Makes a CSV file of orders, the newest first, for a spreadsheet.
    #[tool(read_only, idempotent, timeout_ms = 30_000, example = examples::file, content_type = "text/csv")]
    pub(crate) fn export_orders(
        &self,
        /// Which orders.
        #[tool(default)]
        filter: &OrderFilter,
    ) -> Result<FileResult, ToolError> {
        let found = self
            .database
            .read(|from| orders::page(from, filter, 1, MOST))?;
        if found.total > MOST.into() {
            let total = found.total;
            return Err(ToolError::business_rule(format!(
                "These are {total} orders, and a file has at most {MOST}. Choose a shorter time with \
                 `from` and `to`."
            )));
        }
        let table = csv_file::write(&found.items)?;
        let file = File::from_bytes("orders.csv", table)?;
        Ok(FileResult::success(file.with_content_type("text/csv")))
    }

    /// Draws what was sold in each of the last months, as a PNG.
    #[tool(read_only, idempotent, timeout_ms = 30_000, example = examples::chart, content_type = "image/png")]
    pub(crate) fn sales_chart(
        &self,
        /// How many months.
        #[tool(default = 12)]
        #[schemars(range(min = 1, max = 24))]
        months: u32,
        /// The last month, as in 2026-09. If it is left out, that of the newest order.
        until: Option<Month>,
    ) -> Result<MediaResult, ToolError> {
        let sales = self.database.read(|from| {
            let last = match until {
                Some(month) => Some(month),
                None => sales::last_month(from)?,
            };
            let last =
                last.ok_or_else(|| ToolError::not_found("There are no orders to draw yet."))?;
            sales::by_month(from, &last.last(months))
        })?;
        let image = Media::image(chart::draw(&sales)?)?;
        Ok(MediaResult::success(
            image.with_alt_text(&chart::in_words(&sales)),
        ))
    }
}
