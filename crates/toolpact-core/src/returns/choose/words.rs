//! Weighs the words of a text.

use super::clues::{ARTICLES, CLUES, FILLERS, MAKE, PREPOSITIONS, Position, RETRIEVE, SINGULAR};
use super::tally::Tally;
use crate::returns::StandardType;

/// A text, split into words.
#[derive(Debug)]
struct Sentence {
    /// In lower case; camel case and snake case are split.
    words: Vec<String>,
    /// The same words without endings.
    roots: Vec<String>,
    /// Where the last word of the first noun phrase is: `orders` in `get orders by customer`.
    head: usize,
}

/// Weighs one text. `what` is its name in reasons.
pub(super) fn weigh(text: &str, what: &str, factor: i32, tally: &mut Tally) {
    let sentence = Sentence::new(text);
    if sentence.words.is_empty() {
        return;
    }
    weigh_retrieval(&sentence, what, factor, tally);
    let makes = sentence.brings_its_object();
    for clue in CLUES {
        let found = clue.words.split('|').filter_map(|phrase| {
            let (points, strong) = sentence.points(phrase, clue.position, clue.weight, makes);
            (points > 0).then_some((points, strong, phrase))
        });
        if let Some((points, strong, phrase)) = found.max_by_key(|(points, ..)| *points) {
            let first = matches!(clue.position, Position::First | Position::OnlyFirst)
                && sentence.first(phrase);
            let reason = match first {
                true => format!("{what} begins with `{phrase}`"),
                false => format!("{what} says `{phrase}`"),
            };
            tally.add(clue.standard, points * factor, strong, reason);
        }
    }
}

/// `get_user` retrieves one thing, `get_users` many.
fn weigh_retrieval(sentence: &Sentence, what: &str, factor: i32, tally: &mut Tally) {
    let Some(verb) = RETRIEVE.split('|').find(|verb| sentence.first(verb)) else {
        return;
    };
    let object = &sentence.words[sentence.head];
    let (standard, number) = match is_plural(object) {
        true => (StandardType::ListResult, "many"),
        false => (StandardType::EntityResult, "one"),
    };
    let reason = format!("{what} begins with `{verb}` and asks for {number}: `{object}`");
    // What `get_time` retrieves need not be an entity with an id.
    let strong = standard == StandardType::ListResult;
    tally.add(standard, 12 * factor, strong, reason);
}

impl Sentence {
    fn new(text: &str) -> Self {
        let mut words = split(text);
        // It says nothing about the result, but shares its root with a word that does.
        words.retain(|word| word != "existing");
        let fillers = words.iter().take_while(|word| is_in(FILLERS, word)).count();
        if fillers < words.len() {
            words.drain(..fillers);
        }
        let roots: Vec<String> = words.iter().map(|word| root(word)).collect();
        let end = words
            .iter()
            .skip(1)
            .position(|word| is_in(PREPOSITIONS, word));
        let head = end.unwrap_or(words.len().saturating_sub(1));
        Self { words, roots, head }
    }

    /// Twice the points of the phrase here, and whether it is in its expected position.
    fn points(&self, phrase: &str, position: Position, weight: i32, makes: bool) -> (i32, bool) {
        let noun = matches!(position, Position::Head | Position::OnlyHead);
        let at_head = |end: usize| end == self.head;
        let found = self.ends_of(phrase).map(|(start, end)| match position {
            Position::Any => (2 * weight, end <= self.head),
            Position::First | Position::OnlyFirst if start == 0 => (2 * weight, true),
            Position::Head | Position::OnlyHead if at_head(end) => (2 * weight, true),
            Position::First | Position::Head => (weight, false),
            Position::OnlyFirst | Position::OnlyHead => (0, false),
        });
        let (points, strong) = found.max().unwrap_or_default();
        // In `delete_file` the file is not what is returned.
        match noun && !makes {
            true => (points / 4, false),
            false => (points, strong),
        }
    }

    fn brings_its_object(&self) -> bool {
        let one_of = |verbs: &str| verbs.split('|').any(|verb| self.first(verb));
        one_of(MAKE) || one_of(RETRIEVE) || !self.begins_with_a_verb()
    }

