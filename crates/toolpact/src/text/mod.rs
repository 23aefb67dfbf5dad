//! Results as a model reads them.
