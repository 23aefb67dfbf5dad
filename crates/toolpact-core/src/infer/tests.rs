mod lines;
mod properties;
mod statements;
