//! Numbers within their limits.

use toolpact_core::schema::view::View;
use toolpact_core::schema::{JsonType, Keyword};

use crate::words;

/// A number as JSON, one more for each variant.
pub(super) fn make(view: &View<'_>, variant: usize) -> Option<String> {
    let limits = Limits::of(view);
    let candidates = limits.candidates(variant).into_iter();
    let found = candidates
        .filter(|n| n.abs() < EXACT)
        .find(|n| limits.fit(*n));
    found.map(|n| n.to_string()).or_else(|| {
        let limits = [Keyword::Minimum, Keyword::Maximum].into_iter();
        let mut limits = limits.filter_map(|keyword| view.get(keyword));
        limits.next().map(|part| part.node().text().to_owned())
    })
}

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
            numbers.map(toolpact_core::json::Number::as_f64)
        };
        let whole = (words::types(view).first() == Some(&JsonType::Integer)).then_some(1.0);
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

    fn fit(&self, n: f64) -> bool {
        let steps = n / self.step.unwrap_or(1.0);
        let is_step = self.step.is_none() || (steps - steps.round()).abs() < 1e-9;
        let is_within = self.least <= n && n <= self.most && self.above < n && n < self.below;
        n.is_finite() && is_within && is_step
    }
}
