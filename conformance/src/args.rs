//! The command line.

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Installs the outside packages the tests need, then runs every test of the workspace.

Usage: cargo test-all [--offline] [-- <arguments of the test runner>]
       cargo test-all --list | --help

  --offline   install nothing; tests whose package is missing are left out
  --list      say what would be installed, and why
  --help      print this

The test runner is cargo-nextest where it is installed, and `cargo test` elsewhere.
With CI=true in the environment, leaving anything out is a failure.";

/// What to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Args {
    Help,
    List,
    Run { offline: bool, runner: Vec<String> },
}

/// Reads the arguments after the program's own name.
pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut offline = false;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Args::Help),
            "--list" => return Ok(Args::List),
            "--offline" => offline = true,
            "--" => {
                return Ok(Args::Run {
                    offline,
                    runner: args.collect(),
                });
            }
            _ => {
                return Err(format!(
                    "unknown argument {arg:?}; see `cargo test-all --help`"
                ));
            }
        }
    }
    Ok(Args::Run {
        offline,
        runner: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Args, parse};

    fn parsed(line: &str) -> Result<Args, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn no_arguments_run_everything() {
        assert_eq!(
            parsed(""),
            Ok(Args::Run {
                offline: false,
                runner: vec![]
            })
        );
    }

    #[test]
    fn what_follows_the_dashes_is_the_runners() {
        let runner = vec!["--help".to_owned(), "--".to_owned(), "x".to_owned()];
        assert_eq!(
            parsed("--offline -- --help -- x"),
            Ok(Args::Run {
                offline: true,
                runner
            })
        );
    }

    #[test]
    fn an_unknown_argument_is_refused() {
        assert!(parsed("--ofline").is_err());
    }
}
