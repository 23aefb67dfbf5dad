//! A server that is a program.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use toolpact::process::{ProcessGroup, base_environment};

use crate::place::Program;

/// Longest line of what a program says that is logged.
const LINE: u64 = 4096;

/// Starts the program. It ends, with everyone it started, when the group is dropped.
pub(crate) fn start(program: &Program) -> std::io::Result<(ProcessGroup, ChildStdout, ChildStdin)> {
    let mut command = Command::new(&program.path);
    command
        .args(&program.args)
        .env_clear()
        .envs(base_environment())
        .envs(program.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    let mut group = ProcessGroup::start(&mut command)?;
    let child = group.child();
    let pipes = child.map(|child| (child.stdin.take(), child.stdout.take(), child.stderr.take()));
    let Some((Some(input), Some(output), Some(said))) = pipes else {
        return Err(std::io::ErrorKind::BrokenPipe.into());
    };
    let name = program.path.to_string_lossy().into_owned();
    tokio::spawn(log(name, said));
    Ok((group, output, input))
}

/// What a program says on its standard error is for the logs. It ends with the program.
async fn log(program: String, said: ChildStderr) {
    let mut said = BufReader::new(said);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut said).take(LINE).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(line.trim_ascii_end());
        tracing::debug!(target: "toolpact::mcp", program, %line, "stderr");
    }
}
