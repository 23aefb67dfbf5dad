//! Who makes a call.

use std::fmt;
use std::sync::Arc;

use crate::json::Value;

/// Who makes a call: a person or a program, as whoever authenticated it knows it. Cloning is cheap.
///
/// Two are equal if they have the same issuer, tenant and name: a name says nothing without who gave it.
/// Groups and claims may change between two calls of the same principal.
///
/// ```
/// use toolpact_core::Principal;
///
/// let ada = Principal::new("ada").issued_by("https://login.example.com").groups(["support"]);
/// assert!(ada.is_in("support"));
/// assert_ne!(ada, Principal::new("ada"));
/// assert!(Principal::anonymous().is_anonymous());
/// ```
#[derive(Clone, Default)]
pub struct Principal(Option<Arc<Inner>>);

#[derive(Clone)]
struct Inner {
    name: Box<str>,
    issuer: Option<Box<str>>,
    tenant: Option<Box<str>>,
    groups: Vec<Box<str>>,
    claims: Option<Value>,
}

/// What an anonymous principal is called in logs and policies. No other may have this name.
pub const ANONYMOUS: &str = "anonymous";

impl Principal {
    /// Who has shown nothing.
    #[must_use]
    pub const fn anonymous() -> Self {
        Self(None)
    }

    /// The one of this name, in no group and without a tenant.
    pub fn new(name: impl Into<Box<str>>) -> Self {
        Self(Some(Arc::new(Inner {
            name: name.into(),
            issuer: None,
            tenant: None,
            groups: Vec::new(),
            claims: None,
        })))
    }

    /// Who says so, if it is not this server: the issuer of a JWT, the authority of a certificate.
    #[must_use]
    pub fn issued_by(self, issuer: impl Into<Box<str>>) -> Self {
        self.with(|inner| inner.issuer = Some(issuer.into()))
    }

    /// The customer or the team it belongs to.
    #[must_use]
    pub fn with_tenant(self, tenant: impl Into<Box<str>>) -> Self {
        self.with(|inner| inner.tenant = Some(tenant.into()))
    }

    /// The groups it is in.
    #[must_use]
    pub fn groups<N: Into<Box<str>>>(self, groups: impl IntoIterator<Item = N>) -> Self {
        self.with(|inner| inner.groups = groups.into_iter().map(Into::into).collect())
    }

    /// What else its issuer says about it: an object, by the names of claims.
    #[must_use]
    pub fn with_claims(self, claims: Value) -> Self {
        self.with(|inner| inner.claims = Some(claims))
    }

    fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        // An anonymous principal has nothing that could be said about it.
        if let Some(inner) = &mut self.0 {
            change(Arc::make_mut(inner));
        }
        self
    }

    /// Whether it has shown nothing.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        self.0.is_none()
    }

    /// Its name, which is unique for its issuer and tenant.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.as_ref().map_or(ANONYMOUS, |inner| &inner.name)
    }

    /// Who says so, if it is not this server.
    #[must_use]
    pub fn issuer(&self) -> Option<&str> {
        self.0.as_ref()?.issuer.as_deref()
    }

    /// The customer or the team it belongs to.
    #[must_use]
    pub fn tenant(&self) -> Option<&str> {
        self.0.as_ref()?.tenant.as_deref()
    }

    /// The groups it is in.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        let groups = self.0.iter().flat_map(|inner| &inner.groups);
        groups.map(|group| &**group)
    }

    /// Whether it is in a group.
    #[must_use]
    pub fn is_in(&self, group: &str) -> bool {
        self.group_names().any(|name| name == group)
    }

    /// What else its issuer says about it.
    #[must_use]
    pub fn claims(&self) -> Option<&Value> {
        self.0.as_ref()?.claims.as_ref()
    }

    /// Whether it is the same principal, and the same is said about it: groups and claims, too.
    #[must_use]
    pub fn is_exactly(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(another)) => {
                let says_the_same = || one.groups == another.groups && one.claims == another.claims;
                Arc::ptr_eq(one, another) || (self == other && says_the_same())
            }
            _ => false,
        }
    }

    /// A text that no other principal has, for what belongs to one: `["issuer","tenant","name"]`. It is empty
    /// for an anonymous one.
    #[must_use]
    pub fn key(&self) -> String {
        let Some((name, issuer, tenant)) = self.identity() else {
            return String::new();
        };
        let text = |part: &str| Value::from(part).to_string();
        let part = |part: Option<&str>| part.map_or_else(|| "null".to_owned(), text);
        format!("[{},{},{}]", part(issuer), part(tenant), text(name))
    }

    /// All that is known about it, as a text that no other has: principals of which anything differs have
    /// different ones, also where they are equal.
    ///
    /// ```
    /// use toolpact_core::Principal;
    ///
    /// let ada = Principal::new("ada");
    /// let promoted = ada.clone().groups(["admins"]);
    /// assert_eq!(ada, promoted);
    /// assert_ne!(ada.fingerprint(), promoted.fingerprint());
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut text = String::new();
        let Some(inner) = &self.0 else { return text };
        let mut add = |kind: char, part: &str| {
            // With its length, so that nothing in a part looks like the next one.
            text.push_str(&format!("{kind}{}:{part}", part.len()));
        };
        add('n', &inner.name);
        inner.issuer.iter().for_each(|issuer| add('i', issuer));
        inner.tenant.iter().for_each(|tenant| add('t', tenant));
        inner.groups.iter().for_each(|group| add('g', group));
        inner
            .claims
            .iter()
            .for_each(|claims| add('c', claims.text()));
        text
    }

    fn identity(&self) -> Option<(&str, Option<&str>, Option<&str>)> {
        let inner = self.0.as_ref()?;
        Some((
            &inner.name,
            inner.issuer.as_deref(),
            inner.tenant.as_deref(),
        ))
    }
}

