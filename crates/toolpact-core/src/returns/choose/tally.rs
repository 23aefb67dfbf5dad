use super::{Choice, Confidence, matrix};
use crate::returns::StandardType;

/// Evidence for each type, added up.
#[derive(Debug, Default)]
pub(super) struct Tally {
    evidence: Vec<Evidence>,
}

#[derive(Debug)]
struct Evidence {
    standard: StandardType,
    points: i32,
    /// Whether it suffices alone: a verb at the beginning, or the noun that it retrieves.
    strong: bool,
    reason: String,
}

/// A lower score is too little evidence.
const ENOUGH: i32 = 24;
/// How many alternatives are listed.
const ALTERNATIVES: usize = 3;
const REASONS: usize = 4;

impl Tally {
    /// Adds evidence for a type, or against it if `points` is negative.
    pub(super) fn add(
        &mut self,
        standard: StandardType,
        points: i32,
        strong: bool,
        reason: String,
    ) {
        self.evidence.push(Evidence {
            standard,
            points,
            strong,
            reason,
        });
    }

    /// The choice that the evidence supports.
    pub(super) fn choice(self) -> Choice {
        let ranked = self.ranked();
        let Some(&(best, score)) = ranked.first().filter(|(_, score)| *score > 0) else {
            let reason = "nothing in the words says what is returned";
            return Choice::new(StandardType::ObjectResult, Confidence::Unsure, reason);
        };
        let second = ranked.get(1).map_or(0, |(_, score)| *score);
        // At least 1.5 times the next score.
        let clear = score >= ENOUGH && 2 * score >= 3 * second;
        let confidence = match clear && self.has_strong(best) {
            true => Confidence::Likely,
            false => Confidence::Unsure,
        };
        let others = ranked[1..]
            .iter()
            .filter(|(_, other)| *other > 0 && 5 * other >= 2 * score)
            .map(|(standard, _)| *standard)
            .take(ALTERNATIVES);
        let mut choice = Choice::new(best, confidence, "").or(others);
        choice.reasons = self.reasons(best);
        choice
    }

    /// The types by their points; those of equal points in the order of the specification.
    fn ranked(&self) -> Vec<(StandardType, i32)> {
        let mut ranked: Vec<(StandardType, i32)> = StandardType::all()
            .map(|standard| (standard, self.points(standard)))
            .collect();
        ranked.sort_by_key(|(_, points)| -points);
        ranked
    }

    fn points(&self, standard: StandardType) -> i32 {
        let of_type = self.evidence.iter().filter(|e| e.standard == standard);
        of_type.map(|e| e.points).sum()
    }

    fn has_strong(&self, standard: StandardType) -> bool {
        let mut of_type = self.evidence.iter().filter(|e| e.standard == standard);
        of_type.any(|e| e.strong && e.points > 0)
    }

    fn reasons(mut self, standard: StandardType) -> Vec<String> {
        self.evidence
            .retain(|e| e.standard == standard && e.points > 0);
        self.evidence.sort_by_key(|e| -e.points);
        let mut reasons: Vec<String> = self.evidence.into_iter().map(|e| e.reason).collect();
        reasons.truncate(REASONS - 1);
        let use_case = matrix::row(standard).use_case;
        reasons.push(format!("the matrix recommends it for `{use_case}`"));
        reasons
    }
}
