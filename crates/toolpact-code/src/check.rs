//! Checks a script before it runs: size, syntax, types.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use monty::MontyRun;
use monty_type_checking::{SourceFile, TypeChecker};
use monty_types::{CompileOptions, MontyException, TypeCheckingConfig, TypeCheckingFormat};
use toolpact::code::ScriptPosition;
use toolpact::code::wire::{Failure, LONGEST_SCRIPT, TypeFinding};

use crate::error::{Error, ErrorKind};
use crate::guard::{self, Guarded};
use crate::lines::Lines;
use crate::unsupported;

/// The names of the files that the type checker sees.
const SCRIPT: &str = "script.py";
const STUBS: &str = "toolpact_tools.pyi";

/// A script that can run.
pub(crate) struct Checked {
    pub(crate) program: Program,
    /// Whether comments silence the type checker.
    pub(crate) ignores: bool,
}

/// What is run, and the way back to the lines of the script.
pub(crate) struct Program {
    pub(crate) compiled: MontyRun,
    pub(crate) lines: Lines,
}

#[derive(Default)]
pub(crate) struct Checker {
    types: TypeChecker,
    /// Declarations that are known to be in order.
    sound: HashSet<u64>,
}

impl Checker {
    /// The order matters: scripts that are too long or too deep must not reach the type checker.
    pub(crate) fn check(
        &mut self,
        script: &str,
        file: &str,
        stubs: &str,
    ) -> Result<Checked, Failure> {
        if script.len() > LONGEST_SCRIPT {
            return Err(Failure::TooLong(script.len()));
        }
        compile(script, file, &Lines::default())?;
        let Guarded {
            text,
            lines,
            ignores,
        } = guard::guard(script)?;
        let compiled = compile(&text, file, &lines)?;
        self.check_stubs(stubs)?;
        let findings = self.check_types(script, Some(stubs))?;
        if !findings.is_empty() {
            return Err(Failure::Types(findings));
        }
        let program = Program { compiled, lines };
        Ok(Checked { program, ignores })
    }

    /// Declarations with a mistake would silently disable parts of the check.
    fn check_stubs(&mut self, stubs: &str) -> Result<(), Failure> {
        let mut hasher = DefaultHasher::new();
        stubs.hash(&mut hasher);
        let hash = hasher.finish();
        if self.sound.contains(&hash) {
            return Ok(());
        }
        let source = SourceFile::new(stubs, STUBS);
        let findings = run(&mut self.types, &source, None)?;
        match findings.first() {
            Some(first) => Err(Failure::Declarations(format!(
                "line {}: {}",
                first.place.line, first.message
            ))),
            None => {
                self.sound.insert(hash);
                Ok(())
            }
        }
    }

    fn check_types(
        &mut self,
        script: &str,
        stubs: Option<&str>,
    ) -> Result<Vec<TypeFinding>, Failure> {
        let source = SourceFile::new(script, SCRIPT);
        let stubs = stubs.map(|stubs| SourceFile::new(stubs, STUBS));
        Ok(run(&mut self.types, &source, stubs.as_ref())?)
    }
}

fn compile(text: &str, file: &str, lines: &Lines) -> Result<MontyRun, Failure> {
    let compiled = MontyRun::new(text.to_owned(), file, Vec::new(), CompileOptions::default());
    compiled.map_err(|error| syntax(&error, lines))
}

fn syntax(error: &MontyException, lines: &Lines) -> Failure {
    let place = error
        .traceback()
        .last()
        .map(|frame| lines.place(frame.start));
    Failure::Syntax {
        message: unsupported::in_words(error.message().unwrap_or("this is not Python")),
        place: place.unwrap_or(ScriptPosition { line: 1, column: 1 }),
    }
}

/// Runs the type checker, and resets it.
fn run(
    types: &mut TypeChecker,
    source: &SourceFile<'_>,
    stubs: Option<&SourceFile<'_>>,
) -> Result<Vec<TypeFinding>, Error> {
    let failed = |reason| Error::new(ErrorKind::TypeChecker, reason);
    let config = TypeCheckingConfig {
        format: TypeCheckingFormat::Concise,
        color: false,
    };
    let found = types.run(source, stubs, config).map_err(failed)?;
    let found = found.map(|found| found.to_string()).unwrap_or_default();
    types.reset().map_err(failed)?;
    Ok(found.lines().filter_map(finding).collect())
}

/// `script.py:3:5: error[rule] message`. Warnings are about what may be fine.
fn finding(line: &str) -> Option<TypeFinding> {
    let (_, rest) = line.split_once(".py").or_else(|| line.split_once(".pyi"))?;
    let mut parts = rest.splitn(4, ':');
    let _ = parts.next()?;
    let line = parts.next()?.parse().ok()?;
    let column = parts.next()?.parse().ok()?;
    let (rule, message) = parts
        .next()?
        .trim()
        .strip_prefix("error[")?
        .split_once("] ")?;
    Some(TypeFinding {
        place: ScriptPosition { line, column },
        rule: rule.to_owned(),
        message: message.to_owned(),
    })
}
