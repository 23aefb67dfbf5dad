//! Orders as a table for a spreadsheet.

use toolpact::ToolError;

use crate::store::orders::OrderRow;

const HEADER: [&str; 9] = [
    "order",
    "status",
    "customer",
    "name",
    "placed_at",
    "pieces",
    "total",
    "currency",
    "note",
];

pub(crate) fn write(orders: &[OrderRow]) -> Result<Vec<u8>, ToolError> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for order in orders {
        writer.write_record([
            &order.order.to_string(),
            order.status.as_str(),
            &order.customer.to_string(),
            &harmless(&order.customer_name),
            &order.placed_at,
            &order.pieces.to_string(),
            &order.total.to_string(),
            &order.currency,
            &harmless(&order.note),
        ])?;
    }
    Ok(writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?)
}

/// A text that a spreadsheet takes for a text. What begins like a formula would be run by the one
/// who opens the file, so an apostrophe goes before it.
fn harmless(text: &str) -> String {
    let formula = text.trim_start().starts_with(['=', '+', '-', '@']);
    match formula || text.starts_with(['\t', '\r', '\n']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn no_text_is_a_formula() {
        for text in ["=1+1", "+49", "-2", "@sum", " =1", "\t=1", "\r=1", "\tx"] {
            assert!(harmless(text).starts_with('\''), "{text:?}");
        }
        for text in ["Ann", "O'Brien", "a=b", "", "Ærø"] {
            assert_eq!(harmless(text), text);
        }
    }
}
