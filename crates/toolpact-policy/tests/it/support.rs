//! A registry with tools, guarded by policies.

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Call, Context, Definition, Principal, Registry, Session, ToolError};
use toolpact_policy::{Catalogue, Policies, PolicyConfig, PolicyGuard, PolicyOutcome, Verdict};

/// Tools of a desk, as contracts without a body.
pub(crate) const DESK: &str = r#"[
  {"name": "search_tickets", "description": "Finds tickets.", "returns": "opaque",
   "effects": {"read_only": true},
   "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
  {"name": "refund", "description": "Pays back.", "returns": "opaque",
   "effects": {"destructive": true, "read_only": false},
   "parameters": {"type": "object", "required": ["amount", "order"], "properties": {
     "amount": {"type": "integer"}, "order": {"type": "string"},
     "reason": {"type": ["string", "null"]}, "share": {"type": "number"},
     "labels": {"type": "array", "items": {"type": "string"}},
     "customer": {"type": "object", "properties": {"country": {"type": "string"}, "age": {"type": "integer"}},
                  "required": ["country"]},
     "anything": {}}}},
  {"name": "delete_ticket", "description": "Deletes one.", "returns": "opaque",
   "effects": {"destructive": true},
   "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}}
]"#;

pub(crate) struct Desk {
    pub(crate) registry: Registry,
    pub(crate) guard: PolicyGuard,
}

impl Desk {
    /// The tools without a toolset, and those of `shop`, guarded by these policies.
    pub(crate) fn new(policies: &str) -> Self {
        let guard = PolicyGuard::default();
        let registry = Registry::builder()
            .guard(guard.clone())
            .tool_filter(guard.clone())
            .build();
        registry.add_all(tools()).unwrap();
        registry.toolset("shop").unwrap().add_all(tools()).unwrap();
        guard.replace(read(policies));
        registry.refresh();
        Self { registry, guard }
    }

    pub(crate) fn catalogue(&self) -> Catalogue {
        Catalogue::of_tools(&self.registry.list())
    }

    pub(crate) fn replace(&self, policies: &str) {
        self.guard.replace(read(policies));
        self.registry.refresh();
    }

    fn session(&self, principal: &Principal) -> Session {
        let session = self.registry.session().qualified();
        session.principal(principal.clone()).open().unwrap()
    }

    /// The names that a principal is shown.
    pub(crate) fn names(&self, principal: &Principal) -> Vec<String> {
        let session = self.session(principal);
        session.names().map(ToOwned::to_owned).collect()
    }

    /// Calls a tool, and returns `ok` or the code of the error.
    pub(crate) fn call(&self, principal: &Principal, tool: &str, args: &str) -> String {
        let session = self.session(principal);
        let call = Call::new(tool, Value::from_json(args).unwrap());
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let completed = runtime.block_on(session.call(call));
        completed
            .error()
            .map_or_else(|| "ok".to_owned(), |error| error.code().to_owned())
    }

    /// What the policies say about a call.
    pub(crate) fn verdict(&self, principal: &Principal, tool: &str, args: &str) -> Verdict {
        let tools = self.registry.list();
        let name = |one: &toolpact::registry::RegisteredTool| match one.toolset() {
            "" => one.contract().name().to_string(),
            toolset => format!("{toolset}__{}", one.contract().name()),
        };
        let tool = tools.iter().find(|one| name(one) == tool).unwrap();
        let args = Value::from_json(args).unwrap();
        let facts = toolpact_policy::CallFacts {
            principal,
            args: &args,
            session: 7,
            client: None,
        };
        self.guard.policies().unwrap().decide(tool, facts)
    }

    /// `allow`, `deny` or `ask`.
    pub(crate) fn outcome(&self, principal: &Principal, tool: &str, args: &str) -> &'static str {
        self.verdict(principal, tool, args).outcome.as_str()
    }
}

pub(crate) fn tools() -> Vec<Definition> {
    let contracts = Value::from_json(DESK).unwrap();
    let body = |args: Value, _: Context| async move { Ok::<Value, ToolError>(args) };
    let contracts = contracts
        .root()
        .items()
        .map(|one| Contract::from_json(one.text()).unwrap());
    contracts
        .map(|contract| Definition::new(contract, body))
        .collect()
}

/// Policies from a text, as if it were a file.
pub(crate) fn read(text: &str) -> Policies {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let folder = std::env::temp_dir().join(format!("toolpact-policy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("{number}.cedar");
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    let config = PolicyConfig {
        files: vec![file.clone()],
        ..PolicyConfig::default()
    };
    let policies = Policies::read(&config);
    std::fs::remove_file(file).ok();
    policies.unwrap()
}

pub(crate) fn ada() -> Principal {
    Principal::new("ada").groups(["support"])
}

pub(crate) fn asked(verdict: &Verdict) -> &str {
    match &verdict.outcome {
        PolicyOutcome::Ask(question) => question,
        other => panic!("expected a question, found {other:?}"),
    }
}
