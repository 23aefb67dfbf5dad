//! The calls that the help and the pages show, as a reader would try them.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::run::{Folder, Ran, cleaned, repository, run};

/// The shop, served for as long as this lives.
struct Shop(Child, String);

impl Shop {
    fn serve(folder: &Folder) -> Self {
        let mut command = folder.command(["serve", "--listen", "127.0.0.1:0"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shop = Self(command.spawn().unwrap(), String::new());
        let mut first = String::new();
        BufReader::new(shop.0.stdout.as_mut().unwrap())
            .read_line(&mut first)
            .unwrap();
        first
            .trim()
            .rsplit(' ')
            .next()
            .unwrap()
            .clone_into(&mut shop.1);
        assert!(shop.1.starts_with("http://"), "{first}");
        shop
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// In a shell that finds the program by its name, beside the examples.
fn shell(folder: &Folder, line: &str) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_toolpact"));
    let mut path = vec![program.parent().unwrap().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let mut command = cleaned(Command::new("sh"));
    command.args(["-c", line]).current_dir(folder.path("desk"));
    command.env("PATH", env::join_paths(path).unwrap());
    run(command)
}

/// The lines that make a call.
fn calls(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| line.starts_with("toolpact call "))
        .collect()
}

#[test]
fn calls_that_are_shown_work() {
    let orders = "customer,product,quantity\nC-117,TEA-001,1\n";
    let folder = Folder::new().file("desk/orders.csv", orders);
    symlink(repository().join("examples"), folder.path("desk/examples")).unwrap();
    let shop = Shop::serve(&folder);
    let help = folder.run(["call", "--help"]).stdout;
    let page = fs::read_to_string(repository().join("docs/serve.md")).unwrap();
    let (help, page) = (calls(&help), calls(&page));
    assert!(help.len() >= 3 && !page.is_empty(), "{help:?} {page:?}");
    for line in help.into_iter().chain(page) {
        let server = format!("toolpact call --server {} ", shop.1);
        let there = match line.contains("--tools") {
            true => line.to_owned(),
            false => line.replacen("toolpact call ", &server, 1),
        };
        let ran = shell(&folder, &there);
        assert_eq!(ran.status, 0, "{line}\n{ran:#?}");
        // A page without orders would be no example.
        assert!(
            !line.contains("search") || ran.stdout.contains("O-"),
            "{ran:#?}"
        );
    }
}
