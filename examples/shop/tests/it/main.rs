//! Every tool of the shop, called as an agent would call it.

mod backups;
mod catalogue;
mod changes;
mod contracts;
mod hostile;
mod imports;
mod killed;
mod opening;
mod operations;
mod orders;
mod reports;
mod support;
mod watching;
mod writers;
