//! [`ToolError`] as an error like any other, for functions that return boxes.
//!
//! It cannot be one itself: any error becomes one, and that would include itself.

use std::error::Error;
use std::fmt;

use super::ToolError;

/// What callers read, with the cause as its source.
struct Boxed(ToolError);

impl fmt::Display for Boxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Boxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Boxed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0
            .source()
            .map(|source| source as &(dyn Error + 'static))
    }
}

impl From<ToolError> for Box<dyn Error + Send + Sync> {
    fn from(error: ToolError) -> Self {
        Box::new(Boxed(error))
    }
}

impl From<ToolError> for Box<dyn Error> {
    fn from(error: ToolError) -> Self {
        Box::new(Boxed(error))
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use crate::ToolError;

    #[test]
    fn it_can_be_boxed() {
        let error = ToolError::internal("the disk is full");
        let boxed: Box<dyn Error> = error.into();
        assert_eq!(boxed.to_string(), "INTERNAL_ERROR: The tool failed.");
        assert_eq!(boxed.source().unwrap().to_string(), "the disk is full");
    }
}
