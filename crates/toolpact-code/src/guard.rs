//! Keeps scripts from catching the limit of recursion.
//!
//! The interpreter raises it as an exception like any other. So wherever a script could catch it, it
//! is caught before, by lines that stop the script for good. Tracebacks show the script as it was.

use monty_types::CodeLoc;
use ruff_python_ast::statement_visitor::{StatementVisitor, walk_stmt};
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::{Stmt, StmtFunctionDef, StmtTry};
use ruff_python_parser::parse_module;
use ruff_text_size::{Ranged, TextRange, TextSize};
use toolpact::code::Place;
use toolpact::code::wire::Failure;

/// What scripts may not name.
const OWN: &str = "__toolpact";

/// The exception, and what is called where it is caught.
const RECURSION: &str = "__toolpact_recursion__";
pub(crate) const STOP: &str = "__toolpact_stop__";

/// What every script begins with. Exceptions cannot be handed over in another way.
const FIRST: &str = "__toolpact_recursion__ = RecursionError; ToolError = RuntimeError\n";

/// A script with lines of ours.
pub(crate) struct Guarded {
    pub(crate) text: String,
    pub(crate) lines: Lines,
    /// Whether comments keep the type checker from looking.
    pub(crate) ignores: bool,
}

/// The lines that are ours, in their order.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Lines(Vec<u32>);

impl Lines {
    /// The place in the script.
    pub(crate) fn place(&self, at: CodeLoc) -> Place {
        let ours = self.0.iter().take_while(|line| **line <= at.line).count();
        let ours = u32::try_from(ours).unwrap_or(0);
        Place {
            line: at.line.saturating_sub(ours).max(1),
            column: at.column,
        }
    }
}

/// The script must be one that compiles.
pub(crate) fn guard(script: &str) -> Result<Guarded, Failure> {
    if let Some(at) = script.find(OWN) {
        let message = format!("names that begin with {OWN} are not for scripts");
        return Err(wrong(script, at, message));
    }
    let parsed = parse_module(script).map_err(|error| {
        wrong(
            script,
            error.location.start().to_usize(),
            error.error.to_string(),
        )
    })?;
    let tokens = parsed.tokens();
    let mut visitor = Visitor {
        script,
        tokens,
        insertions: Vec::new(),
    };
    visitor.define(&parsed.syntax().body);
    visitor.visit_body(&parsed.syntax().body);
    let (text, lines) = insert(script, visitor.insertions);
    Ok(Guarded {
        text,
        lines,
        ignores: ignores(script, tokens),
    })
}

fn wrong(script: &str, at: usize, message: String) -> Failure {
    let before = script.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let place = Place {
        line: number(line),
        column: number(column),
    };
    Failure::Syntax { message, place }
}

/// `# type: ignore` and what other checkers take for the same.
fn ignores(script: &str, tokens: &Tokens) -> bool {
    let comments = tokens
        .iter()
        .filter(|token| token.kind() == TokenKind::Comment);
    let mut texts = comments.filter_map(|token| script.get(bytes(token.range())));
    texts.any(|text| {
        let text: String = text.split_whitespace().collect();
        ["#type:ignore", "#ty:ignore"]
            .iter()
            .any(|word| text.contains(word))
    })
}

/// Text of ours, and where it goes.
struct Insertion {
    at: usize,
    text: String,
}

struct Visitor<'a> {
    script: &'a str,
    tokens: &'a Tokens,
    insertions: Vec<Insertion>,
}

impl<'a> StatementVisitor<'a> for Visitor<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Try(stmt) => self.guard_try(stmt),
            Stmt::FunctionDef(stmt) if is_exit(&stmt.name) => self.guard_exit(stmt),
            _ => {}
        }
        walk_stmt(self, stmt);
    }
}

/// The ends of context managers see exceptions too, and can swallow them.
fn is_exit(name: &str) -> bool {
    matches!(name, "__exit__" | "__aexit__")
}

