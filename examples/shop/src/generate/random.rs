/// Numbers that look random and are the same for the same seed, on every machine (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one; 0 if there is none.
    pub(super) fn below(&mut self, end: i64) -> i64 {
        let end = u64::try_from(end).unwrap_or(0).max(1);
        i64::try_from(self.next() % end).unwrap_or(0)
    }

    /// Both ends can come.
    pub(super) fn between(&mut self, first: i64, last: i64) -> i64 {
        first + self.below(last - first + 1)
    }

    /// So many times in a hundred.
    pub(super) fn chance(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let place = self.below(i64::try_from(from.len()).unwrap_or(i64::MAX));
        from.get(usize::try_from(place).ok()?)
    }

    /// The first ones come more often than the last ones.
    pub(super) fn favour<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let length = i64::try_from(from.len()).unwrap_or(i64::MAX);
        let place = self.below(length).min(self.below(length));
        from.get(usize::try_from(place).ok()?)
    }
}
