use super::MATRIX;
use super::clues::OLD_TYPES;
use super::tally::Tally;
use super::words::weigh;
use super::{Choice, Confidence};
use crate::returns::StandardType;

/// The type for a use case in words: `search products`.
#[must_use]
pub fn for_use_case(words: &str) -> Choice {
    if let Some(choice) = named(words).or_else(|| in_matrix(words)) {
        return choice;
    }
    let mut tally = Tally::default();
    let (does, returned) = before_and_after_return(words);
    weigh(does, "it", 3, &mut tally);
    weigh(returned, "what it returns", 3, &mut tally);
    tally.choice()
}

/// The type for a tool of ADL 1.0, by its name, its description, its return type (`object`,
/// `array`, `string`, `file`, …) and the description of its result. Empty where there is none.
///
/// ```
/// use toolpact_core::returns::StandardType;
/// use toolpact_core::returns::choose::{self, Confidence};
///
/// let choice = choose::for_tool("get_user", "", "object", "Returns user data");
/// assert_eq!(choice.standard(), StandardType::EntityResult);
/// assert_eq!(choice.confidence(), Confidence::Likely);
/// ```
#[must_use]
pub fn for_tool(
    name: &str,
    description: &str,
    old_type: &str,
    returns_description: &str,
) -> Choice {
    if let Some(choice) = named(old_type) {
        return choice;
    }
    let mut tally = Tally::default();
    weigh(name, "the name", 3, &mut tally);
    weigh_descriptions(description, returns_description, &mut tally);
    let old_type = OldType::new(old_type);
    old_type.weigh(&mut tally);
    let mut choice = tally.choice();
    old_type.contradict(&mut choice);
    choice
}

fn weigh_descriptions(description: &str, returns_description: &str, tally: &mut Tally) {
    for (i, sentence) in sentences(description).enumerate() {
        let about_returns = sentence
            .get(..6)
            .is_some_and(|s| s.eq_ignore_ascii_case("return"));
        match (i, about_returns) {
            (_, true) => weigh(sentence, RESULT, 2, tally),
            (0, false) => {
                let (does, returned) = before_and_after_return(sentence);
                weigh(does, "the description", 1, tally);
                weigh(returned, RESULT, 2, tally);
            }
            // Later sentences are about other things than the result.
            _ => {}
        }
    }
    let returned = sentences(returns_description).next().unwrap_or_default();
    weigh(returned, RESULT, 2, tally);
}

/// What reasons call the description of the result.
const RESULT: &str = "the description of the result";

/// A standard type by its own name.
fn named(words: &str) -> Option<Choice> {
    let standard = StandardType::from_name(words.trim())?;
    let reason = format!("it is named: `{standard}`");
    Some(Choice::new(standard, Confidence::Certain, reason))
}

/// A row of the matrix by its own words.
fn in_matrix(words: &str) -> Option<Choice> {
    let mut rows = MATRIX.iter();
    let row = rows.find(|row| row.use_case.eq_ignore_ascii_case(words.trim()))?;
    let reason = format!("the matrix recommends it for `{}`", row.use_case);
    Some(Choice::new(row.recommended, Confidence::Likely, reason))
}

/// A return type of ADL 1.0, and the points it gives to standard types.
struct OldType {
    word: String,
    points: &'static [(StandardType, i32)],
}

impl OldType {
    fn new(word: &str) -> Self {
        let word = word.trim().to_lowercase();
        let known = OLD_TYPES
            .iter()
            .find(|(words, _)| words.split('|').any(|known| known == word));
        Self {
            word,
            points: known.map_or(&[], |(_, points)| *points),
        }
    }

    fn weigh(&self, tally: &mut Tally) {
        for (standard, points) in self.points {
            let reason = format!("it returned `{}` so far", self.word);
            tally.add(*standard, *points, true, reason);
        }
    }

    /// Lowers the confidence if the old return type contradicts the choice.
    fn contradict(&self, choice: &mut Choice) {
        let supports =
            |(standard, points): &(StandardType, i32)| *standard == choice.standard && *points > 0;
        if self.points.is_empty() || self.points.iter().any(supports) {
            return;
        }
        choice.confidence = Confidence::Unsure;
        let reason = format!("but it returned `{}` so far", self.word);
        choice.reasons.push(reason);
    }
}

/// `Opens a session` and `its id`, of `Opens a session and returns its id`.
fn before_and_after_return(sentence: &str) -> (&str, &str) {
    let found = [" and returns ", " and return ", " and returning "]
        .iter()
        .find_map(|words| sentence.split_once(words));
    found.unwrap_or((sentence, ""))
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';'])
        .flat_map(|line| line.split(". "))
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
}