    fn begins_with_a_verb(&self) -> bool {
        // As in `press a key`.
        if self.words.get(1).is_some_and(|word| is_in(ARTICLES, word)) {
            return true;
        }
        let verbs = CLUES
            .iter()
            .filter(|clue| matches!(clue.position, Position::First | Position::OnlyFirst));
        verbs
            .flat_map(|clue| clue.words.split('|'))
            .any(|verb| self.first(verb))
    }

    fn first(&self, phrase: &str) -> bool {
        self.ends_of(phrase).any(|(start, _)| start == 0)
    }

    /// The start and end of each occurrence of a phrase.
    fn ends_of(&self, phrase: &str) -> impl Iterator<Item = (usize, usize)> {
        let phrase: Vec<String> = phrase.split(' ').map(root).collect();
        let length = phrase.len();
        self.roots
            .windows(length)
            .enumerate()
            .filter(move |(_, window)| *window == phrase)
            .map(move |(start, _)| (start, start + length - 1))
    }
}

/// `getUserById`, `get_user_by_id` and `Get user by ID` are the same four words.
fn split(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = ' ';
    for c in text.chars() {
        let hump = c.is_uppercase() && previous.is_lowercase();
        if hump || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A word without its ending. Crude, but both sides of a comparison use it.
fn root(word: &str) -> String {
    let mut root = word;
    if word.len() > 4 {
        if let Some(stem) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) {
            root = undoubled(stem);
        } else if let Some(stem) = word.strip_suffix("ies") {
            return format!("{stem}y");
        }
    }
    if root.len() > 3 && !["ss", "us", "is"].iter().any(|end| root.ends_with(end)) {
        root = root.strip_suffix('s').unwrap_or(root);
    }
    if root.len() > 3 {
        root = root.strip_suffix('e').unwrap_or(root);
    }
    root.to_owned()
}

/// `runn` becomes `run`.
fn undoubled(stem: &str) -> &str {
    let mut last = stem.chars().rev();
    match (last.next(), last.next()) {
        (Some(a), Some(b)) if a == b && !"aeiouls".contains(a) => {
            stem.strip_suffix(a).unwrap_or(stem)
        }
        _ => stem,
    }
}

fn is_plural(word: &str) -> bool {
    let ends = word.ends_with('s') && !word.ends_with("ss");
    (ends && word.len() > 3 && !is_in(SINGULAR, word)) || word == "people" || word == "children"
}

fn is_in(list: &str, word: &str) -> bool {
    list.split('|').any(|entry| entry == word)
}

#[cfg(test)]
mod tests {
    use super::{Sentence, is_plural, root, split};

    #[test]
    fn words_in_every_spelling() {
        for text in [
            "getUserById",
            "get_user_by_id",
            "Get user, by ID!",
            "get-user--by-id",
        ] {
            assert_eq!(split(text), ["get", "user", "by", "id"], "{text}");
        }
        assert_eq!(split(" _ "), [""; 0]);
    }

    #[test]
    fn endings_do_not_matter() {
        let families: [&[&str]; 7] = [
            &["create", "creates", "created", "creating"],
            &["search", "searches", "searched", "searching"],
            &["run", "running"],
            &["summary", "summaries"],
            &["file", "files", "filed"],
            &["list", "lists", "listing"],
            &["get", "getting"],
        ];
        for family in families {
            assert!(
                family.iter().all(|word| root(word) == root(family[0])),
                "{family:?}"
            );
        }
    }

    #[test]
    fn the_head_is_what_the_verb_is_about() {
        let head = |text| {
            let sentence = Sentence::new(text);
            sentence.words[sentence.head].clone()
        };
        assert_eq!(head("get_orders_by_customer"), "orders");
        assert_eq!(head("Returns the ID of the created user"), "id");
        assert_eq!(head("create_invoice_pdf"), "pdf");
        assert_eq!(head("x"), "x");
        assert!(is_plural("orders") && !is_plural("status") && !is_plural("address"));
    }
}
