use std::fmt;

use crate::returns::{Category, StandardType};

/// A row of the selection matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatrixRow {
    /// What the tool does.
    pub use_case: &'static str,
    /// The type to use.
    pub recommended: StandardType,
    /// A type that also fits.
    pub alternative: StandardType,
}

macro_rules! matrix {
    ($($use_case:literal => $recommended:ident, $alternative:ident;)*) => {
        [$(MatrixRow {
            use_case: $use_case,
            recommended: StandardType::$recommended,
            alternative: StandardType::$alternative,
        }),*]
    };
}

/// The selection matrix (section 6.2). Each type is recommended once.
pub static MATRIX: [MatrixRow; 14] = matrix! {
    "Create/Update/Delete" => ObjectResult, EntityResult;
    "Get Single Item" => EntityResult, ObjectResult;
    "Search/List" => ListResult, BatchResult;
    "Bulk Operations" => BatchResult, OperationStatus;
    "Long-running Task" => OperationStatus, EventStream;
    "Generate Text" => StringValue, ObjectResult;
    "Calculate/Count" => NumberValue, ObjectResult;
    "Check/Validate" => BooleanValue, ObjectResult;
    "Generate ID" => IdentifierValue, StringValue;
    "Generate File" => FileResult, MediaResult;
    "Generate Image/Audio/Video" => MediaResult, FileResult;
    "Real-time Updates" => EventStream, ChunkedData;
    "Large Data Transfer" => ChunkedData, FileResult;
    "Delete/Archive" => VoidResult, ObjectResult;
};

/// A question of the selection tree (section 3.2), in the order they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Question {
    /// Does the tool return data?
    ReturnsData,
    /// Is it a continuous flow?
    IsContinuous,
    /// Is it binary/non-JSON?
    IsBinary,
    /// Is it a collection?
    IsCollection,
    /// Is it a simple value?
    IsSimple,
}

/// Each question, the answer that ends the walk, and where it ends.
#[rustfmt::skip]
static TREE: [(Question, &str, bool, Category); 5] = [
    (Question::ReturnsData, "Does the tool return data?", false, Category::Void),
    (Question::IsContinuous, "Is it a continuous flow?", true, Category::Stream),
    (Question::IsBinary, "Is it binary/non-JSON?", true, Category::Binary),
    (Question::IsCollection, "Is it a collection?", true, Category::Array),
    (Question::IsSimple, "Is it a simple value?", true, Category::Primitive),
];

/// The selection tree: each question, the answer that ends it, and the category that it ends with.
/// If no answer does, the category is [`Category::Structured`].
pub fn questions() -> impl Iterator<Item = (Question, bool, Category)> {
    let rows = TREE.iter();
    rows.map(|(question, _, ends, category)| (*question, *ends, *category))
}

/// Walks the selection tree.
///
/// ```
/// use toolpact_core::returns::Category;
/// use toolpact_core::returns::choose::{self, Question};
///
/// let category = choose::category(|question| match question {
///     Question::ReturnsData | Question::IsCollection => true,
///     _ => false,
/// });
/// assert_eq!(category, Category::Array);
/// ```
pub fn category(mut answer: impl FnMut(Question) -> bool) -> Category {
    TREE.iter()
        .find(|(question, _, ends, _)| answer(*question) == *ends)
        .map_or(Category::Structured, |(.., category)| *category)
}

/// The questions that lead to a category, each with its answer.
pub fn path_to(category: Category) -> impl Iterator<Item = (Question, bool)> {
    let end = TREE.iter().position(|(.., c)| *c == category);
    TREE.iter()
        .enumerate()
        .take(end.map_or(TREE.len(), |end| end + 1))
        .map(move |(i, (question, _, ends, _))| (*question, *ends == (Some(i) == end)))
}

pub(super) fn row(standard: StandardType) -> &'static MatrixRow {
    MATRIX
        .iter()
        .find(|row| row.recommended == standard)
        .unwrap_or(&MATRIX[0])
}

pub(super) fn alternative(standard: StandardType) -> StandardType {
    row(standard).alternative
}

/// The question as the specification words it.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TREE[*self as usize].1)
    }
}

#[cfg(test)]
mod tests {
    use super::{MATRIX, Question, TREE, category, path_to};
    use crate::returns::{Category, StandardType};

    #[test]
    fn every_type_is_recommended_once() {
        for standard in StandardType::all() {
            let rows = MATRIX.iter().filter(|row| row.recommended == standard);
            assert_eq!(rows.count(), 1, "{standard}");
        }
    }

    #[test]
    fn every_path_leads_where_it_says() {
        for end in Category::ALL {
            let path: Vec<(Question, bool)> = path_to(end).collect();
            let answer = |question| path.iter().any(|(q, yes)| *q == question && *yes);
            assert_eq!(category(answer), end);
        }
        let void: Vec<_> = path_to(Category::Void).collect();
        assert_eq!(void, [(Question::ReturnsData, false)]);
        assert_eq!(path_to(Category::Structured).count(), TREE.len());
        assert_eq!(Question::IsSimple.to_string(), "Is it a simple value?");
    }
}
