//! Keeps scripts from catching the limit of recursion.
//!
//! The interpreter raises it as an exception like any other. So wherever a script could catch it, or
//! put another one in its place, it is caught before, by code that stops the script for good:
//!
//! - `except` and `finally` get a handler before them. A `try` that has both is put into another one,
//!   because a handler does not see what the handlers beside it raise.
//! - What a `with` enters is wrapped, because `__exit__` can swallow exceptions, whoever made it.
//!
//! Tracebacks show the script as it was.

use ruff_python_ast::statement_visitor::{StatementVisitor, walk_body, walk_stmt};
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::{ExceptHandler, Stmt, StmtTry, WithItem};
use ruff_python_parser::parse_module;
use ruff_text_size::{Ranged, TextRange, TextSize};
use toolpact::code::ScriptPosition;
use toolpact::code::wire::Failure;

use crate::lines::{Insertion, Lines, insert};

/// The prefix of names that scripts may not use.
const OWN: &str = "__toolpact";

/// The exception, and what is called where it is caught.
const RECURSION: &str = "__toolpact_recursion__";
pub(crate) const STOP: &str = "__toolpact_stop__";

/// What every script begins with. Exceptions cannot be handed over in another way.
const FIRST: &str = "__toolpact_recursion__ = RecursionError; ToolError = RuntimeError\n";

/// What a `with` really enters, in the scripts that have one.
const WITH: &str = "\
class __toolpact_with__:
    def __init__(self, manager): self.manager = manager
    def __enter__(self): return self.manager.__enter__()
    def __exit__(self, kind, value, trace):
        kind is __toolpact_recursion__ and __toolpact_stop__()
        return self.manager.__exit__(kind, value, trace)
";

/// A script with inserted lines.
pub(crate) struct Guarded {
    pub(crate) text: String,
    pub(crate) lines: Lines,
    /// Whether comments silence the type checker.
    pub(crate) ignores: bool,
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
        depth: 0,
        has_with: false,
        insertions: Vec::new(),
    };
    visitor.visit_body(&parsed.syntax().body);
    visitor.define(&parsed.syntax().body);
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
    let place = ScriptPosition {
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

struct Visitor<'a> {
    script: &'a str,
    tokens: &'a Tokens,
    /// By how much lines are indented here.
    depth: usize,
    has_with: bool,
    insertions: Vec<Insertion>,
}

impl<'a> StatementVisitor<'a> for Visitor<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Try(stmt) => return self.guard_try(stmt),
            Stmt::With(stmt) => stmt.items.iter().for_each(|item| self.wrap(item)),
            _ => {}
        }
        walk_stmt(self, stmt);
    }
}

impl<'a> Visitor<'a> {
    /// Before the first statement that does something. Some have to come first.
    fn define(&mut self, body: &[Stmt]) {
        let first = body.iter().find(|stmt| match stmt {
            Stmt::Expr(expression) => !expression.value.is_string_literal_expr(),
            Stmt::ImportFrom(import) => import.module.as_deref() != Some("__future__"),
            _ => true,
        });
        if let Some(first) = first {
            let (at, _) = self.line(decorated(first));
            let text = FIRST.to_owned() + if self.has_with { WITH } else { "" };
            self.insertions.insert(0, Insertion { at, text });
        }
    }

    fn guard_try(&mut self, stmt: &'a StmtTry) {
        let finally = self.finally(stmt);
        let is_moved = finally.is_some() && !stmt.handlers.is_empty();
        if let (true, Some(finally)) = (is_moved, finally) {
            self.insert_line(stmt.start(), "try:");
            self.move_lines(TextRange::new(stmt.start(), finally));
            self.depth += 1;
        }
        if let Some(first) = stmt.handlers.first() {
            self.insert_handler(first.start());
        }
        walk_body(self, &stmt.body);
        for ExceptHandler::ExceptHandler(handler) in &stmt.handlers {
            walk_body(self, &handler.body);
        }
        walk_body(self, &stmt.orelse);
        if is_moved {
            self.depth -= 1;
        }
        if let Some(finally) = finally {
            self.insert_handler(finally);
        }
        walk_body(self, &stmt.finalbody);
    }

    /// Where the word stands.
    fn finally(&self, stmt: &StmtTry) -> Option<TextSize> {
        let last = stmt.finalbody.first()?;
        let body = stmt.body.last().map(Ranged::end);
        let handlers = stmt.handlers.last().map(Ranged::end);
        let before = stmt.orelse.last().map(Ranged::end).or(handlers).or(body)?;
        let between = self.tokens.in_range(TextRange::new(before, last.start()));
        let mut words = between.iter();
        let word = words.find(|token| token.kind() == TokenKind::Finally);
        word.map(Ranged::start)
    }

    fn insert_handler(&mut self, before: TextSize) {
        self.insert_line(before, &format!("except {RECURSION}: {STOP}()"));
    }

    /// Indented like the line before which it goes.
    fn insert_line(&mut self, before: TextSize, line: &str) {
        let (at, indent) = self.line(before);
        let text = format!("{indent}{}{line}\n", " ".repeat(self.depth));
        self.insertions.push(Insertion { at, text });
    }

    /// One space more at the beginning of every logical line: the lines of a text stay where they are.
    fn move_lines(&mut self, range: TextRange) {
        let mut is_first = true;
        for token in self.tokens.in_range(range) {
            match token.kind() {
                TokenKind::Newline => is_first = true,
                kind if kind.is_trivia() => {}
                TokenKind::Indent | TokenKind::Dedent => {}
                _ if is_first => {
                    is_first = false;
                    self.insert(token.start(), " ");
                }
                _ => {}
            }
        }
    }

    /// Within brackets that are there already, if there are any.
    fn wrap(&mut self, item: &WithItem) {
        self.has_with = true;
        let range = item.context_expr.range();
        self.insert(range.start(), "__toolpact_with__((");
        self.insert(range.end(), "))");
    }

    fn insert(&mut self, at: TextSize, text: &str) {
        let (at, text) = (at.to_usize(), text.to_owned());
        self.insertions.push(Insertion { at, text });
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

fn bytes(range: TextRange) -> std::ops::Range<usize> {
    range.start().to_usize()..range.end().to_usize()
}
