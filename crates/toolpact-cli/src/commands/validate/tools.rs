use std::collections::HashMap;

use toolpact_core::document::{AnyDocument, DocumentKind as Kind};
use toolpact_core::json::Limits;
use toolpact_core::returns::Level;
use toolpact_core::toolset::{Function, Toolset};

use super::Arguments;
use crate::files::{self, Source};
use crate::output::{Output, complain};
use crate::report::{FileReport, Human, Reporter};

/// Every function of every document in the places that `--tools` names. `None` if something is
/// wrong with them, which has then been said.
pub(super) fn load(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Option<Toolset>> {
    let mut sources = files::find(&arguments.tools);
    if let Some(problem) = sources.problems.pop() {
        sources.problems.iter().for_each(complain);
        return Err(problem);
    }
    let mut functions = Functions {
        limits: arguments.limits.limits(),
        level: arguments.level.into(),
        list: Vec::new(),
        origins: HashMap::new(),
    };
    let mut fine = true;
    for source in &sources.list {
        fine &= functions.add_source(source, out)?;
    }
    if !fine {
        return Ok(None);
    }
    anyhow::ensure!(
        !functions.list.is_empty(),
        "there are no tools in what --tools names"
    );
    Ok(Some(Toolset::new(functions.list)?))
}

struct Functions {
    limits: Limits,
    level: Level,
    list: Vec<Function>,
    /// Which file a name is from. Two tools are two namespaces, but a call names no tool.
    origins: HashMap<String, String>,
}

impl Functions {
    fn add_source(&mut self, source: &Source, out: &mut Output) -> anyhow::Result<bool> {
        let bytes = source.read()?;
        let document = source.parse(&bytes, &self.limits);
        let has_tools = document.root().is_none_or(|root| {
            has_functions(Kind::of(root)) || root.items().any(|item| has_functions(Kind::of(item)))
        });
        if source.found && !has_tools {
            return Ok(true);
        }
        let checked = AnyDocument::check_each(&document, None);
        let Some(documents) = checked.value else {
            let (name, violations) = (source.name(), &checked.violations);
            let report = FileReport {
                name: &name,
                text: document.text(),
                kinds: &[],
                violations,
                paths: None,
            };
            Human.file(&report, out)?;
            return Ok(false);
        };
        for document in documents {
            let kind = document.kind();
            anyhow::ensure!(
                has_functions(Some(kind)),
                "expected tools in {}, found a {kind}",
                source.name()
            );
            for function in document.functions(self.level) {
                self.add(function, source)?;
            }
        }
        Ok(true)
    }

    fn add(&mut self, function: Function, source: &Source) -> anyhow::Result<()> {
        let name = function.name().to_owned();
        if let Some(other) = self.origins.insert(name.clone(), source.name()) {
            anyhow::bail!(
                "the function `{name}` is declared in {other} and in {}, and a call does not say which is meant; \
                 give the tools that belong together",
                source.name()
            );
        }
        self.list.push(function);
        Ok(())
    }
}

fn has_functions(kind: Option<Kind>) -> bool {
    matches!(
        kind,
        Some(Kind::Tool | Kind::Declaration | Kind::Contract | Kind::Agent)
    )
}
