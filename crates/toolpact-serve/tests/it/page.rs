//! The page about the config.

use toolpact_serve::Config;

#[test]
fn the_examples_are_configs() {
    let page = include_str!("../../../../docs/serve.md");
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
    assert_eq!(read, 4);
}
