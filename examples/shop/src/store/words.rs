//! The index of words, in which orders are found by text.

use rusqlite::Connection;
use toolpact::ToolError;

/// More words than this are no search.
const MOST: usize = 10;

/// Writes the words of the orders from `first` to `last` anew; returns how many orders that were.
pub(crate) fn write(to: &Connection, first: i64, last: i64) -> rusqlite::Result<usize> {
    to.prepare_cached("DELETE FROM order_words WHERE rowid BETWEEN ? AND ?")?
        .execute((first, last))?;
    let insert = "INSERT INTO order_words (rowid, words)
        SELECT o.id, c.name || ' ' || c.city || ' ' || o.note || ' ' ||
            (SELECT group_concat(p.name, ' ') FROM order_lines l JOIN products p ON p.id = l.product_id
             WHERE l.order_id = o.id)
        FROM orders o JOIN customers c ON c.id = o.customer_id
        WHERE o.id BETWEEN ? AND ?";
    to.prepare_cached(insert)?.execute((first, last))
}

/// A text of a user in the language of the index: every word has to be there, or one that begins
/// like it. In quotes, none of its signs means anything.
pub(crate) fn query(text: &str) -> Result<String, ToolError> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(|word| format!("\"{word}\"*"))
        .collect();
    match words.len() {
        0 => Err(ToolError::invalid(
            "The text to search for has no word in it. Give letters or digits.",
        )),
        1..=MOST => Ok(words.join(" ")),
        found => Err(ToolError::invalid(format!(
            "Expected at most {MOST} words to search for, found {found}."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn nothing_of_a_text_is_an_instruction() {
        assert_eq!(query("Ann O'Brien").unwrap(), r#""Ann"* "O"* "Brien"*"#);
        assert_eq!(
            query(r#"" OR words:* NEAR("#).unwrap(),
            r#""OR"* "words"* "NEAR"*"#
        );
        assert!(query(" \"*()-").is_err());
        assert!(query(&"a ".repeat(11)).is_err());
    }
}
