/// Why there can be no such result.
pub type InvalidResult = crate::Error;
