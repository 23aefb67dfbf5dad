//! `docs/first-hour.md` as a new user follows it: each file is written, each command is run, and
//! what it prints is compared with the page.

mod page;
mod terminal;

use page::{Page, Step};
use std::path::{Path, PathBuf};
use terminal::Terminal;

#[test]
fn the_page_is_what_happens() {
    let (Some(servers), Some(sdks)) = (
        conformance::suite("mcp-servers").or_leave_out(),
        conformance::suite("provider-sdks").or_leave_out(),
    ) else {
        return;
    };
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = std::fs::read_to_string(repository.join("docs/first-hour.md")).unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::open(home.path(), &programs(&servers));
    terminal.set("PYTHONPATH", &sdks);
    terminal.set("CARGO_NET_OFFLINE", Path::new("true"));
    // The versions that are here already, so that nothing is fetched.
    let lock = std::fs::read_to_string(repository.join("Cargo.lock")).unwrap();
    terminal.write("greeter/Cargo.lock", &lock);
    // The page "Your first tool" builds the same crates there.
    let target = repository.join("target/first-tool/target");
    std::fs::create_dir_all(&target).unwrap();
    std::os::unix::fs::symlink(target, home.path().join("greeter/target")).unwrap();
    let checkout = format!("{}/", repository.display());
    for step in Page::read(&text).steps() {
        match step {
            // The page has the checkout beside the reader's own folders.
            Step::File { name, content } => {
                terminal.write(name, &content.replace("../toolpact/", &checkout));
            }
            Step::Command {
                line,
                status,
                output,
            } => terminal.run(line, *status, output),
        }
    }
}

/// Where the programs of the page are: ours, and those of the servers.
fn programs(servers: &Path) -> Vec<PathBuf> {
    let ours = crate::toolpact::program("toolpact").parent().unwrap();
    vec![ours.to_owned(), servers.join("node_modules/.bin")]
}
