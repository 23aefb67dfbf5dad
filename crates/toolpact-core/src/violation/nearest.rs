//! "Did you mean …?"

/// Names longer than this are not compared, and no more than this many: a suggestion must never
/// cost more than the check it follows.
const LONGEST: usize = 64;
const MOST: usize = 1_000;

/// The candidate that `name` was most likely meant to be, if one is near enough.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let folded = fold(name);
    let allowed = (folded.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .take(MOST)
        .filter(|candidate| candidate.len() <= LONGEST && *candidate != name)
        .map(|candidate| (strsim::osa_distance(&folded, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `getUser`, `get-user` and `GET_USER` are near to `get_user`.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
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
