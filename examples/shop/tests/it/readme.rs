//! What the README says is so.

use std::path::Path;

use serde_json::Value as Json;
use toolpact::core::returns::Returns;
use toolpact_shop::Shop;

use crate::support::{call, session, shop};

const README: &str = include_str!("../../README.md");

#[tokio::test]
async fn its_commands_print_what_it_shows() {
    let dir = tempfile::tempdir().unwrap();
    let session = session(&Shop::open(dir.path()).unwrap());
    let block = README.split("```console\n").nth(1).unwrap();
    let block = block.split("```").next().map(str::trim_end).unwrap();
    let commands: Vec<&str> = block.split("$ ").skip(1).collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        let (line, shown) = command.split_once('\n').unwrap();
        let (_, line) = line.split_once(" /tmp/shop ").unwrap();
        let (tool, args) = line.split_once(' ').unwrap();
        let args: Json = serde_json::from_str(args.trim_matches('\'')).unwrap();
        let text = call(&session, tool, args).await.text();
        assert_eq!(text.trim_end(), shown.trim_end());
    }
}

#[test]
fn its_table_has_every_tool_with_what_it_returns_and_where_it_is() {
    let shop = shop();
    let rows = README.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(names, shop.session.names().collect::<Vec<_>>());
    for ((name, contract), row) in shop.session.contracts().zip(&rows) {
        let Returns::Standard { standard, .. } = contract.returns() else {
            panic!("{name}");
        };
        assert_eq!(row[2], standard.name(), "{name}");
        let file = row[3].trim_end_matches(" |").trim_matches('`');
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
        let source = std::fs::read_to_string(file).unwrap();
        assert!(source.contains(&format!("fn {name}(")), "{name}");
    }
}
