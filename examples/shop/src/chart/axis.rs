/// The numbers at the side of a chart: round ones, four to ten of them.
pub(super) struct Axis {
    /// In cents.
    step: i64,
    count: i64,
}

/// The smallest step is a euro.
const SMALLEST: i64 = 100;

impl Axis {
    /// An axis that reaches this many cents.
    pub(super) fn up_to(most: i64) -> Self {
        let most = most.max(SMALLEST);
        let mut step = SMALLEST;
        for factor in [2, 5, 10].into_iter().cycle() {
            // 1, 2, 5, 10, 20, 50 …
            let decade = power_of_ten(step);
            if most / step < 8 {
                break;
            }
            step = decade.saturating_mul(factor);
        }
        Self {
            step,
            count: most.div_euclid(step) + i64::from(most % step != 0),
        }
    }

    /// The highest number, in cents.
    pub(super) fn top(&self) -> i64 {
        self.step.saturating_mul(self.count).max(1)
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = i64> + use<> {
        let step = self.step;
        (0..=self.count).map(move |n| step.saturating_mul(n))
    }

    /// As people write it: `12 000`, or `12k` where that would be long.
    pub(super) fn label(&self, cents: i64) -> String {
        let euros = cents / 100;
        match euros {
            1_000_000.. if self.step % 100_000_000 == 0 => format!("{}M", euros / 1_000_000),
            1_000.. if self.step % 100_000 == 0 => format!("{}k", euros / 1000),
            _ => euros.to_string(),
        }
    }
}

fn power_of_ten(step: i64) -> i64 {
    let mut power = 1;
    while power <= step / 10 {
        power *= 10;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn labels(most: i64) -> Vec<String> {
        let axis = Axis::up_to(most);
        axis.steps().map(|step| axis.label(step)).collect()
    }

    #[test]
    fn numbers_are_round_and_few() {
        assert_eq!(labels(0), ["0", "1"]);
        assert_eq!(labels(750), ["0", "1", "2", "3", "4", "5", "6", "7", "8"]);
        assert_eq!(
            labels(1_234_500),
            ["0", "2k", "4k", "6k", "8k", "10k", "12k", "14k"]
        );
        for most in (0..60).map(|power| 1i64 << power).chain([i64::MAX]) {
            let axis = Axis::up_to(most);
            assert!(axis.top() >= most.min(i64::MAX - 1), "{most}");
            assert!(axis.steps().count() <= 10, "{most}");
        }
    }
}