impl Visitor<'_> {
    /// Before the first statement that does something. Some have to come first.
    fn define(&mut self, body: &[Stmt]) {
        let first = body.iter().find(|stmt| match stmt {
            Stmt::Expr(expression) => !expression.value.is_string_literal_expr(),
            Stmt::ImportFrom(import) => import.module.as_deref() != Some("__future__"),
            _ => true,
        });
        if let Some(first) = first {
            let (at, _) = self.line(decorated(first));
            let text = FIRST.to_owned();
            self.insertions.push(Insertion { at, text });
        }
    }

    /// Before the first `except`, or else before `finally`, which can leave with `return`.
    fn guard_try(&mut self, stmt: &StmtTry) {
        let start = match (
            stmt.handlers.first(),
            stmt.body.last(),
            stmt.finalbody.first(),
        ) {
            (Some(handler), ..) => Some(handler.start()),
            (None, Some(body), Some(last)) => self.finally(body.end(), last.start()),
            _ => None,
        };
        let Some(start) = start.filter(|_| !stmt.is_star) else {
            return;
        };
        let (at, indent) = self.line(start);
        let text = format!("{indent}except {RECURSION}: {STOP}()\n");
        self.insertions.push(Insertion { at, text });
    }

    fn finally(&self, from: TextSize, to: TextSize) -> Option<TextSize> {
        let between = self.tokens.in_range(TextRange::new(from, to));
        let found = between
            .iter()
            .find(|token| token.kind() == TokenKind::Finally);
        found.map(Ranged::start)
    }

    /// At the beginning of its body: if it is told of the exception.
    fn guard_exit(&mut self, stmt: &StmtFunctionDef) {
        let parameters = &stmt.parameters;
        let mut places = parameters.posonlyargs.iter().chain(&parameters.args);
        let kind = match (places.nth(1), &parameters.vararg) {
            (Some(kind), _) => kind.parameter.name.to_string(),
            (None, Some(all)) => {
                let before = parameters.posonlyargs.len() + parameters.args.len();
                format!("{}[{}]", all.name, 1_usize.saturating_sub(before))
            }
            (None, None) => return,
        };
        let Some(first) = stmt.body.first() else {
            return;
        };
        let look = format!("{kind} is {RECURSION} and {STOP}()");
        let (line, indent) = self.line(first.start());
        let is_alone = indent.len() == first.start().to_usize() - line;
        self.insertions.push(match is_alone {
            true => Insertion {
                at: line,
                text: format!("{indent}{look}\n"),
            },
            false => Insertion {
                at: first.start().to_usize(),
                text: format!("{look}; "),
            },
        });
    }

    /// Where a line begins, and what stands before its first letter.
    fn line(&self, at: TextSize) -> (usize, &str) {
        let before = self.script.get(..at.to_usize()).unwrap_or_default();
        let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let line = self.script.get(start..).unwrap_or_default();
        let text = line.trim_start_matches([' ', '\t', '\u{c}']);
        let indent = line.get(..line.len() - text.len()).unwrap_or_default();
        (start, indent)
    }
}

/// Where a statement begins, with what decorates it.
fn decorated(stmt: &Stmt) -> TextSize {
    let decorators = match stmt {
        Stmt::FunctionDef(function) => &*function.decorator_list,
        Stmt::ClassDef(class) => &*class.decorator_list,
        _ => &[],
    };
    decorators.first().map_or(stmt.start(), Ranged::start)
}

fn insert(script: &str, mut insertions: Vec<Insertion>) -> (String, Lines) {
    insertions.sort_by_key(|insertion| insertion.at);
    let (mut text, mut lines, mut done) = (String::new(), Vec::new(), 0);
    for insertion in insertions {
        text.push_str(script.get(done..insertion.at).unwrap_or_default());
        done = insertion.at;
        if insertion.text.ends_with('\n') {
            let line = text.matches('\n').count() + 1;
            lines.push(u32::try_from(line).unwrap_or(u32::MAX));
        }
        text.push_str(&insertion.text);
    }
    text.push_str(script.get(done..).unwrap_or_default());
    (text, Lines(lines))
}

fn bytes(range: TextRange) -> std::ops::Range<usize> {
    range.start().to_usize()..range.end().to_usize()
}