impl PartialEq for Principal {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Principal {}

impl std::hash::Hash for Principal {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// `ada`, or `ada@acme` with a tenant.
impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.tenant() {
            Some(tenant) => write!(f, "@{tenant}"),
            None => Ok(()),
        }
    }
}

/// Without its claims, which may be private.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal")
            .field("name", &self.name())
            .field("issuer", &self.issuer())
            .field("tenant", &self.tenant())
            .field("groups", &self.group_names().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Principal;

    #[test]
    fn equal_if_the_same_issuer_says_the_same_name() {
        let ada = || Principal::new("ada").issued_by("a").with_tenant("acme");
        assert_eq!(ada(), ada().groups(["support"]));
        for other in [
            Principal::anonymous(),
            Principal::new("anonymous"),
            Principal::new("ada"),
            Principal::new("ada").issued_by("a"),
            ada().with_tenant("other"),
            ada().issued_by("b"),
            Principal::new("bob").issued_by("a").with_tenant("acme"),
        ] {
            assert_ne!(ada(), other);
        }
        assert_ne!(Principal::anonymous(), Principal::new("anonymous"));
    }

    #[test]
    fn keys_tell_principals_apart_and_groups_do_not() {
        let all = [
            Principal::anonymous(),
            Principal::new("ada"),
            Principal::new("ada").issued_by("null"),
            Principal::new("ada").with_tenant("a"),
            Principal::new("ada").issued_by("a"),
            Principal::new("a\",\"b"),
            Principal::new("b").with_tenant("a"),
        ];
        for (place, one) in all.iter().enumerate() {
            for (other_place, other) in all.iter().enumerate() {
                assert_eq!(
                    one.key() == other.key(),
                    place == other_place,
                    "{one:?} {other:?}"
                );
                assert_eq!(one.is_exactly(other), place == other_place);
            }
            let grouped = one.clone().groups(["support"]);
            assert_eq!(one.key(), grouped.key());
            assert_eq!(one.is_exactly(&grouped), one.is_anonymous());
        }
    }

    #[test]
    fn a_fingerprint_tells_all_apart() {
        let ada = || Principal::new("ada");
        let claims = |text: &str| crate::json::Value::from_json(text).unwrap();
        let all = [
            Principal::anonymous(),
            Principal::new(""),
            ada(),
            ada().issued_by("a"),
            ada().with_tenant("a"),
            ada().groups(["a"]),
            ada().groups(["a", "b"]),
            ada().groups(["a1:b"]),
            ada().groups(["ag1:b"]),
            ada().with_claims(claims(r#"{"a": 1}"#)),
            ada().with_claims(claims(r#"{"a": 2}"#)),
        ];
        let texts: std::collections::BTreeSet<String> =
            all.iter().map(Principal::fingerprint).collect();
        assert_eq!(texts.len(), all.len(), "{texts:?}");
        assert_eq!(ada().fingerprint(), ada().fingerprint());
    }

    #[test]
    fn nothing_is_said_about_an_anonymous_one() {
        let principal = Principal::anonymous().groups(["admin"]).with_tenant("acme");
        assert!(!principal.is_in("admin"));
        assert_eq!(principal.to_string(), "anonymous");
    }
}
