use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::{ErrorKind, Level, StandardError};

use crate::Host;

/// A few tools of a shop, with answers that are written down.
pub(super) struct Shop {
    contracts: BTreeMap<String, Arc<Contract>>,
    answers: BTreeMap<String, Value>,
    /// The calls in the order they were made: tool and arguments.
    pub(super) calls: Mutex<Vec<(String, String)>>,
}

/// Name, what it returns, and one such result.
const TOOLS: [(&str, &str, &str); 9] = [
    (
        "search_orders",
        r#"{"type": "ListResult", "schema": {"type": "object", "properties": {"data": {"items": {
            "type": "object", "properties": {"id": {"type": "integer"}, "total": {"type": "number"}}
        }}}}}"#,
        r#"{"success": true, "data": [{"id": 7, "total": 1.50}, {"id": 9007199254740993}]}"#,
    ),
    (
        "get_customer",
        r#"{"type": "object", "additionalProperties": false, "required": ["name"],
            "properties": {"name": {"type": "string"}, "odd key": {}, "tags": {
                "type": "array", "prefixItems": [{"type": "string"}], "items": false}}}"#,
        r#"{"name": "Ada \"the\" Countess\n", "odd key": null, "tags": ["vip"]}"#,
    ),
    ("slug_of", r#""StringValue""#, r#""ada""#),
    (
        "list_all",
        r#""ListResult""#,
        r#"{"success": true, "data": []}"#,
    ),
    ("read_page", r#""opaque""#, r#""Some text""#),
    ("send_mail", r#""VoidResult""#, r#"{"success": true}"#),
    (
        "tree",
        r##"{"type": "object", "properties": {"left": {"$ref": "#"}, "leaf": {"type": ["string", "null"]}},
            "additionalProperties": false}"##,
        r#"{"left": {"leaf": "x"}}"#,
    ),
    (
        "either",
        r#"{"anyOf": [
            {"type": "object", "properties": {"a": {}}, "additionalProperties": false},
            {"allOf": [{"type": "object", "properties": {"b": {"const": 1}}}, {"properties": {"c": {}}}]},
            {"type": "array", "maxItems": 2}
        ]}"#,
        r#"{"b": 1}"#,
    ),
    ("old", "", r#"{"anything": true}"#),
];

impl Shop {
    pub(super) fn new() -> Self {
        let (mut contracts, mut answers) = (BTreeMap::new(), BTreeMap::new());
        for (name, returns, answer) in TOOLS {
            let returns = match returns {
                "" => String::new(),
                returns => format!(r#", "returns": {returns}"#),
            };
            let contract = Contract::from_json(format!(
                r#"{{"name": "{name}", "description": "A tool.", "parameters": {{"type": "object"}}{returns}}}"#
            ));
            contracts.insert(name.to_owned(), Arc::new(contract.unwrap()));
            answers.insert(name.to_owned(), Value::from_json(answer).unwrap());
        }
        let calls = Mutex::default();
        Self {
            contracts,
            answers,
            calls,
        }
    }

    /// The arguments that a tool was called with, the first time.
    pub(super) fn args_of(&self, tool: &str) -> String {
        let calls = self.calls.lock().unwrap();
        let call = calls.iter().find(|(called, _)| called == tool);
        call.map(|(_, args)| args.clone()).unwrap_or_default()
    }
}

impl Host for Shop {
    fn contract(&self, tool: &str) -> Option<Arc<Contract>> {
        self.contracts.get(tool).cloned()
    }

    fn names(&self) -> Vec<String> {
        self.contracts.keys().cloned().collect()
    }

    /// An argument `fail` makes the call fail.
    async fn call(&self, tool: &str, args: Value) -> Result<Value, StandardError> {
        let call = (tool.to_owned(), args.text().to_owned());
        self.calls.lock().unwrap().push(call);
        tokio::task::yield_now().await;
        if let Some(reason) = args.root().get("fail") {
            let reason = reason.as_str().unwrap_or_default();
            return Err(StandardError::new(ErrorKind::NotFound, &reason));
        }
        let enforcer = self.contracts[tool].returns().enforcer(Level::Meaning);
        enforcer.check(&self.answers[tool]).unwrap();
        Ok(self.answers[tool].clone())
    }
}
