//! Numbers within their limits.

use crate::json::Number;
use crate::schema::view::View;
use crate::schema::{JsonType, Keyword};

use super::Random;
use super::make::Variety;

/// A number as JSON, one more for each variant.
pub(super) fn make(view: &View<'_>, variant: usize) -> Option<String> {
    let limits = Limits::of(view);
    let candidates = limits.candidates(variant).into_iter();
    let found = candidates
        .filter(|n| n.abs() < EXACT)
        .find(|n| limits.fit(*n));
    found.map(|n| n.to_string()).or_else(|| as_written(view))
}

/// A random number as JSON: a small one, one in the middle, one at a limit.
pub(super) fn random(view: &View<'_>, random: &mut Random, variety: Variety) -> Option<String> {
    let limits = Limits::of(view);
    let mut candidates = limits.random(random, variety);
    // The usual ones are tried last, because one of them nearly always fits.
    let last = limits.candidates(random.below(10));
    candidates.extend(last);
    let first = random.below(RANDOM);
    let tried = candidates.iter().cycle().skip(first).take(candidates.len());
    let mut tried = tried.filter(|n| n.abs() < EXACT);
    let found = tried.find(|n| limits.fit(**n));
    found.map(ToString::to_string).or_else(|| as_written(view))
}

/// A limit itself, which may be too large for a float.
fn as_written(view: &View<'_>) -> Option<String> {
    let limits = [Keyword::Minimum, Keyword::Maximum].into_iter();
    let mut limits = limits.filter_map(|keyword| view.get(keyword));
    limits.next().map(|part| part.node().text().to_owned())
}

/// How many random numbers are considered.
const RANDOM: usize = 10;

/// Beyond this, the limit as written is more exact than a float. Below it, Rust writes whole floats
/// as integers, without exponents.
const EXACT: f64 = 1e15;

struct Limits {
    least: f64,
    most: f64,
    above: f64,
    below: f64,
    step: Option<f64>,
}

impl Limits {
    fn of(view: &View<'_>) -> Self {
        let all = |keyword: Keyword| {
            let numbers = view.all(keyword).filter_map(|part| part.node().as_number());
            numbers.map(Number::as_f64)
        };
        let whole = (view.meant_types().first() == Some(&JsonType::Integer)).then_some(1.0);
        Self {
            least: all(Keyword::Minimum).fold(f64::NEG_INFINITY, f64::max),
            most: all(Keyword::Maximum).fold(f64::INFINITY, f64::min),
            above: all(Keyword::ExclusiveMinimum).fold(f64::NEG_INFINITY, f64::max),
            below: all(Keyword::ExclusiveMaximum).fold(f64::INFINITY, f64::min),
            step: all(Keyword::MultipleOf).next().or(whole),
        }
    }

    /// Numbers that may fit, the most readable first.
    fn candidates(&self, variant: usize) -> Vec<f64> {
        #[expect(clippy::cast_precision_loss, reason = "there are few variants")]
        let shift = variant as f64;
        let step = self.step.unwrap_or(1.0);
        let (low, high) = (self.least.max(self.above), self.most.min(self.below));
        let from_low = (low / step).floor();
        let to_high = (high / step).ceil();
        vec![
            1.0 + shift,
            10.0 + shift,
            100.0 + shift,
            low + shift,
            low + 1.0 + shift,
            (from_low + shift) * step,
            (from_low + 1.0 + shift) * step,
            (to_high - shift) * step,
            (to_high - 1.0 - shift) * step,
            high - shift,
            shift,
            f64::midpoint(low, high),
        ]
    }

    /// Random numbers, which may fit: around the limits if there are any, else around zero.
    #[expect(clippy::cast_precision_loss, reason = "they are far below 2^53")]
    fn random(&self, random: &mut Random, variety: Variety) -> Vec<f64> {
        let step = self.step.unwrap_or(match random.below(3) {
            0 => 0.25,
            _ => 1.0,
        });
        let is_near = |n: f64| n.abs() < EXACT;
        let low = Some(self.least.max(self.above)).filter(|n| is_near(*n));
        let high = Some(self.most.min(self.below)).filter(|n| is_near(*n));
        let (low, high) = match (low, high) {
            (Some(low), Some(high)) => (low, high),
            (Some(low), None) => (low, low + 1_000.0 * step),
            (None, Some(high)) => (high - 1_000.0 * step, high),
            (None, None) => (-20.0 * step, 100.0 * step),
        };
        let width = ((high - low) / step).max(0.0);
        let mut between = || {
            let part = random.below(1 << 20) as f64 / f64::from(1 << 20);
            ((low / step).ceil() + (part * width).floor()) * step
        };
        let mut all: Vec<f64> = (0..4).map(|_| between()).collect();
        all.extend([low, high, low + step, high - step, 0.0]);
        all.push(match variety {
            Variety::Usual => 1.0,
            Variety::Unusual => [-1.0, 1e9, -1e12, 0.1][random.below(4)],
        });
        all
    }

    fn fit(&self, n: f64) -> bool {
        let steps = n / self.step.unwrap_or(1.0);
        let is_step = self.step.is_none() || (steps - steps.round()).abs() < 1e-9;
        let is_within = self.least <= n && n <= self.most && self.above < n && n < self.below;
        n.is_finite() && is_within && is_step
    }
}
