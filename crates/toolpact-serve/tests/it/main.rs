//! A real server and a real client.

mod chains;
mod configs;
mod executors;
mod guards;
mod life;
mod page;
mod routes;
mod support;
