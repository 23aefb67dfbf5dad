//! How often the words are right, for tools as their authors describe them (`corpus.tsv`).

use super::*;

struct Row {
    name: &'static str,
    description: &'static str,
    fits: StandardType,
    would_do: Option<StandardType>,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("corpus.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let mut columns = line.split('\t');
        let mut column = || columns.next().unwrap();
        Row {
            name: column(),
            description: column(),
            fits: StandardType::from_name(column()).unwrap(),
            would_do: StandardType::from_name(column()),
        }
    });
    rows.collect()
}

/// Counts the rows where the choice is the best type, where it is one of the two that fit, where it
/// is not `Unsure`, and where it is not `Unsure` and one of the two.
fn measure(choose: impl Fn(&Row) -> (StandardType, Confidence)) -> [usize; 4] {
    let mut counts = [0; 4];
    for row in rows() {
        let (standard, confidence) = choose(&row);
        let right = standard == row.fits || Some(standard) == row.would_do;
        let likely = confidence != Unsure;
        let found = [standard == row.fits, right, likely, likely && right];
        for (count, found) in counts.iter_mut().zip(found) {
            *count += usize::from(found);
        }
    }
    counts
}

fn by_words(name: &str, description: &str) -> (StandardType, Confidence) {
    let choice = for_tool(name, description, "", "");
    (choice.standard(), choice.confidence())
}

fn by_use_case(description: &str) -> (StandardType, Confidence) {
    let choice = for_use_case(description);
    (choice.standard(), choice.confidence())
}

/// The words of the selection matrix and no others: the first that the name has, or that the
/// description begins with.
fn by_matrix(name: &str, description: &str) -> (StandardType, Confidence) {
    const WORDS: [(&str, StandardType); 11] = [
        ("create|update", ObjectResult),
        ("get", EntityResult),
        ("search|list", ListResult),
        ("bulk", BatchResult),
        ("text", StringValue),
        ("calculate|count", NumberValue),
        ("check|validate", BooleanValue),
        ("id", IdentifierValue),
        ("file", FileResult),
        ("image|audio|video", MediaResult),
        ("delete|archive", VoidResult),
    ];
    let first = description.split(' ').next().unwrap_or_default();
    let text = format!("{name}_{first}").to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let found = words.find_map(|word| {
        let word = word.strip_suffix('s').unwrap_or(word);
        let row = WORDS.iter().find(|row| row.0.split('|').any(|w| w == word));
        row.map(|row| row.1)
    });
    (found.unwrap_or(ObjectResult), Unsure)
}

/// The numbers of docs/decisions.md. They may rise, not fall.
#[test]
fn the_words_are_right_more_often_than_the_matrix() {
    assert_eq!(rows().len(), 286);
    let always = measure(|_| (ObjectResult, Unsure));
    assert_eq!(always[..2], [52, 101]);
    let matrix = measure(|row| by_matrix(row.name, row.description));
    assert_eq!(matrix[..2], [101, 144]);
    let words = measure(|row| by_words(row.name, row.description));
    assert!(words[0] >= 175 && words[1] >= 210, "{words:?}");
    let name = measure(|row| by_words(row.name, ""));
    assert!(name[0] >= 165 && name[1] >= 203, "{name:?}");
    let use_case = measure(|row| by_use_case(row.description));
    assert!(use_case[0] >= 164 && use_case[1] >= 194, "{use_case:?}");
}

/// A `Likely` choice is right more often than an `Unsure` one.
#[test]
fn what_is_likely_is_right_five_times_of_six() {
    for [_, _, likely, right] in [
        measure(|row| by_words(row.name, row.description)),
        measure(|row| by_words(row.name, "")),
        measure(|row| by_use_case(row.description)),
    ] {
        assert!(6 * right >= 5 * likely, "{right} of {likely}");
        assert!(likely >= 150, "{likely}");
    }
}

#[test]
fn what_exists_already_is_not_a_question() {
    let choice = for_use_case("Modify an existing painting");
    assert_eq!(choice.standard(), ObjectResult, "{choice}");
    assert!(!choice.alternatives().contains(&BooleanValue), "{choice}");
}
