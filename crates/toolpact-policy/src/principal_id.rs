//! Callers as entities.

use toolpact_core::{ANONYMOUS, Principal};

/// The id of the entity of a principal: its name; or, with a tenant or an issuer, `issuer|tenant|name`. No two
/// principals have the same, so `|` and `%` in a part are written `%7C` and `%25`.
#[must_use]
pub fn principal_id(principal: &Principal) -> String {
    let name = part(principal.name());
    match (principal.issuer(), principal.tenant()) {
        (None, None) if principal.is_anonymous() => ANONYMOUS.to_owned(),
        // Somebody who is called so is not nobody.
        (None, None) if name == ANONYMOUS => format!("||{name}"),
        (None, None) => name,
        (issuer, tenant) => {
            let [issuer, tenant] = [issuer, tenant].map(|one| part(one.unwrap_or_default()));
            format!("{issuer}|{tenant}|{name}")
        }
    }
}

fn part(text: &str) -> String {
    text.replace('%', "%25").replace('|', "%7C")
}

#[cfg(test)]
mod tests {
    use super::principal_id;
    use toolpact_core::Principal;

    #[test]
    fn no_two_principals_are_one() {
        let all = [
            Principal::anonymous(),
            Principal::new("anonymous"),
            Principal::new("ada"),
            Principal::new("ada").with_tenant("acme"),
            Principal::new("ada").issued_by("acme"),
            Principal::new("|acme|ada"),
            Principal::new("acme||ada"),
            Principal::new("||anonymous"),
            Principal::new("ada").with_tenant("b").issued_by("a|"),
            Principal::new("ada").with_tenant("|b").issued_by("a"),
            Principal::new("b|ada").issued_by("a"),
            Principal::new("b%7Cada").issued_by("a"),
        ];
        let ids: std::collections::BTreeSet<String> = all.iter().map(principal_id).collect();
        assert_eq!(ids.len(), all.len(), "{ids:?}");
        assert_eq!(principal_id(&all[2]), "ada");
        assert_eq!(principal_id(&all[3]), "|acme|ada");
    }
}
