use toolpact_core::returns::ErrorKind;

use super::{command, run, sh};
use crate::command::CommandFault;

/// What operators read, and what a model may read.
async fn of(command: toolpact_core::contract::Command) -> (CommandFault, String, String) {
    let error = run(&command, b"{}").await.unwrap_err();
    let again = run(&command, b"{}").await.unwrap_err();
    let shown = error.to_string();
    (error, shown, again.to_standard().to_string())
}

#[tokio::test]
async fn programs_that_do_not_start() {
    let (error, shown, said) = of(command(&["no-such-program", "secret"])).await;
    assert!(matches!(error, CommandFault::NotFound { .. }));
    assert_eq!(shown, "there is no program `no-such-program`");
    assert_eq!(
        said,
        "INTERNAL_CONFIGURATION: The tool is not set up correctly."
    );

    let (error, shown, said) = of(command(&["/etc/passwd"])).await;
    assert!(matches!(error, CommandFault::CannotStart { .. }));
    assert!(shown.starts_with("the program `/etc/passwd` does not start: "));
    assert!(error.source().is_some());
    assert_eq!(
        said,
        "INTERNAL_CONFIGURATION: The tool is not set up correctly."
    );
}

/// Too many open files: the same call works when others have ended.
#[cfg(unix)]
#[test]
fn programs_that_do_not_start_for_now() {
    let full = std::io::Error::from(rustix::io::Errno::MFILE);
    let error = CommandFault::cannot_start("cat", full);
    let said = error.to_standard();
    assert_eq!(said.kind(), ErrorKind::TooManyAtOnce, "{said}");
}

#[tokio::test]
async fn programs_that_end_badly() {
    let (error, shown, said) = of(sh("echo /home/secret; echo secret >&2; exit 3", &[])).await;
    assert!(matches!(
        error,
        CommandFault::Exit {
            status: 3,
            said: None
        }
    ));
    assert_eq!(shown, "the program ended with status 3");
    assert_eq!(said, "INTERNAL_ERROR: The tool failed.");

    let (error, shown, said) = of(sh("kill -9 $$", &[])).await;
    assert!(matches!(error, CommandFault::Signal { signal: Some(9) }));
    assert_eq!(shown, "the program was ended by signal 9");
    assert_eq!(said, "INTERNAL_ERROR: The tool failed.");
}

#[tokio::test]
async fn programs_that_say_why() {
    let failure = r#"{"success": false, "error": {"code": "NOT_FOUND_USER", "message": "No such user", "stack_trace": "secret"}}"#;
    let (_, shown, said) = of(sh("printf %s \"$1\"; exit 1", &[failure])).await;
    assert_eq!(
        shown,
        "the program ended with status 1: NOT_FOUND_USER: No such user"
    );
    assert_eq!(said, "NOT_FOUND_USER: No such user");
    // Said with status 0, it is a result like any other, for the caller to look at.
    let result = run(&sh("printf %s \"$1\"", &[failure]), b"").await;
    assert_eq!(result.unwrap(), failure.as_bytes());
}
