//! What has to come of a call, by asking the policies.

use serde_json::{Value as Json, json};
use toolpact::Session;
use toolpact_core::json::Value;
use toolpact_policy::{CallFacts, Policies, Verdict};
use toolpact_serve::Config;

use super::people::Person;
use super::place::Place;

pub(super) struct Oracle {
    policies: Policies,
    /// All tools, whoever sees them.
    session: Session,
    _runtime: tokio::runtime::Runtime,
}

/// What has to come of a call.
#[derive(Debug)]
pub(super) struct Expected {
    verdict: Verdict,
    sees: bool,
}

impl Oracle {
    pub(super) fn of(place: &Place) -> Self {
        let config = Config::from_file(&place.folder().path("toolpact.yaml")).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let loaded = runtime.block_on(toolpact_serve::load(&config)).unwrap();
        assert_eq!(loaded.wrong, Vec::<String>::new());
        Self {
            policies: Policies::read(config.policy.as_ref().unwrap()).unwrap(),
            session: loaded.session,
            _runtime: runtime,
        }
    }

    pub(super) fn sees(&self, person: &Person, tool: &str) -> bool {
        let tool = self.session.get(tool).unwrap();
        self.policies.may_call(&person.principal, tool)
    }

    pub(super) fn verdict(&self, person: &Person, tool: &str, args: &Json) -> Expected {
        let args = Value::from_json(args.to_string()).unwrap();
        let facts = CallFacts {
            principal: &person.principal,
            args: &args,
            session: 1,
            client: None,
        };
        let registered = self.session.get(tool).unwrap();
        Expected {
            verdict: self.policies.decide(registered, facts),
            sees: self.sees(person, tool),
        }
    }
}

impl Expected {
    pub(super) fn is_allowed(&self) -> bool {
        self.verdict.outcome.as_str() == "allow"
    }

    pub(super) fn is_hidden(&self) -> bool {
        !self.sees
    }

    /// The code of the error, or `ok`. Nobody is there to be asked.
    pub(super) fn code(&self) -> &'static str {
        match (self.is_allowed(), self.sees) {
            (true, _) => "ok",
            (false, true) => "FORBIDDEN_ACCESS",
            (false, false) => "NOT_FOUND_ENDPOINT",
        }
    }

    /// The line that the call leaves in the audit.
    pub(super) fn line(&self, person: &Person, tool: &str) -> Json {
        let principal = &person.principal;
        let mut who = json!({"name": principal.name()});
        let more = [
            ("issuer", principal.issuer()),
            ("tenant", principal.tenant()),
        ];
        for (key, value) in more {
            if let Some(value) = value {
                who[key] = value.into();
            }
        }
        let mut decision = json!({"verdict": match self.verdict.outcome.as_str() {
            "allow" => "allowed",
            "ask" => "not_approved",
            _ => "denied",
        }});
        if !self.verdict.policies.is_empty() {
            decision["policies"] = json!(self.verdict.policies);
        }
        json!({
            "principal": if principal.is_anonymous() { Json::Null } else { who },
            "tool": tool,
            "outcome": if self.is_allowed() { "SUCCESS" } else { self.code() },
            "decision": if self.is_hidden() { Json::Null } else { decision },
        })
    }
}
