use crate::returns::meaning::{Broken, Facts, Problem};
use crate::{Error, Pointer};

impl Error {
    /// Refuses facts that break a rule of meaning.
    pub(super) fn unless_hold(facts: &impl Facts) -> Result<(), Self> {
        facts.first_error().map_or(Ok(()), Err)
    }

    pub(in crate::returns) fn of(broken: &Broken<'_>) -> Self {
        match &broken.problem {
            Problem::Beside { key, outcome } => {
                Self::at(key, format!("expected it to agree with `{outcome}`"))
            }
            Problem::Wrong {
                at,
                expected,
                found,
                ..
            } => {
                let pointer = at.iter().fold(Pointer::root(), |at, key| at.key(key));
                Self::new(pointer, format!("expected {expected}{found}"))
            }
        }
    }
}
