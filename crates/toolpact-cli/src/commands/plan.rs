use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use toolpact_core::Severity;
use toolpact_plan::{Plan, PlanLimits, PlanProblem};

use crate::backend::{BackendArguments, Local};
use crate::cli::LimitArguments;
use crate::commands::run::{read, warn_if_none_runs};
use crate::output::{ERROR, FINE, Output, WARNING, visible};
use crate::signals::unless_asked;
use crate::status::Status;

/// Check a plan that a model wrote against contracts, and run it
///
/// A plan is a list of steps in JSON, alone or in a fenced block of a text. Each step calls a tool and
/// may use the results of others: `{"id": "b", "tool": "get_order", "args": {"id": "{{a.data[0].id}}"}}`.
/// Steps run as soon as those they need are done. What is wrong with the plan is said before anything
/// runs, a field that no step returns included.
///
/// Tools come from where `toolpact run` has them: without a flag, from the `toolpact.yaml` of the
/// working directory, and where there is none, from a server on this machine.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The plan; `-` for standard input
    #[arg(value_name = "PLAN")]
    file: PathBuf,
    /// Check the plan, and run nothing
    #[arg(long, alias = "check-only")]
    check: bool,
    /// Print one JSON object: the result of every step, or the problems
    #[arg(long)]
    json: bool,
    /// Most steps at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = PlanLimits::default().at_once)]
    at_once: usize,
    #[command(flatten)]
    backend: BackendArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact plan plan.json                                With the toolpact.yaml here
  toolpact plan plan.json --tools shop.yaml              With the tools of a file
  toolpact plan plan.json --tools shop.yaml --check      Check it, and run nothing
  toolpact plan answer.md --server 127.0.0.1:7878        With those of a server, also of MCP
  toolpact plan - --json < plan.json                     For programs

Exit status:
  0  every step is done, or the plan is right
  1  the plan is wrong, a step failed, or a tool was left out
  2  it could not run: usage, an unreadable file, a server that cannot be reached
  130, 143  it was asked to stop: Ctrl-C, SIGTERM";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let target = arguments.backend.open_here(&arguments.limits.limits())?;
    let text = read(&arguments.file)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let running = async {
        let local = target.connect_here().await?;
        if local.is_empty() {
            return Ok(local.status.max(Status::Wrong));
        }
        let limits = PlanLimits::default().at_once(arguments.at_once);
        let status = arguments.with_tools(&text, &local, limits, out).await?;
        Ok(status.max(local.status))
    };
    let ran = runtime.block_on(unless_asked(running))?;
    Ok(ran.unwrap_or_else(|asked| asked))
}

impl Arguments {
    async fn with_tools(
        &self,
        text: &str,
        local: &Local,
        limits: PlanLimits,
        out: &mut Output,
    ) -> anyhow::Result<Status> {
        let plan = match Plan::from_text_within(text, &limits) {
            Ok(plan) => plan,
            Err(error) => return self.refuse(error.problems(), out),
        };
        let problems = plan.problems(&local.session);
        if self.check || problems.iter().any(is_error) {
            return self.refuse(&problems, out);
        }
        // The plan runs in spite of warnings.
        tell(&problems)?;
        warn_if_none_runs(local, "--check checks the plan")?;
        let result = plan.run(&local.session, limits).await;
        let text = match self.json {
            true => result.to_json(),
            false => result.to_text(),
        };
        out.write_foreign(&text);
        writeln!(out)?;
        Ok(Status::wrong_if(!result.is_done()))
    }

    /// What is wrong with a plan that did not run, if anything is.
    fn refuse(&self, problems: &[PlanProblem], out: &mut Output) -> anyhow::Result<Status> {
        let is_wrong = problems.iter().any(is_error);
        if self.json {
            let told = match self.check {
                true => json!({"valid": !is_wrong, "problems": problems}),
                false => json!({"done": false, "steps": [], "problems": problems}),
            };
            writeln!(out, "{told}")?;
        } else {
            tell(problems)?;
            if !is_wrong {
                writeln!(out, "{FINE}ok{FINE:#}: the plan keeps to the contracts")?;
            }
        }
        Ok(Status::wrong_if(is_wrong))
    }
}

fn is_error(problem: &PlanProblem) -> bool {
    problem.severity() == Severity::Error
}

/// One a line, as `error[plan-unknown-tool] in step `a` at /tool: …`.
fn tell(problems: &[PlanProblem]) -> anyhow::Result<()> {
    let mut stderr = Output::stderr();
    for problem in problems {
        let style = if is_error(problem) { ERROR } else { WARNING };
        let line = visible(&problem.to_string());
        match line.split_once(' ') {
            Some((word, rest)) => writeln!(stderr, "{style}{word}{style:#} {rest}")?,
            None => writeln!(stderr, "{line}")?,
        }
    }
    Ok(())
}
