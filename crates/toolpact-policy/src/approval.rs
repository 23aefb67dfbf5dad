//! Who is asked where a policy says so.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_core::Principal;

use crate::guard::Asks;
use crate::principal_id::principal_id;

/// Who is asked where a policy says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Approval {
    /// The user of the client alone.
    Client(ClientApproval),
    /// People who have the right.
    People(PeopleApproval),
}

/// The user of the client, by an elicitation. The client is trusted to really ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientApproval {
    /// `client`.
    Client,
}

/// Calls are held until someone with the right has decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeopleApproval {
    /// Whether the user of the client is asked instead, if the client can ask. It is trusted to really ask.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub client: bool,
    /// How calls are held, and who decides.
    pub held: HeldApproval,
}

/// How calls are held, and who decides about them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeldApproval {
    /// Who may approve and deny. Nobody may decide about their own calls, or about those of another tenant.
    pub approvers: Approvers,
    /// After how many milliseconds a call that nobody has decided about is denied: 300,000 without this.
    #[serde(default = "timeout_ms")]
    pub timeout_ms: NonZeroU64,
    /// Most calls that are held at once: 100 without this. Others are refused.
    #[serde(default = "most")]
    pub most: NonZeroUsize,
    /// Most calls of one principal that are held at once: 10 without this.
    #[serde(default = "most_per_principal")]
    pub most_per_principal: NonZeroUsize,
    /// The arguments whose values approvers do not see, at every depth and whatever the case of their names, besides
    /// those that the audit leaves out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redact: Vec<String>,
}

/// Who may decide about calls that are held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(extend("minProperties" = 1))]
pub struct Approvers {
    /// Those in one of these groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub groups: Vec<String>,
    /// These, besides those in the groups, as policies name them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub principals: Vec<String>,
}

fn timeout_ms() -> NonZeroU64 {
    const { NonZeroU64::new(300_000).unwrap() }
}

fn most() -> NonZeroUsize {
    const { NonZeroUsize::new(100).unwrap() }
}

fn most_per_principal() -> NonZeroUsize {
    const { NonZeroUsize::new(10).unwrap() }
}

impl Approval {
    /// Who is asked.
    #[must_use]
    pub fn asks(&self) -> Asks {
        match self {
            Approval::Client(_) => Asks::Caller,
            Approval::People(people) if people.client => Asks::CallerOrApprover,
            Approval::People(_) => Asks::Approver,
        }
    }

    /// How calls are held, if they are.
    #[must_use]
    pub fn held(&self) -> Option<&HeldApproval> {
        match self {
            Approval::Client(_) => None,
            Approval::People(people) => Some(&people.held),
        }
    }
}

impl HeldApproval {
    /// How long a call is held.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms.get())
    }
}

impl Approvers {
    /// Whether a principal is one of them. Who has shown nothing cannot be told apart from others who have shown
    /// nothing, and is none.
    #[must_use]
    pub fn include(&self, principal: &Principal) -> bool {
        let is_named = || {
            let id = principal_id(principal);
            self.principals.contains(&id)
        };
        let is_in_group = || self.groups.iter().any(|group| principal.is_in(group));
        !principal.is_anonymous() && (is_in_group() || is_named())
    }

    /// Whether one may decide about a call of another: their own calls are for others to decide, and those of another
    /// tenant do not concern them.
    #[must_use]
    pub fn may_decide(&self, approver: &Principal, caller: &Principal) -> bool {
        self.may_see(approver, caller) && approver != caller
    }

    /// Whether one may know of a call of another.
    #[must_use]
    pub fn may_see(&self, approver: &Principal, caller: &Principal) -> bool {
        self.include(approver) && approver.tenant() == caller.tenant()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolpact_core::Principal;

    use super::{Approval, Approvers, Asks};

    fn read(json: serde_json::Value) -> Approval {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn all_forms_are_read_and_written() {
        let held = json!({"approvers": {"groups": ["leads"]}, "timeout_ms": 5, "most": 2, "most_per_principal": 1});
        for (form, asks) in [
            (json!("client"), Asks::Caller),
            (json!({"held": held}), Asks::Approver),
            (
                json!({"client": true, "held": held}),
                Asks::CallerOrApprover,
            ),
        ] {
            let approval = read(form.clone());
            assert_eq!(approval.asks(), asks);
            assert_eq!(serde_json::to_value(&approval).unwrap(), form);
        }
    }

    #[test]
    fn who_may_decide() {
        let approvers = Approvers {
            groups: vec!["leads".to_owned()],
            principals: vec![
                "bob".to_owned(),
                "|acme|eve".to_owned(),
                "anonymous".to_owned(),
            ],
        };
        let acme = |name: &str| Principal::new(name).with_tenant("acme");
        let (ada, lead) = (
            Principal::new("ada"),
            Principal::new("lead").groups(["leads"]),
        );
        let (bob, eve) = (Principal::new("bob"), acme("eve"));
        for (approver, caller, may) in [
            (&lead, &ada, true),
            (&bob, &ada, true),
            (&bob, &bob, false),
            (&lead, &lead.clone().groups([""; 0]), false),
            (&ada, &bob, false),
            (&bob, &Principal::anonymous(), true),
            (&Principal::anonymous(), &bob, false),
            (&lead, &acme("ada"), false),
            (&eve, &acme("ada"), true),
            (&eve, &ada, false),
            (&eve, &Principal::new("ada").with_tenant("other"), false),
            // The same name with another issuer is somebody else.
            (&bob.clone().issued_by("x"), &ada, false),
        ] {
            assert_eq!(
                approvers.may_decide(approver, caller),
                may,
                "{approver:?} {caller:?}"
            );
        }
    }
}
