//! The scopes that tools need.

use std::collections::BTreeMap;
use std::sync::Arc;

use toolpact::Principal;
use toolpact::call::{CallGuard, Decision, Proposal};
use toolpact::core::json::{Kind, Node, Value};

use crate::wildcard::matches;

/// Which tools need which scopes, by the names that calls use or patterns of them.
#[derive(Debug, Clone, Default)]
pub struct NeededScopes(Arc<BTreeMap<String, Vec<String>>>);

impl NeededScopes {
    pub(crate) fn new(needed: BTreeMap<String, Vec<String>>) -> Self {
        Self(Arc::new(needed))
    }

    /// Whether no tool needs any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All there are, each once.
    pub(crate) fn all(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.0.values().flatten().map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The scopes that a tool needs: those of every pattern that its name is one of.
    #[must_use]
    pub fn of(&self, tool: &str) -> Vec<&str> {
        let rules = self.0.iter().filter(|(pattern, _)| matches(pattern, tool));
        let mut needed: Vec<&str> = rules.flat_map(|(_, scopes)| scopes).map(|s| &**s).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Whether a principal has all of the scopes that a tool needs.
    #[must_use]
    pub fn allow(&self, tool: &str, principal: &Principal) -> bool {
        let needed = self.of(tool);
        if needed.is_empty() {
            return true;
        }
        let granted = granted(principal.claims());
        needed
            .iter()
            .all(|needed| granted.iter().any(|scope| scope == needed))
    }
}

/// The scopes of a principal: the claim `scope`, texts with spaces between them, or `scp`, which some issuers have
/// instead.
fn granted(claims: Option<&Value>) -> Vec<String> {
    let claims = claims.map(Value::root);
    let of = |key| claims.and_then(|claims| claims.get(key));
    let words = |node: Node<'_>| -> Vec<String> {
        let texts: Vec<_> = match node.kind() {
            Kind::Array => node.items().filter_map(Node::as_str).collect(),
            _ => node.as_str().into_iter().collect(),
        };
        let words = texts.iter().flat_map(|text| text.split(' '));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    of("scope")
        .or_else(|| of("scp"))
        .map(words)
        .unwrap_or_default()
}

/// Denies calls of tools whose scopes their principal does not have, whatever way they come in.
#[derive(Debug, Clone)]
pub struct ScopeGuard(pub NeededScopes);

impl CallGuard for ScopeGuard {
    fn decide<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
    ) -> std::pin::Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        let (toolset, name) = (proposal.toolset(), proposal.contract().name().as_str());
        let name = match toolset {
            "" => name.into(),
            toolset => format!("{toolset}__{name}"),
        };
        let decision = match self.0.allow(&name, proposal.principal()) {
            true => Decision::Allow,
            false => Decision::Deny(denied(&self.0.of(&name))),
        };
        Box::pin(std::future::ready(decision))
    }
}

/// What somebody without the scopes reads.
pub(crate) fn denied(needed: &[&str]) -> String {
    format!(
        "This tool needs a token with the scopes `{}`.",
        needed.join("`, `")
    )
}

#[cfg(test)]
mod tests {
    use super::{NeededScopes, Principal, Value};

    #[test]
    fn all_scopes_of_all_rules_are_needed() {
        let rules = [
            ("orders_*", "read"),
            ("orders_create", "write"),
            ("*", "tools"),
        ];
        let rules = rules.map(|(tool, scope)| (tool.to_owned(), vec![scope.to_owned()]));
        let needed = NeededScopes::new(rules.into());
        assert_eq!(needed.of("orders_create"), ["read", "tools", "write"]);
        assert_eq!(needed.of("other"), ["tools"]);
        for (claims, tool, expected) in [
            (r#"{"scope": "tools read write"}"#, "orders_create", true),
            (r#"{"scope": "tools  read"}"#, "orders_create", false),
            (r#"{"scope": "tools read"}"#, "orders_list", true),
            (r#"{"scp": ["tools", "read"]}"#, "orders_list", true),
            (r#"{"scp": "tools read"}"#, "orders_list", true),
            (r#"{"scope": "tool"}"#, "other", false),
            (r#"{"scope": 1, "scp": ["tools"]}"#, "other", false),
            (r#"{"scope": "TOOLS"}"#, "other", false),
            ("{}", "other", false),
        ] {
            let principal = Principal::new("ada").with_claims(Value::from_json(claims).unwrap());
            assert_eq!(needed.allow(tool, &principal), expected, "{claims} {tool}");
        }
        assert!(!needed.allow("other", &Principal::anonymous()));
        assert!(NeededScopes::default().allow("other", &Principal::anonymous()));
    }
}
