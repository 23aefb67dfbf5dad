use crate::json::Value;
use crate::schema::view::{Sources, View};

use super::Random;
use super::make::{Attempt, Maker, Variety};
use super::sampler::json;

/// Most parts of one draft.
const WORK: usize = 4_000;

/// A value of a part of a schema, which nobody has checked: the first 16 seeds as it would be shown, with
/// all keys and then with few, the others at random. Takes what it costs from `work`.
pub(crate) fn draft<'v>(
    sources: &Sources<'v>,
    view: &View<'v>,
    seed: u64,
    work: &mut usize,
) -> Option<Value> {
    let most = WORK.min(*work);
    let mut left = most;
    let attempt = usize::try_from(seed)
        .ok()
        .and_then(|seed| Attempt::all().nth(seed));
    let mut maker = match attempt {
        Some(attempt) => Maker::shown(sources, attempt, &mut left),
        None => {
            let variety = match seed % 2 {
                0 => Variety::Unusual,
                _ => Variety::Usual,
            };
            Maker::random(sources, Random::new(seed), variety, &mut left)
        }
    };
    let text = maker.value(view, 0, 0);
    *work -= most - left;
    json(&text?)
}
