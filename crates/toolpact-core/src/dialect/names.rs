//! Names of tools in a dialect, and aliases for names that a dialect does not allow.

use std::collections::HashMap;

use crate::Pointer;
use crate::contract::Contract;
use crate::text::shorten;

use super::dialects::Dialect;
use super::loss::{Effect, Loss, LossKind};

/// The longest alias of a tool.
pub(super) const LONGEST: usize = 64;

/// How many tools of an export are called by each name.
pub(super) struct Names<'c>(HashMap<&'c str, usize>);

impl<'c> Names<'c> {
    pub(super) fn of(contracts: &[&'c Contract]) -> Self {
        let mut times = HashMap::new();
        for contract in contracts {
            let own = contract.name().as_str();
            let original = contract.original_name().filter(|name| *name != own);
            for name in [Some(own), original].into_iter().flatten() {
                *times.entry(name).or_default() += 1;
            }
        }
        Self(times)
    }

    /// The name of a tool in a dialect: the original one if the dialect allows it and no other tool
    /// has it.
    pub(super) fn name_in<'n>(
        &self,
        dialect: Dialect,
        contract: &'n Contract,
        losses: &mut Vec<Loss>,
    ) -> &'n str {
        let own = contract.name().as_str();
        let Some(original) = contract.original_name().filter(|name| *name != own) else {
            return own;
        };
        let is_free = self.0.get(original).is_none_or(|times| *times < 2);
        let (lost, used) = match allows(dialect, original) && is_free {
            true => (own, original),
            false => (original, own),
        };
        // Readers make the same alias again, so that nothing is lost.
        if used == own || *alias(original, LONGEST, |_| false) != *own {
            losses.push(renamed(lost, used));
        }
        used
    }
}

/// That a tool has another name.
pub(super) fn renamed(lost: &str, used: &str) -> Loss {
    Loss {
        pointer: Pointer::root().key("name"),
        kind: LossKind::Name,
        effect: Effect::Documentation,
        lost: format!("the name `{}`", shorten(lost)),
        instead: format!("it is called `{}`", shorten(used)),
    }
}

/// Whether a tool may have this name in a dialect.
fn allows(dialect: Dialect, name: &str) -> bool {
    let spec = dialect.spec();
    let limits = spec.limits.as_ref();
    limits.map_or(spec.any_name, |limits| limits.name.allows(name))
}

/// An alias of letters, digits and `_` for any text. It depends on the text alone, unless that
/// alias is `taken`, which takes a hash collision.
pub(super) fn alias(text: &str, longest: usize, taken: impl Fn(&str) -> bool) -> Box<str> {
    let hash = crate::model::Digest::of(text.as_bytes()).to_string();
    for digits in [6, 12, 24] {
        let suffix = &hash[..digits];
        let room = longest.saturating_sub(digits + 1);
        let name = format!("{}_{suffix}", readable(text, room));
        if !taken(&name) {
            return name.into();
        }
    }
    format!("x{}", &hash[..longest.min(63)]).into()
}

/// The valid characters of a text, starting with a letter or `_`.
fn readable(text: &str, longest: usize) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' if name.is_empty() => name.extend(['_', c]),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(c),
            _ if name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    name.truncate(longest);
    let name = name.trim_end_matches('_');
    if name.is_empty() {
        "x".to_owned()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::alias;

    #[test]
    fn depends_on_the_text_alone() {
        let free = |_: &str| false;
        assert_eq!(&*alias("orders.list v2", 64, free), "orders_list_v2_abb96b");
        assert_eq!(alias("a.b", 64, free), alias("a.b", 64, free));
        assert_ne!(alias("a.b", 64, free), alias("a/b", 64, free));
        assert!(alias(&"é".repeat(500), 64, free).len() <= 64);
        assert!(alias(&"ab".repeat(500), 64, free).len() <= 64);
    }

    #[test]
    fn gives_way() {
        let first = alias("a.b", 64, |_| false);
        assert_ne!(alias("a.b", 64, |name| name == &*first), first);
    }
}
