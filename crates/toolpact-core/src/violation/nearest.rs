//! "Did you mean …?"

/// Names longer than this are not compared, and no more than this many: a suggestion must never
/// cost more than the check it follows.
const LONGEST: usize = 64;
const MOST: usize = 1_000;

/// The candidate that `name` was most likely meant to be, if one is near enough.
///
/// ```
/// use toolpact_core::violation::nearest;
///
/// assert_eq!(nearest("getUser", ["get_user", "delete_user"]), Some("get_user"));
/// assert_eq!(nearest("weather", ["get_user", "delete_user"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let (folded, letters) = folded(name);
    let allowed = (folded.chars().count() / 3).max(1);
    let mut near: Vec<(usize, usize, &str, String)> = candidates
        .into_iter()
        .take(MOST)
        .filter(|candidate| candidate.len() <= LONGEST && *candidate != name)
        .enumerate()
        .map(|(at, candidate)| {
            let (other, others) = self::folded(candidate);
            (least_distance(&letters, &others), at, candidate, other)
        })
        .filter(|(least, ..)| *least <= allowed)
        .collect();
    // Those that may be nearest first, so that few have to be compared letter by letter.
    near.sort_unstable_by_key(|(least, at, ..)| (*least, *at));
    let mut best: Option<(usize, usize, &str)> = None;
    for (least, at, candidate, other) in near {
        if best.is_some_and(|(distance, ..)| distance < least) {
            break;
        }
        let distance = strsim::osa_distance(&folded, &other);
        let is_near = distance <= allowed && distance < candidate.len();
        if is_near && best.is_none_or(|(least, first, _)| (distance, at) < (least, first)) {
            best = Some((distance, at, candidate));
        }
    }
    best.map(|(.., candidate)| candidate)
}

/// A name as it is compared, and how often it has which letters: `getUser`, `get-user` and
/// `GET_USER` are near to `get_user`.
fn folded(name: &str) -> (String, [usize; 64]) {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-'));
    let folded: String = letters.flat_map(char::to_lowercase).collect();
    let mut counts = [0; 64];
    for letter in folded.chars() {
        counts[letter as usize % 64] += 1;
    }
    (folded, counts)
}

/// No fewer changes are enough: each adds one letter, takes one away, or both.
fn least_distance(one: &[usize; 64], other: &[usize; 64]) -> usize {
    let more = |a: &[usize; 64], b: &[usize; 64]| -> usize {
        a.iter().zip(b).map(|(a, b)| a.saturating_sub(*b)).sum()
    };
    more(one, other).max(more(other, one))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_nothing_else() {
        let names = ["get_user", "get_users", "delete_user"];
        assert_eq!(nearest("getUser", names), Some("get_user"));
        assert_eq!(nearest("get_usr", names), Some("get_user"));
        assert_eq!(nearest("DELETE-USER", names), Some("delete_user"));
        assert_eq!(nearest("weather", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest(&"a".repeat(100_000), names), None);
    }
}
