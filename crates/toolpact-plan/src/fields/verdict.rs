/// What a schema says about a path into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Every segment is named, or may be for all that is known here.
    Fine,
    /// Nothing is said from the segment of this number on.
    Silent(usize),
    /// There may be such a segment, but it is not among those that are named.
    Unpromised(Stop),
    /// There can be no such segment.
    Forbidden(Stop),
}

/// Where the path ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The number of the segment that is not there.
    pub(crate) at: usize,
    /// What is there instead: "an object", "a string".
    pub(crate) kinds: Vec<String>,
    /// The fields that are named there.
    pub(crate) names: Vec<String>,
}

use Verdict::{Fine, Forbidden, Silent, Unpromised};

impl Verdict {
    /// Where both speak of the same value. What one forbids, the other cannot allow; what one
    /// names, the other need not.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Forbidden(stop), _) | (_, Forbidden(stop)) => Forbidden(stop),
            (Fine, _) | (_, Fine) => Fine,
            (Unpromised(one), Unpromised(other)) => Unpromised(one.merge(other)),
            (Unpromised(stop), Silent(from)) | (Silent(from), Unpromised(stop)) => {
                // One that is silent only further on has named the part that the other does not.
                match from > stop.at {
                    true => Silent(from),
                    false => Unpromised(stop),
                }
            }
            (Silent(one), Silent(other)) => Silent(one.max(other)),
        }
    }

    /// Where either may be so. Only what both forbid is forbidden.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Fine, _) | (_, Fine) => Fine,
            (Silent(one), Silent(other)) => Silent(one.max(other)),
            (Silent(from), _) | (_, Silent(from)) => Silent(from),
            (Forbidden(one), Forbidden(other)) => Forbidden(one.merge(other)),
            (Unpromised(one), Unpromised(other)) => Unpromised(one.merge(other)),
            (Unpromised(stop), Forbidden(_)) | (Forbidden(_), Unpromised(stop)) => Unpromised(stop),
        }
    }
}

impl Stop {
    /// The one that came further; both, if they stop at the same part.
    fn merge(mut self, other: Self) -> Self {
        if self.at != other.at {
            return if self.at > other.at { self } else { other };
        }
        add(&mut self.kinds, other.kinds);
        add(&mut self.names, other.names);
        self
    }
}

/// Both lists are short.
fn add(list: &mut Vec<String>, others: Vec<String>) {
    for other in others {
        if !list.contains(&other) {
            list.push(other);
        }
    }
}
