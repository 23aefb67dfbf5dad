//! `toolpact policy`.

use crate::run::Folder;

const TOOLS: &str = "
toolpact: 1
tools:
  - name: refund
    description: Pays back.
    parameters: { type: object, properties: { amount: { type: integer } }, required: [amount] }
    returns: opaque
    run: { command: [cat] }
  - name: search_orders
    description: Finds orders.
    parameters: { type: object, properties: { text: { type: string }, share: { type: number } } }
    returns: opaque
    effects: { read_only: true }
    run: { command: [cat] }
";

const CONFIG: &str = "
policy:
  files: [policies.cedar]
  allow: [{ groups: [support], tools: [search_*], effects: read_only }]
sources:
  - files: { paths: [tools.yaml] }
";

fn folder(policies: &str) -> Folder {
    Folder::new()
        .file("tools.yaml", TOOLS)
        .file("toolpact.yaml", CONFIG)
        .file("policies.cedar", policies)
}

const POLICIES: &str = "@id(\"up to 100\")
permit(principal in Group::\"support\", action == Action::\"refund\", resource)
when { context.input.amount <= 100 };
";

#[test]
fn the_short_form_is_shown_in_cedar() {
    let ran = folder(POLICIES).run(["policy", "show"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert!(ran.stdout.contains("@id(\"up to 100\")"), "{ran:#?}");
    let short = "@id(\"allow[0]\")\npermit (\n  principal in Group::\"support\",\n  action in Action::\"tools:search_*\",\n  \
                 resource\n)\nwhen { action in Action::\"effects:read_only\" };\n";
    assert!(ran.stdout.contains(short), "{ran:#?}");
}

#[test]
fn the_schema_is_printed_and_what_is_lost() {
    let ran = folder(POLICIES).run(["policy", "schema"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert!(
        ran.stdout
            .contains("action \"refund\" in [\"effects:writes\"]"),
        "{ran:#?}"
    );
    assert!(
        ran.stderr
            .contains("search_orders: loss[constraint] at /parameters/properties/share"),
        "{ran:#?}"
    );
}

#[cfg(not(feature = "policy"))]
#[test]
fn a_program_without_policies_says_so() {
    let cases = "cases: [{ tool: refund, expect: deny }]";
    let folder = folder(POLICIES).file("cases.yaml", cases);
    for arguments in [&["policy", "test", "cases.yaml"][..], &["serve", "--check"]] {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 1, "{ran:#?}");
        assert!(ran.stderr.contains("--features policy"), "{ran:#?}");
    }
}

#[cfg(feature = "policy")]
mod with_policies {
    use super::{POLICIES, folder};

    const CASES: &str = "
cases:
  - name: support refunds up to 100
    principal: { name: ada, groups: [support] }
    tool: refund
    arguments: { amount: 100 }
    expect: allow
  - { principal: { name: ada, groups: [support] }, tool: refund, arguments: { amount: 101 }, expect: deny }
  - { tool: search_orders, expect: deny }
";

    #[test]
    fn cases_are_run_like_tests() {
        let ran = folder(POLICIES)
            .file("cases.yaml", CASES)
            .run(["policy", "test", "cases.yaml"]);
        ran.assert(
            0,
            "pass support refunds up to 100: allow\npass ada calls refund: deny\npass anonymous calls search_orders: deny\n\
             fine: 3 cases\n",
            "",
        );
        let wrong = CASES.replace("amount: 101 }, expect: deny", "amount: 101 }, expect: ask");
        let ran = folder(POLICIES)
            .file("cases.yaml", &wrong)
            .run(["policy", "test", "cases.yaml"]);
        assert_eq!(ran.status, 1, "{ran:#?}");
        let expected = "FAIL ada calls refund: expected ask, found deny (nothing permits it)\n";
        assert!(ran.stdout.contains(expected), "{ran:#?}");
        assert!(ran.stdout.ends_with("failed: 1 of 3 cases\n"), "{ran:#?}");
    }

    #[test]
    fn a_call_is_explained() {
        let folder = folder(POLICIES);
        let ada = ["--as", "ada", "--group", "support"];
        let explain = ["policy", "explain", "refund", r#"{"amount": 100}"#];
        let ran = folder.run([&explain[..], &ada].concat());
        ran.assert(0, "allow  Principal::\"ada\"\npolicy up to 100\n", "");
        let ran = folder.run(["policy", "explain", "refund", r#"{"amount": 100}"#]);
        ran.assert(
            0,
            "deny  Principal::\"anonymous\"\nnothing permits it\n\
             the caller does not see the tool, since no call of it is permitted\n",
            "",
        );
    }

    #[test]
    fn serve_check_tells_the_place() {
        let ran = folder("permit(principal, action == Action::\"refund\", resource)\nwhen { context.input.amuont < 1 };")
            .run(["serve", "--check"]);
        assert_eq!(ran.status, 1, "{ran:#?}");
        assert!(ran.stderr.contains("policies.cedar:2:8: "), "{ran:#?}");
        assert!(ran.stderr.contains("did you mean `amount`"), "{ran:#?}");
    }
}
