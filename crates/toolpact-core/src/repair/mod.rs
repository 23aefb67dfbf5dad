//! Arguments that are nearly right, put right.
