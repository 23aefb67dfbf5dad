use super::{command, run, sh, with_env};
use crate::command::{CommandFault, CommandLimits};

fn text(stdout: Result<Vec<u8>, CommandFault>) -> String {
    String::from_utf8(stdout.unwrap()).unwrap()
}

#[tokio::test]
async fn arguments_go_in_and_the_result_comes_out() {
    let args = br#"{"city": "Oslo"}"#;
    assert_eq!(run(&command(&["cat"]), args).await.unwrap(), args);
    let python = "import json, sys; print(json.dumps({'n': json.load(sys.stdin)['n'] + 1}))";
    let result = run(&command(&["python3", "-c", python]), br#"{"n": 4}"#).await;
    assert_eq!(text(result), "{\"n\": 5}\n");
    assert_eq!(text(run(&command(&["true"]), b"").await), "");
}

#[tokio::test]
async fn no_shell_is_in_between() {
    let words = ["printf", "%s|%s", "$HOME `id` * ; echo", "\"'\\"];
    assert_eq!(
        text(run(&command(&words), b"").await),
        "$HOME `id` * ; echo|\"'\\"
    );
}

#[tokio::test]
async fn the_environment_is_an_allow_list() {
    // Cargo sets both for tests.
    let all = text(run(&with_env(&["env"], &["CARGO_PKG_NAME", "NOT_THERE"]), b"").await);
    assert!(all.contains("CARGO_PKG_NAME=toolpact\n"), "{all}");
    assert!(all.contains("PATH="), "{all}");
    let known = [
        "PATH",
        "HOME",
        "LANG",
        "LC_ALL",
        "TZ",
        "TMPDIR",
        "CARGO_PKG_NAME",
        // By which those are found that have left the group.
        "TOOLPACT_PROGRAM",
    ];
    let mut names = all.lines().filter_map(|line| Some(line.split_once('=')?.0));
    assert!(names.all(|name| known.contains(&name)), "{all}");
}

/// Neither side waits for the other, whatever they do first.
#[tokio::test]
async fn much_goes_both_ways() {
    let args: Vec<u8> = (0..8 << 20).map(|n: u32| n.to_le_bytes()[0]).collect();
    assert!(run(&command(&["cat"]), &args).await.unwrap() == args);
    let late = sh(
        "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; wc -c",
        &[],
    );
    let stdout = run(&late, &args).await.unwrap();
    assert!(stdout.ends_with(b"8388608\n"));
}

#[tokio::test]
async fn a_program_need_not_read() {
    let args = vec![b' '; 4 << 20];
    assert_eq!(text(run(&command(&["true"]), &args).await), "");
    assert_eq!(
        text(run(&sh("exec <&-; echo ok", &[]), &args).await),
        "ok\n"
    );
    assert_eq!(
        text(run(&sh("head -c 1 >/dev/null; echo ok", &[]), &args).await),
        "ok\n"
    );
}

#[tokio::test]
async fn output_is_limited() {
    let limits = CommandLimits {
        stdout_bytes: 1000,
        ..CommandLimits::default()
    };
    let just = sh("head -c 1000 /dev/zero", &[]);
    assert_eq!(
        crate::command::run(&just, b"", &limits, &mut None)
            .await
            .unwrap()
            .len(),
        1000
    );
    for more in [sh("head -c 1001 /dev/zero", &[]), command(&["yes"])] {
        let error = crate::command::run(&more, b"", &limits, &mut None)
            .await
            .unwrap_err()
            .fault;
        assert_eq!(
            error.to_string(),
            "the program wrote more than 1000 bytes on stdout"
        );
    }
}
