//! The selection tree of the ADL document: asked question by question, or printed.

use std::io::{BufRead, IsTerminal as _, Write};

use toolpact_core::returns::choose::{self, MATRIX, Question};
use toolpact_core::returns::{Category, StandardType};

use crate::output::{BOLD, Output};
use crate::status::Status;

pub(super) fn run(out: &mut Output) -> anyhow::Result<Status> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() || !out.is_terminal() {
        print_tree(out)?;
        return Ok(Status::Fine);
    }
    match ask(&mut stdin.lock(), out)? {
        Some(category) => print_types(category, out)?,
        None => anyhow::bail!("the input ended before every question was answered"),
    }
    Ok(Status::Fine)
}

/// Asks the questions in order; `None` if the input ends.
fn ask(input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<Option<Category>> {
    for (question, ends, category) in choose::questions() {
        match answer(question, input, out)? {
            None => return Ok(None),
            Some(yes) if yes == ends => return Ok(Some(category)),
            Some(_) => {}
        }
    }
    Ok(Some(Category::Structured))
}

fn answer(
    question: Question,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<Option<bool>> {
    loop {
        write!(out, "{question} [y/n] ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Ok(Some(true)),
            "n" | "no" => return Ok(Some(false)),
            _ => writeln!(out, "Answer `y` or `n`.")?,
        }
    }
}

/// The types of a category, each with its use case in the matrix.
fn print_types(category: Category, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\n{BOLD}{category}{BOLD:#}")?;
    for standard in types(category) {
        let row = MATRIX.iter().find(|row| row.recommended == standard);
        let use_case = row.map_or("", |row| row.use_case);
        writeln!(
            out,
            "  {:16} {} ({use_case})",
            standard.name(),
            standard.purpose()
        )?;
    }
    Ok(())
}

fn print_tree(out: &mut impl Write) -> anyhow::Result<()> {
    let mut indent = String::new();
    let mut before = String::new();
    for (question, ends, category) in choose::questions() {
        let (end, next) = match ends {
            true => ("Yes", "No"),
            false => ("No", "Yes"),
        };
        writeln!(out, "{before}{question}")?;
        writeln!(out, "{indent}├── {end}: {}", leaf(category))?;
        before = format!("{indent}└── {next}: ");
        indent.push_str("    ");
    }
    writeln!(out, "{before}{}", leaf(Category::Structured))?;
    Ok(())
}

/// `Array (ListResult, BatchResult)`
fn leaf(category: Category) -> String {
    let names: Vec<&str> = types(category).map(StandardType::name).collect();
    format!("{category} ({})", names.join(", "))
}

fn types(category: Category) -> impl Iterator<Item = StandardType> {
    StandardType::all().filter(move |standard| standard.category() == category)
}

#[cfg(test)]
mod tests {
    use super::{Category, ask, print_types};

    fn asked(answers: &str) -> (Option<Category>, String) {
        let mut out = Vec::new();
        let category = ask(&mut answers.as_bytes(), &mut out).unwrap();
        (category, String::from_utf8(out).unwrap())
    }

    #[test]
    fn answers_lead_to_a_category() {
        assert_eq!(asked("n\n").0, Some(Category::Void));
        assert_eq!(asked("y\nYES\n").0, Some(Category::Stream));
        assert_eq!(asked("y\nn\nn\ny\n").0, Some(Category::Array));
        assert_eq!(asked("y\nn\nn\nn\nn\n").0, Some(Category::Structured));
        let (category, said) = asked("maybe\nn\n");
        assert_eq!(category, Some(Category::Void));
        assert!(said.contains("Answer `y` or `n`."), "{said}");
        assert_eq!(asked("y\n").0, None);
    }

    #[test]
    fn each_type_of_a_category_is_named_with_its_use_case() {
        let mut out = Vec::new();
        print_types(Category::Array, &mut out).unwrap();
        let said = String::from_utf8(out).unwrap();
        assert!(
            said.contains("ListResult") && said.contains("(Search/List)"),
            "{said}"
        );
        assert!(said.contains("BatchResult"), "{said}");
    }
}
