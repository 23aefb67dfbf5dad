/// How much of a promise is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// The schema, literally; formats are annotations.
    Shape,
    /// What the prose promises too, formats included.
    #[default]
    Meaning,
}
