//! Tools that a caller may not use at all are not there for it.

use toolpact::Principal;

use crate::support::{Desk, ada};

const POLICIES: &str = r#"
permit(principal in Group::"support", action in Action::"tools:*search_*", resource);
permit(principal in Group::"support", action == Action::"refund", resource)
when { context.input.amount <= 100 };
permit(principal in Group::"admins", action, resource);
forbid(principal, action == Action::"shop__delete_ticket", resource);
permit(principal, action == Action::"delete_ticket", resource) when { principal has tenant };
"#;

#[test]
fn only_what_may_be_called_is_listed() {
    let desk = Desk::new(POLICIES);
    assert_eq!(
        desk.names(&ada()),
        ["search_tickets", "refund", "shop__search_tickets"]
    );
    let admin = Principal::new("eve").groups(["admins"]);
    assert_eq!(desk.names(&admin).len(), 5);
    assert!(desk.names(&Principal::anonymous()).is_empty());
    // What is known about the caller decides, what is not known about the call does not.
    let guest = Principal::new("bob").with_tenant("acme");
    assert_eq!(desk.names(&guest), ["delete_ticket"]);
}

#[test]
fn what_is_hidden_is_unknown() {
    let desk = Desk::new(POLICIES);
    let unknown = desk.call(&ada(), "no_such_tool", "{}");
    assert_eq!(
        desk.call(&ada(), "delete_ticket", r#"{"number": 1}"#),
        unknown
    );
    assert_eq!(desk.call(&ada(), "shop__refund", "{}"), unknown);
    let admin = Principal::new("eve").groups(["admins"]);
    assert_eq!(desk.call(&admin, "shop__delete_ticket", "{}"), unknown);
}

#[test]
fn a_fork_sees_what_its_own_principal_may_see() {
    let desk = Desk::new(POLICIES);
    let nobody = desk.registry.session().qualified().open().unwrap();
    assert_eq!(nobody.len(), 0);
    let admin = nobody.fork_for(Principal::new("eve").groups(["admins"]));
    assert_eq!(admin.len(), 5);
    assert_eq!(admin.fork().len(), 5);
    assert_eq!(admin.fork_for(ada()).len(), 3);
    assert_eq!(admin.fork_for(Principal::anonymous()).len(), 0);
    // The same name with other groups is not the same.
    assert_eq!(nobody.fork_for(Principal::new("ada")).len(), 0);
}

#[test]
fn a_change_is_seen_by_those_who_come_later() {
    let desk = Desk::new(POLICIES);
    let changes = desk.registry.changes();
    let before = desk
        .registry
        .session()
        .qualified()
        .principal(ada())
        .open()
        .unwrap();
    desk.replace("permit(principal, action, resource);");
    assert!(changes.has_changed().unwrap());
    assert_eq!(desk.names(&ada()).len(), 6);
    assert_eq!(before.len(), 3);
    assert_eq!(before.fork().len(), 6);
}
