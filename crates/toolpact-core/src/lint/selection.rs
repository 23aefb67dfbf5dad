use crate::violation::Rule;
use crate::violation::rules::lint as rules;

/// Which rules of lint are applied.
///
/// ```
/// use toolpact_core::lint::Selection;
///
/// let quiet = Selection::default();
/// let one = Selection::none().with("lint-parameter-description").unwrap();
/// assert!(Selection::none().with("lint-no-such-rule").is_none());
/// # let _ = (quiet, one);
/// ```
#[derive(Debug, Clone)]
pub struct Selection(Vec<&'static Rule>);

/// Those that are seldom wrong about tools that are as they should be. The others are applied if they are asked for.
impl Default for Selection {
    fn default() -> Self {
        let all = rules::ALL.iter().copied();
        Self(all.filter(|rule| !rule.on_request).collect())
    }
}

impl Selection {
    /// No rule.
    #[must_use]
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// Every rule, also those with many false alarms.
    #[must_use]
    pub fn all() -> Self {
        Self(rules::ALL.to_vec())
    }

    /// One rule more, by its code. `None` if no rule of lint has this code.
    #[must_use]
    pub fn with(self, code: &str) -> Option<Self> {
        let rule = rules::ALL.iter().find(|rule| rule.code == code)?;
        Some(self.or(&Self(vec![rule])))
    }

    /// These rules and those.
    #[must_use]
    pub fn or(mut self, others: &Self) -> Self {
        for rule in &others.0 {
            if !self.has(rule) {
                self.0.push(rule);
            }
        }
        self
    }

    /// The code of a rule of lint that is most like this one, for a suggestion.
    #[must_use]
    pub fn nearest(code: &str) -> Option<&'static str> {
        crate::violation::nearest(code, Self::codes())
    }

    /// The codes of all rules of lint.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        rules::ALL.iter().map(|rule| rule.code)
    }

    pub(super) fn has(&self, rule: &Rule) -> bool {
        self.0.iter().any(|one| std::ptr::eq(*one, rule))
    }
}
