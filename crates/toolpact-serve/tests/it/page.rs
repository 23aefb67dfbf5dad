//! The pages about the config.

use toolpact_serve::Config;

#[test]
fn the_examples_are_configs() {
    assert_eq!(examples_of(include_str!("../../../../docs/serve.md")), 11);
    assert_eq!(examples_of(include_str!("../../../../docs/grid.md")), 1);
    assert_eq!(examples_of(include_str!("../../../../docs/identity.md")), 4);
    assert_eq!(examples_of(include_str!("../../../../docs/audit.md")), 1);
}

/// How many examples a page has. All of them are configs.
fn examples_of(page: &str) -> usize {
    let examples = page.split("```yaml\n").skip(1);
    let examples = examples.map(|rest| rest.split("```").next().unwrap());
    let mut read = 0;
    for example in examples {
        read += 1;
        // The variables that they name are not set here.
        let problems = match Config::from_yaml(example.as_bytes()) {
            Ok(_) => continue,
            Err(error) => error.problems().to_vec(),
        };
        for problem in problems {
            assert!(
                problem.message.contains("environment variable"),
                "{example}{problem:?}"
            );
        }
    }
    read
}

#[test]
fn the_examples_of_policies_are_configs_and_cases() {
    let page = include_str!("../../../../docs/policy.md");
    let examples = page.split("```yaml\n").skip(1);
    let examples: Vec<&str> = examples
        .filter_map(|rest| rest.split("```").next())
        .collect();
    let [config, held, cases] = examples[..] else {
        panic!("expected three examples, found {}", examples.len());
    };
    let held = Config::from_yaml(held.as_bytes()).unwrap();
    let approval = held.policy.unwrap().approval.unwrap();
    assert_eq!(approval.held().unwrap().timeout_ms.get(), 600_000);
    let config = Config::from_yaml(config.as_bytes()).unwrap();
    assert_eq!(config.policy.unwrap().allow.len(), 2);
    let cases = toolpact_policy::Cases::read(cases.as_bytes()).unwrap();
    assert_eq!(cases.cases.len(), 3);
}
