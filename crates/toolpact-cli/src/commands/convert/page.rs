//! The page about dialects, generated from the program's own tables.

use std::io::Write;

use toolpact_core::dialect::{Dialect, LossKind};

use crate::output::Output;
use crate::status::Status;

const INTRO: &str = include_str!("intro.md");

pub(super) fn print(out: &mut Output) -> anyhow::Result<Status> {
    writeln!(
        out,
        "{INTRO}\n## The dialects\n\n| name | what it is |\n|---|---|"
    )?;
    for dialect in Dialect::ALL {
        writeln!(out, "| `{dialect}` | {} |", dialect.about())?;
    }
    writeln!(
        out,
        "\n## Kinds of losses\n\n| kind | what is lost | |\n|---|---|---|"
    )?;
    for kind in LossKind::ALL {
        let usual = if kind.is_usual() { "usual" } else { "" };
        writeln!(out, "| `{kind}` | {} | {usual} |", kind.about())?;
    }
    writeln!(out, "\n## The steps of each dialect\n")?;
    writeln!(
        out,
        "How the schema of the arguments is made one of the dialect's, in this order."
    )?;
    for dialect in Dialect::ALL {
        let steps: Vec<_> = dialect.steps().collect();
        if steps.is_empty() {
            continue;
        }
        writeln!(out, "\n### `{dialect}`\n")?;
        for (number, (name, about)) in steps.iter().enumerate() {
            writeln!(out, "{}. **{name}** {about}", number + 1)?;
        }
    }
    Ok(Status::Fine)
}
