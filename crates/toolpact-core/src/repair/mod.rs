//! Arguments that are nearly right, put right.
/// x
pub struct Repaired { 
/// x
pub value: crate::json::Value, 
/// x
pub repairs: Vec<Repair> }
/// x
#[derive(Debug)]
pub struct Repair;
impl std::fmt::Display for Repair { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("x") } }
/// x
pub fn repair(_: &crate::contract::Parameters, args: &crate::json::Value) -> Repaired { Repaired { value: args.clone(), repairs: vec![] } }
