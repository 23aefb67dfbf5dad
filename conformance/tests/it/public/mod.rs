//! Tools that nobody here wrote: those of public MCP servers, and the operations of public APIs. All of them are read and
//! checked. They are written in every dialect, checked and read back, documented and declared; of the operations, a sample,
//! unless nobody but us reads the dialect.

mod everywhere;
mod findings;
mod lint;
mod memory;
mod pages;
mod source;
mod table;

pub(crate) use source::{Source, documents, servers};

/// In one test, since the servers have to be started for each.
#[test]
fn tools_are_read_checked_and_documented() {
    let (Some(servers), Some(documents)) = (servers(), documents()) else {
        return;
    };
    let sources: Vec<Source> = servers.into_iter().chain(documents).collect();
    are_read(&sources);
    findings::are_worth_acting_on(&sources);
    lint::is_seldom_wrong(&sources);
    pages::have_calls(&sources);
}

/// What is left out on the way in is in the table, with the reason.
fn are_read(sources: &[Source]) {
    let mut text = String::new();
    for source in sources {
        for (name, reason) in &source.left_out {
            text += &format!("{} {name}\n    {reason}\n", source.name);
        }
        let read = source.contracts.len() + source.left_out.len();
        assert_eq!(read, source.tools, "{}", source.name);
    }
    table::compare("not-read.txt", &text);
}
