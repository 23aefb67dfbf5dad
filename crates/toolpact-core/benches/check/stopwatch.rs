//! Times that can be compared on a machine that others use too.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effort {
    /// Only to see that it works.
    #[default]
    Smoke,
    Full,
    /// The last, because `--quick` beats the `--bench` that cargo adds.
    Quick,
}

/// How long one of the others has to wait for its turn.
const ROUND: Duration = Duration::from_millis(3);

/// What is timed. It says something about its work, so that none of it is optimised away.
pub(crate) type Work<'a> = Box<dyn Fn() -> bool + 'a>;

/// The least time of each, in seconds.
///
/// They take turns of a few milliseconds, and the best turn counts: whatever else the machine does
/// can only make a turn longer, and it hits all of them alike.
pub(crate) fn race(works: &[Work<'_>], effort: Effort) -> Vec<f64> {
    let turns: Vec<u32> = works.iter().map(|work| calibrate(work, effort)).collect();
    let mut best = vec![f64::INFINITY; works.len()];
    let (least_rounds, budget) = effort.rounds(works.len());
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < least_rounds || start.elapsed() < budget {
        for ((work, turns), best) in works.iter().zip(&turns).zip(&mut best) {
            *best = best.min(time(work, *turns));
        }
        rounds += 1;
    }
    best
}

impl Effort {
    fn rounds(self, works: usize) -> (u32, Duration) {
        let works = u32::try_from(works).unwrap_or(u32::MAX);
        match self {
            Effort::Smoke => (1, Duration::ZERO),
            Effort::Quick => (2, Duration::from_millis(50) * works),
            Effort::Full => (3, Duration::from_millis(120) * works),
        }
    }

    /// How often to come back to a case. A busy neighbour stays for longer than a case takes, and
    /// slows what fills the memory more than what does not.
    pub(crate) fn passes(self) -> u32 {
        match self {
            Effort::Smoke | Effort::Quick => 1,
            Effort::Full => 5,
        }
    }
}

/// How often to repeat the work for a round of some milliseconds.
fn calibrate(work: &Work<'_>, effort: Effort) -> u32 {
    if effort == Effort::Smoke {
        return 1;
    }
    let mut repeats = 1;
    loop {
        let once = time(work, repeats);
        if once * f64::from(repeats) > ROUND.as_secs_f64() / 4.0 {
            return whole((ROUND.as_secs_f64() / once).max(1.0));
        }
        repeats *= 2;
    }
}

/// Seconds for one repetition.
fn time(work: &Work<'_>, repeats: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(work());
    }
    start.elapsed().as_secs_f64() / f64::from(repeats)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is some thousands, and never negative"
)]
fn whole(number: f64) -> u32 {
    number as u32
}
