mod lines;
mod properties;
mod statements;
mod widening;
