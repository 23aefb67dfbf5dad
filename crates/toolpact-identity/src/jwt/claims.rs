//! Claims that were verified, and the principal that they describe.

use toolpact::Principal;
use toolpact::core::ANONYMOUS;
use toolpact::core::json::{Kind, Node, Value};

use super::parts::Why;
use crate::ClaimNames;

/// Longest name that is taken over.
const LONGEST: usize = 256;

/// Most groups that are taken over.
const MOST_GROUPS: usize = 1000;

/// Claims about the token rather than its principal: they differ between two tokens of the same.
const OF_TOKEN: [&str; 8] = [
    "exp",
    "nbf",
    "iat",
    "jti",
    "auth_time",
    "nonce",
    "at_hash",
    "c_hash",
];

/// The principal that claims describe.
pub(super) fn principal(
    issuer: &str,
    claims: &Value,
    names: &ClaimNames,
) -> Result<Principal, Why> {
    let root = claims.root();
    if root.get("cnf").is_some() {
        return Err("the token is bound to a key of its client, which cannot be checked here");
    }
    let name = text(find(root, &names.name)).filter(|name| name != ANONYMOUS);
    let name = name.ok_or("the token has no name for its principal")?;
    let mut principal = Principal::new(name).issued_by(issuer);
    if let Some(tenant) = names.tenant.as_deref().and_then(|name| find(root, name)) {
        let tenant = text(Some(tenant)).ok_or("the tenant in the token is no name")?;
        principal = principal.with_tenant(tenant);
    }
    if let Some(groups) = find(root, &names.groups) {
        principal = principal.groups(texts(groups)?);
    }
    Ok(match about_principal(root) {
        Some(claims) => principal.with_claims(claims),
        None => principal,
    })
}

/// When a token ends, in seconds since 1970.
pub(super) fn expires(claims: &Value) -> Option<f64> {
    let expires = claims.root().get("exp")?.as_number()?.as_f64();
    expires.is_finite().then_some(expires)
}

/// A claim by its name, or by a JSON Pointer.
fn find<'v>(claims: Node<'v>, name: &str) -> Option<Node<'v>> {
    let Some(path) = name.strip_prefix('/') else {
        return claims.get(name);
    };
    let mut keys = path.split('/');
    keys.try_fold(claims, |node, key| {
        let key = key.replace("~1", "/").replace("~0", "~");
        (node.kind() == Kind::Object)
            .then(|| node.get(&key))
            .flatten()
    })
}

fn text(node: Option<Node<'_>>) -> Option<String> {
    let text = node?.as_str()?;
    let is_name = !text.is_empty() && text.len() <= LONGEST && !text.chars().any(char::is_control);
    is_name.then(|| text.into_owned())
}

fn texts(groups: Node<'_>) -> Result<Vec<String>, Why> {
    let groups: Option<Vec<String>> = match groups.kind() {
        Kind::Array => groups.items().map(|group| text(Some(group))).collect(),
        _ => text(Some(groups)).map(|group| vec![group]),
    };
    let groups = groups.filter(|groups| groups.len() <= MOST_GROUPS);
    groups.ok_or("the groups in the token are no names")
}

fn about_principal(claims: Node<'_>) -> Option<Value> {
    let kept = claims
        .members()
        .filter(|(key, _)| !OF_TOKEN.contains(&&**key));
    let kept = kept.map(|(key, value)| format!("{}:{}", Value::from(&*key), value.text()));
    Value::from_json(format!("{{{}}}", kept.collect::<Vec<_>>().join(","))).ok()
}
