//! Strings of a format, of a pattern, or of a length.

use crate::schema::Keyword;
use crate::schema::view::View;

use super::make::Variety;
use super::{Random, pattern};

/// The longest text that is made to be shown.
const MOST: usize = 500;
/// The longest random text.
const LONG: usize = 5_000;
/// How many random texts are made of a pattern.
const PATTERNS: usize = 8;
/// What random texts are made of.
const WORDS: [&str; 16] = [
    "amber", "birch", "cedar", "delta", "ember", "fern", "grove", "harbor", "iris", "juniper",
    "kelp", "larch", "maple", "north", "olive", "pine",
];

/// A text, different for each variant.
pub(super) fn make(view: &View<'_>, variant: usize) -> Option<String> {
    let least = view.count(Keyword::MinLength).unwrap_or(0).min(MOST);
    let most = view.count(Keyword::MaxLength).unwrap_or(usize::MAX);
    if let Some(text) = view
        .text(Keyword::Format)
        .and_then(|format| of_format(&format, variant))
    {
        return Some(text);
    }
    if let Some(pattern) = view.text(Keyword::Pattern) {
        let fits = |text: &String| (least..=most).contains(&text.chars().count());
        return (0..=least.max(8))
            .filter_map(|extra| pattern::with_extra(&pattern, extra, variant))
            .find(fits);
    }
    let text = match variant {
        0 => "text".to_owned(),
        variant => format!("text{}", variant + 1),
    };
    let padded = text.chars().chain(" text".chars().cycle());
    let length = text.chars().count().max(least).min(most);
    Some(padded.take(length).collect())
}

/// A random text: of a usual length, of the shortest, of the longest.
pub(super) fn random(view: &View<'_>, random: &mut Random, variety: Variety) -> Option<String> {
    let least = view.counts(Keyword::MinLength).max().unwrap_or(0).min(LONG);
    let most = view.counts(Keyword::MaxLength).min().unwrap_or(usize::MAX);
    let format = view.text(Keyword::Format);
    if let Some(text) = format.and_then(|format| of_format(&format, random.below(5_000))) {
        return Some(text);
    }
    let patterns: Vec<_> = view.all(Keyword::Pattern).collect();
    if let Some(pattern) = random.pick(&patterns).and_then(|part| part.node().as_str()) {
        let fits = |text: &String| (least..=most).contains(&text.chars().count());
        let mut made = (0..PATTERNS).filter_map(|_| pattern::random(&pattern, least, random));
        return made.find(fits).or_else(|| {
            let mut made =
                (0..=least.max(8)).filter_map(|extra| pattern::with_extra(&pattern, extra, 0));
            made.find(fits)
        });
    }
    let length = match random.below(8) {
        0 if least > 0 || variety == Variety::Unusual => least,
        1 if most <= LONG => most,
        _ => least.max(1).saturating_add(random.below(24)).min(most),
    };
    let mut text = String::new();
    let mut written = 0;
    while written < length {
        let word = random.pick(&WORDS)?;
        let space = if written > 0 { " " } else { "" };
        for c in space.chars().chain(word.chars()).take(length - written) {
            text.push(c);
            written += 1;
        }
    }
    Some(text)
}

/// From the ranges that are reserved for documentation.
fn of_format(format: &str, variant: usize) -> Option<String> {
    let n = variant + 1;
    let two = variant % 28 + 1;
    Some(match format {
        "date-time" => format!("2026-01-{two:02}T12:00:00Z"),
        "date" => format!("2026-01-{two:02}"),
        "time" => format!("12:{:02}:00Z", variant % 60),
        "duration" => format!("P{n}D"),
        "email" | "idn-email" => format!("ada{}@example.com", suffix(variant)),
        "hostname" | "idn-hostname" => format!("host{n}.example.com"),
        "ipv4" => format!("192.0.2.{}", n % 255),
        "ipv6" => format!("2001:db8::{:x}", n % 65_535),
        "uri" | "iri" | "uri-reference" | "iri-reference" => format!("https://example.com/{n}"),
        "uri-template" => format!("https://example.com/{n}/{{id}}"),
        "uuid" => format!("123e4567-e89b-42d3-a456-{n:012}"),
        "json-pointer" => format!("/{n}"),
        "relative-json-pointer" => n.to_string(),
        "regex" => format!("^{n}$"),
        "byte" => "dGV4dA==".to_owned(),
        _ => return None,
    })
}

fn suffix(variant: usize) -> String {
    match variant {
        0 => String::new(),
        variant => (variant + 1).to_string(),
    }
}
