//! What customers say about what they got.

use jiff::ToSpan as _;
use rusqlite::{Transaction, params};

use super::orders::Made;
use super::random::Random;

const WORDS: [&[&str]; 5] = [
    &[
        "Arrived broken, and the second one too.",
        "Not what the picture shows.",
        "Stale. I threw it away.",
    ],
    &[
        "Weaker than I had hoped.",
        "Fine at first, then the lid came loose.",
        "Too expensive for what it is.",
    ],
    &[
        "Does what it should.",
        "Good, but I have had better.",
        "Nice, though the packaging is wasteful.",
    ],
    &[
        "Very good, would buy it again.",
        "Lovely aroma, a little less in the bag than I thought.",
        "Solid and well made.",
    ],
    &[
        "My favourite!",
        "Bought it for my mother, now I need one as well.",
        "As good as in the café.",
        "Perfect. Quick delivery, too.",
    ],
];

/// Writes a review for some of what was delivered.
pub(super) fn write(
    to: &Transaction<'_>,
    random: &mut Random,
    made: &[Made],
) -> rusqlite::Result<()> {
    let mut insert = to.prepare(
        "INSERT INTO reviews (product_id, customer_id, stars, text, written_at)
         VALUES (?, ?, ?, ?, ?)",
    )?;
    for line in made.iter().filter(|line| line.delivered) {
        if !random.chance(14) {
            continue;
        }
        // Who writes is mostly content.
        let stars = random.between(1, 5).max(random.between(1, 5));
        let words = usize::try_from(stars - 1)
            .ok()
            .and_then(|place| WORDS.get(place));
        let text = words.and_then(|words| random.pick(words)).copied();
        let day = line.day.saturating_add(random.between(4, 30).days());
        let at = format!(
            "{day}T{:02}:{:02}:00Z",
            random.between(7, 22),
            random.below(60)
        );
        insert.execute(params![
            line.product,
            line.customer,
            stars,
            text.unwrap_or_default(),
            at
        ])?;
    }
    Ok(())
}
