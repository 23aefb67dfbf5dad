//! What is wrong with policies, and where.

use std::path::Path;

use toolpact_policy::{Allow, Policies, PolicyConfig};

use crate::support::Desk;

/// What is told of a file, with its name in place of its path.
fn told(text: &str) -> String {
    let folder = tempfile_folder();
    let file = folder.join("policies.cedar");
    std::fs::write(&file, text).unwrap();
    let config = PolicyConfig {
        files: vec![file],
        ..PolicyConfig::default()
    };
    let desk = Desk::new("");
    let checked = Policies::read(&config).and_then(|policies| policies.check(&desk.catalogue()));
    let told = match checked {
        Ok(checked) => checked
            .warnings
            .iter()
            .map(|one| format!("warning: {one}"))
            .collect(),
        Err(error) => error
            .problems()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
    };
    std::fs::remove_dir_all(&folder).ok();
    told.join("\n")
        .replace(&format!("{}/", folder.display()), "")
}

fn tempfile_folder() -> std::path::PathBuf {
    let thread = format!("{:?}", std::thread::current().id());
    let name = format!(
        "toolpact-check-{}-{}",
        std::process::id(),
        thread.replace(['(', ')'], "")
    );
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_tool_that_does_not_exist() {
    let text = "permit(principal, action == Action::\"refund\", resource);\n\npermit(\n  principal,\n  action == Action::\"refunt\",\n  resource\n);\n";
    let told = told(text);
    assert!(told.starts_with("policies.cedar:5:"), "{told}");
    assert!(
        told.contains("refunt") && told.contains("did you mean `Action::\"refund\"`"),
        "{told}"
    );
}

#[test]
fn an_argument_that_does_not_exist() {
    let text = "permit(principal, action == Action::\"refund\", resource)\nwhen { context.input.amuont <= 100 };\n";
    let told = told(text);
    assert!(told.starts_with("policies.cedar:2:"), "{told}");
    assert!(
        told.contains("amuont") && told.contains("did you mean `amount`"),
        "{told}"
    );
}

#[test]
fn an_argument_of_another_type_and_one_that_may_be_absent() {
    let head = "permit(principal, action == Action::\"refund\", resource)\nwhen { ";
    for (condition, expected) in [
        ("context.input.amount == \"100\"", "policies.cedar:2:"),
        (
            "context.input.share.lessThan(decimal(\"0.5\"))",
            "policies.cedar:2:",
        ),
        ("context.input.anything == 1", "policies.cedar:2:"),
        ("resource == Source::\"shopp\"", "policies.cedar:2:"),
        ("principal.tenant == \"a\"", "policies.cedar:2:"),
    ] {
        let told = told(&format!("{head}{condition} }};"));
        assert!(told.starts_with(expected), "{condition}: {told}");
    }
}

#[test]
fn what_is_no_policy() {
    let told_of = told("permit(principal, action, resource)\nwhen { context.input.amount < };\n");
    assert!(told_of.starts_with("policies.cedar:2:"), "{told_of}");
    let template = told("permit(principal == ?principal, action, resource);");
    assert!(template.contains("found a template"), "{template}");
    let twice = told(
        "@id(\"a\") permit(principal, action, resource);\n@id(\"a\") permit(principal, action, resource);",
    );
    assert!(twice.contains("found `a` again"), "{twice}");
    let ask = told("@ask(\"May it?\") forbid(principal, action, resource);");
    assert!(ask.contains("expected `@ask` at a permit"), "{ask}");
}

#[test]
fn a_file_that_is_not_there() {
    let config = PolicyConfig {
        files: vec![Path::new("/nowhere/policies.cedar").to_owned()],
        ..PolicyConfig::default()
    };
    let error = Policies::read(&config).unwrap_err().to_string();
    assert!(
        error.starts_with("/nowhere/policies.cedar: expected a file"),
        "{error}"
    );
}

#[test]
fn the_short_form_is_checked_at_its_place() {
    let config = PolicyConfig {
        allow: vec![
            Allow::default(),
            Allow {
                tools: vec!["refunt".to_owned()],
                ..Allow::default()
            },
        ],
        ..PolicyConfig::default()
    };
    let policies = Policies::read(&config).unwrap();
    let error = policies
        .check(&Desk::new("").catalogue())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("at /policy/allow/1: ") && error.contains("did you mean"),
        "{error}"
    );
}

#[test]
fn what_cannot_be_known_is_not_wrong() {
    let desk = Desk::new("");
    let mut catalogue = desk.catalogue();
    let policies =
        crate::support::read("permit(principal, action == Action::\"files__read\", resource);");
    assert!(policies.check(&catalogue).is_err());
    catalogue.add_unknown(Some("other"));
    assert!(policies.check(&catalogue).is_err());
    catalogue.add_unknown(Some("files"));
    let checked = policies.check(&catalogue).unwrap();
    assert!(
        checked.warnings[0].message.contains("`files__read`"),
        "{checked:?}"
    );
}

#[test]
fn a_pattern_that_nothing_matches_is_odd() {
    let told = told("permit(principal, action in Action::\"tools:serch_*\", resource);");
    assert!(
        told.contains("no tool has a name that matches `serch_*`"),
        "{told}"
    );
}
