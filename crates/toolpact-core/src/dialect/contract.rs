//! Contracts, bare or in a contract document.

use crate::contract::Contract;

use super::spec::{Claim, Evidence, List, Spec};

pub(super) const SPEC: Spec = Spec {
    layout: None,
    list: List::Between(r#"{"toolpact":1,"tools":["#, "]}"),
    read: |node, _, _| Contract::from_value(&node.to_value()),
    claims: |one| {
        let is_list = one
            .tool
            .get("parameters")
            .is_some_and(super::shape::is_list);
        let others = ["input", "output"].iter().any(|field| one.has(field));
        let is_tool = one.has("parameters") || one.is_named();
        (one.has("returns") && is_tool && !is_list && !others).then_some(Claim {
            by: Evidence::Fields,
            is_certain: false,
        })
    },
    list_keys: &[],
    input_keys: &["parameters"],
    output_keys: &["returns"],
    messages: None,
    any_name: false,
    limits: None,
};
