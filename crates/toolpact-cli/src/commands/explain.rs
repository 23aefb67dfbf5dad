use std::io::Write;

use clap::Args;
use toolpact_core::Severity;
use toolpact_core::violation::rules::{self, FAMILIES};
use toolpact_core::violation::{Example, Rule, Subject};

use crate::output::{BOLD, ERROR, FINE, Output, WARNING};
use crate::status::Status;

/// Explain a rule: why it is there, wrong and right
///
/// Without a code, lists all rules.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The code of a rule, as `check` shows it
    code: Option<String>,
    /// All rules as the Markdown of the reference page
    #[arg(long, conflicts_with = "code")]
    markdown: bool,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact explain                       All rules
  toolpact explain schema-type-unknown   One of them";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    match &arguments.code {
        Some(code) => one(find(code)?, out)?,
        None if arguments.markdown => write!(out, "{}", markdown())?,
        None => all(out)?,
    }
    Ok(Status::Fine)
}

fn find(code: &str) -> anyhow::Result<&'static Rule> {
    rules::find(code).ok_or_else(|| match rules::nearest(code) {
        Some(near) => anyhow::anyhow!("no rule has the code `{code}`; did you mean `{near}`?"),
        None => anyhow::anyhow!("no rule has the code `{code}`; `toolpact explain` lists all"),
    })
}

fn all(out: &mut Output) -> anyhow::Result<()> {
    let width = rules::all().map(|rule| rule.code.len()).max().unwrap_or(0);
    for (i, family) in FAMILIES.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{BOLD}{}{BOLD:#}", family.title)?;
        for rule in family.rules {
            let style = style(rule.severity);
            writeln!(
                out,
                "  {style}{:width$}{style:#}  {}",
                rule.code, rule.title
            )?;
        }
    }
    Ok(())
}

fn one(rule: &Rule, out: &mut Output) -> anyhow::Result<()> {
    let style = style(rule.severity);
    writeln!(
        out,
        "{style}{}[{}]{style:#}: {}\n",
        rule.severity, rule.code, rule.title
    )?;
    for line in wrap(rule.explanation, 80) {
        writeln!(out, "{line}")?;
    }
    if rule.on_request {
        writeln!(
            out,
            "\nOnly if it is asked for: `--lint={}` or `--lint=all`.",
            rule.code
        )?;
    }
    if let Some((what, text)) = context(&rule.wrong) {
        writeln!(out, "\n{BOLD}{what}{BOLD:#}")?;
        if let Some(text) = text {
            writeln!(out, "\n{}", indent(text))?;
        }
    }
    writeln!(
        out,
        "\n{ERROR}Wrong{ERROR:#}\n\n{}",
        indent(&shown(&rule.wrong))
    )?;
    writeln!(
        out,
        "\n{FINE}Right{FINE:#}\n\n{}",
        indent(&shown(&rule.right))
    )?;
    Ok(())
}

fn style(severity: Severity) -> anstyle::Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
    }
}

/// The page `docs/rules.md`.
pub(crate) fn markdown() -> String {
    let mut page = String::from(MARKDOWN_HEAD);
    for family in FAMILIES {
        page.push_str(&format!("\n## {}\n", family.title));
        if !family.about.is_empty() {
            page.push_str(&format!("\n{}\n", family.about));
        }
        for rule in family.rules {
            page.push_str(&section(rule));
        }
    }
    page
}

const MARKDOWN_HEAD: &str = "\
# Rules

<!-- Made by `toolpact explain --markdown` from the table in the code. -->

Every rule that `toolpact check` and `toolpact validate` apply, with an example that breaks it and
no other, and the same thing written right. Errors make a document invalid; warnings are advice,
unless `--deny warnings` is given.
";

fn section(rule: &Rule) -> String {
    let mut text = format!(
        "\n### {}\n\n*{}{}.* {}\n\n{}\n",
        rule.code,
        capitalised(&rule.severity.to_string()),
        if rule.on_request {
            ", if asked for"
        } else {
            ""
        },
        rule.title,
        rule.explanation
    );
    if let Some((what, context)) = context(&rule.wrong) {
        text.push_str(&format!("\n{what}\n"));
        if let Some(context) = context {
            text.push_str(&format!("\n```json\n{context}\n```\n"));
        }
    }
    let language = if rule.wrong.subject == Subject::Yaml {
        "yaml"
    } else {
        "json"
    };
    for (heading, example) in [("Wrong:", &rule.wrong), ("Right:", &rule.right)] {
        text.push_str(&format!(
            "\n{heading}\n\n```{language}\n{}\n```\n",
            shown(example)
        ));
    }
    text
}

/// The introduction of an example, and the tool, call or schema that it needs.
fn context(example: &Example) -> Option<(String, Option<&'static str>)> {
    let (what, text) = match example.subject {
        Subject::CallTo(tool) => ("With this tool:".to_owned(), Some(tool)),
        Subject::ResultOf(call) => ("As the result of this call:".to_owned(), Some(call)),
        Subject::ValueOf(schema) => ("Under this JSON Schema:".to_owned(), Some(schema)),
        Subject::ReturnValue(name) => (format!("As a value of {name}:"), None),
        _ => return None,
    };
    Some((what, text))
}

/// Bytes that are not text, or are invisible, as `\xEF`.
fn shown(example: &Example) -> String {
    let mut out = String::new();
    for chunk in example.text.utf8_chunks() {
        out.push_str(&chunk.valid().replace('\u{feff}', "\\xEF\\xBB\\xBF"));
        chunk
            .invalid()
            .iter()
            .for_each(|byte| out.push_str(&format!("\\x{byte:02X}")));
    }
    out
}

fn indent(text: &str) -> String {
    text.lines()
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
