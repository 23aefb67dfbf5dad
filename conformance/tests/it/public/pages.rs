//! A page for each tool, with a call that its contract accepts.

use super::Source;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::Level;
use toolpact_core::toolset::Function;
use toolpact_docs::{Docs, html, markdown};

pub(super) fn have_calls(sources: &[Source]) {
    let mut without = Vec::new();
    for source in sources {
        let contracts: Vec<Contract> = source.chosen().cloned().collect();
        let docs = Docs::of(source.name, &contracts);
        assert_eq!(markdown::files(&docs).len(), contracts.len() + 1);
        let whole = html::whole(&docs);
        for (page, contract) in docs.pages().iter().zip(&contracts) {
            assert!(
                whole.contains(&format!("id=\"{}\"", page.slug)),
                "{}",
                page.slug
            );
            match &page.call {
                None => without.push(format!("{} {}", source.name, page.name)),
                Some(call) => accepts(contract, call),
            }
        }
    }
    assert_eq!(without, [""; 0]);
}

fn accepts(contract: &Contract, call: &Value) {
    let function = Function::of_contract(contract, Level::Meaning);
    let args = call.root().get("args").unwrap();
    let name = contract.name();
    assert!(
        function.accepts(args.text().as_bytes()),
        "{name}: {}",
        args.text()
    );
}
