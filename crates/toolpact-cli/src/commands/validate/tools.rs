use std::collections::HashMap;
use std::path::PathBuf;

use toolpact_core::document::{AnyDocument, DocumentKind as Kind};
use toolpact_core::json::Limits;
use toolpact_core::model::{FunctionDeclaration, Tool};

use crate::files::{self, Source};
use crate::output::{Output, complain};
use crate::report::{FileReport, Human, Reporter};

/// Every function of every tool in these places, as one tool. `None` if something is wrong with
/// them, which has then been said.
pub(super) fn load(
    paths: &[PathBuf],
    limits: &Limits,
    out: &mut Output,
) -> anyhow::Result<Option<Tool>> {
    let mut sources = files::find(paths);
    if let Some(problem) = sources.problems.pop() {
        sources.problems.iter().for_each(complain);
        return Err(problem);
    }
    let mut functions = Functions::default();
    let mut fine = true;
    for source in &sources.list {
        fine &= functions.add_source(source, limits, out)?;
    }
    if !fine {
        return Ok(None);
    }
    anyhow::ensure!(
        !functions.list.is_empty(),
        "there are no tools in what --tools names"
    );
    let mut tool = Tool::builder();
    for function in functions.list {
        tool = tool.function(function);
    }
    Ok(Some(tool.build()?))
}

#[derive(Default)]
struct Functions {
    list: Vec<FunctionDeclaration>,
    /// Which file a name is from. Two tools are two namespaces, but a call names no tool.
    origins: HashMap<String, String>,
}

impl Functions {
    fn add_source(
        &mut self,
        source: &Source,
        limits: &Limits,
        out: &mut Output,
    ) -> anyhow::Result<bool> {
        let bytes = source.read()?;
        let document = source.parse(&bytes, limits);
        let is_tool = |kind| matches!(kind, Some(Kind::Tool | Kind::Declaration));
        let has_tools = document.root().is_none_or(|root| {
            is_tool(Kind::of(root)) || root.items().any(|item| is_tool(Kind::of(item)))
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
            };
            Human.file(&report, out)?;
            return Ok(false);
        };
        for document in documents {
            match document {
                AnyDocument::Tool(tool) => {
                    for function in tool.declarations() {
                        self.add(function.clone(), source)?;
                    }
                }
                AnyDocument::Declaration(function) => self.add(function, source)?,
                other => {
                    let (name, kind) = (source.name(), other.kind());
                    anyhow::bail!("expected tools in {name}, found a {kind}");
                }
            }
        }
        Ok(true)
    }

    fn add(&mut self, function: FunctionDeclaration, source: &Source) -> anyhow::Result<()> {
        let name = function.name().to_string();
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
