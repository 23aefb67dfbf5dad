mod human;
mod machine;
mod markdown;
mod side;

use clap::{Args, ValueEnum};
use toolpact_core::diff::{Change, Diff, ToolDiff, Verdict};

use crate::cli::{LimitArguments, ToolsFrom};
use crate::output::Output;
use crate::status::Status;

use side::Side;

/// Say what changed between two versions of tools, for whom, and what it breaks
///
/// Each side is a file or folder with tools in any dialect, the address of a server, or one of
/// `git:REV:PATH`, `command:PROGRAM` and `config:FILE`. A change is breaking only if there is a call that was
/// accepted and is not, or a result that is possible and was not: it is shown. What could neither be shown
/// nor excluded is unknown. Tools that were renamed are recognised.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Tools as they were: file, folder, URL, git:REV:PATH, command:PROGRAM, config:FILE
    #[arg(value_name = "OLD")]
    old: String,
    /// Tools as they are
    #[arg(value_name = "NEW")]
    new: String,
    /// Exit with 1 if a change is this bad or worse
    #[arg(long, value_enum, value_name = "VERDICT")]
    fail_on: Option<FailOn>,
    /// How to write the changes
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
    /// Environment variable with the token of the servers
    #[arg(long, value_name = "NAME")]
    auth_token_env: Option<String>,
    #[command(flatten)]
    from: ToolsFrom,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact diff old/ new/                                        Two folders
  toolpact diff git:main:tools.yaml tools.yaml                   What a branch changes
  toolpact diff --fail-on breaking git:v1.2.0:tools tools        In CI
  toolpact diff tools.json http://tools.local:7878               A file and a server that runs
  toolpact diff 'command:npx server@1.0.0' 'command:npx server'  Two versions of an MCP server
  toolpact diff --format markdown git:main:tools.yaml tools.yaml For a pull request";

/// From which verdict on to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Something that was valid is not any more
    Breaking,
    /// That, or nobody knows
    Unknown,
    /// Anything that is more than documentation
    Compatible,
    /// Any change
    Documentation,
    /// Any change
    Any,
}

/// How changes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// For programs: one JSON object
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For GitHub Actions: annotations
    Github,
    /// For pull requests
    Markdown,
}

/// The changes, and what they are between.
struct Report<'r> {
    diff: &'r Diff,
    old: &'r Side,
    new: &'r Side,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let [old, new] = [&arguments.old, &arguments.new].map(|word| {
        let token = arguments.auth_token_env.as_deref();
        Side::read(word, arguments.from.from, token, &arguments.limits.limits())
    });
    let (mut old, mut new) = (old?, new?);
    if matches!(arguments.format, Format::Sarif | Format::Github) {
        old.read_files(&arguments.limits.limits());
        new.read_files(&arguments.limits.limits());
    }
    let diff = Diff::between(&old.contracts, &new.contracts);
    let report = Report {
        diff: &diff,
        old: &old,
        new: &new,
    };
    match arguments.format {
        Format::Human => human::write(&report, out)?,
        Format::Json => machine::json(&report, out)?,
        Format::Sarif => machine::sarif(&report, out)?,
        Format::Github => machine::github(&report, out)?,
        Format::Markdown => markdown::write(&report, out)?,
    }
    let fails = arguments
        .fail_on
        .is_some_and(|on| diff.verdict() >= on.verdict());
    Ok(Status::wrong_if(fails).max(old.status).max(new.status))
}

impl FailOn {
    fn verdict(self) -> Verdict {
        match self {
            Self::Breaking => Verdict::Breaking,
            Self::Unknown => Verdict::Unknown,
            Self::Compatible => Verdict::Compatible,
            Self::Documentation | Self::Any => Verdict::Documentation,
        }
    }
}

impl Report<'_> {
    /// The tools that changed, the worst first.
    fn changed(&self) -> Vec<&ToolDiff> {
        let mut tools: Vec<&ToolDiff> = self.diff.changed().collect();
        tools.sort_by_key(|tool| std::cmp::Reverse(tool.verdict()));
        tools
    }

    /// "3 breaking, 1 compatible, 12 the same".
    fn counts(&self) -> String {
        let counts = Verdict::ALL.iter().rev().filter_map(|verdict| {
            let tools = self.diff.tools().iter();
            let count = tools.filter(|tool| tool.verdict() == *verdict).count();
            let word = match verdict {
                Verdict::Same => "the same",
                other => other.name(),
            };
            (count > 0).then(|| format!("{count} {word}"))
        });
        let counts: Vec<String> = counts.collect();
        match counts.is_empty() {
            true => "nothing to compare".to_owned(),
            false => counts.join(", "),
        }
    }
}

/// The changes of a tool, the worst first.
fn sorted(tool: &ToolDiff) -> Vec<&Change> {
    let mut changes: Vec<&Change> = tool.changes().iter().collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.verdict()));
    changes
}

/// The name, with the old one if it was another.
fn title(tool: &ToolDiff) -> String {
    match tool.old_name() {
        Some(old) if tool.is_renamed() => format!("{old} → {}", tool.name()),
        _ => tool.name().to_owned(),
    }
}

/// The parts of two texts where they begin to differ, for a line each.
fn around<'t>(before: &'t str, after: &'t str) -> [String; 2] {
    /// How much of what is the same is shown.
    const SAME: usize = 24;
    let same = before
        .chars()
        .zip(after.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let from = same.saturating_sub(SAME);
    let part = |text: &'t str| {
        /// How much is shown in all.
        const SHOWN: usize = 110;
        let start = if from > 0 { "…" } else { "" };
        let shown: String = text.chars().skip(from).take(SHOWN).collect();
        let end = if text.chars().nth(from + SHOWN).is_some() {
            "…"
        } else {
            ""
        };
        format!("{start}{shown}{end}")
    };
    [part(before), part(after)]
}
