//! The tools of a session as functions of a script.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolpact_core::contract::Contract;
use toolpact_core::model::ToolName;
use toolpact_core::stubs::{Stubs, ToolStub, python};

use crate::session::ClientInfo;
use crate::{Principal, Session};

/// The tools of a session, as scripts see them.
///
/// Making it generates the declarations of every tool, so keep it for the next script.
#[derive(Debug)]
pub struct ScriptTools {
    session: Session,
    described: Arc<Described>,
    others: Arc<Mutex<Vec<DescribedView>>>,
}

/// What was made of the tools that a session sees.
#[derive(Debug)]
struct DescribedView {
    session: Session,
    described: Arc<Described>,
}

/// For how many choices of tools that principals see declarations are kept, and how many tools these may have together.
const VIEWS: usize = 64;
const TOOLS: usize = 1 << 16;

/// What is made of the contracts.
#[derive(Debug)]
struct Described {
    stubs: Stubs,
    /// The names that calls use, in the order of the stubs.
    names: Vec<Box<str>>,
    /// The names that the declarations of each tool define.
    declared: Vec<HashSet<Box<str>>>,
}

impl Described {
    fn of(session: &Session) -> Self {
        let (names, contracts): (Vec<&str>, Vec<Contract>) = session
            .contracts()
            .map(|(name, contract)| (name, called(name, contract)))
            .unzip();
        let stubs = python::preamble(&contracts);
        let declared = stubs.tools().iter().map(declared_by).collect();
        Self {
            names: names.into_iter().map(Box::from).collect(),
            stubs,
            declared,
        }
    }
}

/// A function that calls a tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Function<'a> {
    pub(super) stub: &'a ToolStub,
    /// The name in scripts.
    pub(super) alias: &'a str,
    /// The name that calls use.
    pub(super) name: &'a str,
    /// Whether it returns the whole result, or the value of the success.
    pub(super) is_whole: bool,
}

impl ScriptTools {
    /// The tools that a session sees.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        Self {
            session: session.clone(),
            described: Arc::new(Described::of(session)),
            others: Arc::default(),
        }
    }

    /// The tools that a principal sees of those that the session could show, and calls of theirs. If they are
    /// others than those of the session, they are described, which is kept for those who see the same.
    #[must_use]
    pub fn for_principal(&self, principal: &Principal) -> Self {
        let session = self.session.fork_for(principal.clone());
        let described = match session.sees_same(&self.session) {
            true => Arc::clone(&self.described),
            false => self.described_for(&session),
        };
        Self {
            session,
            described,
            others: Arc::clone(&self.others),
        }
    }

    /// The same functions, whose calls are made with a client. This is cheap.
    #[must_use]
    pub fn used_by(&self, client: Option<ClientInfo>) -> Self {
        Self {
            session: self.session.used_by(client),
            described: Arc::clone(&self.described),
            others: Arc::clone(&self.others),
        }
    }

    fn described_for(&self, session: &Session) -> Arc<Described> {
        if let Some(known) = self.known(session) {
            return known;
        }
        // Nobody waits for what is described for others.
        let described = Arc::new(Described::of(session));
        let mut others = self.others();
        others.push(DescribedView {
            // The calls of this session end with it.
            session: session.fork(),
            described: Arc::clone(&described),
        });
        let tools = |all: &[DescribedView]| all.iter().map(|one| one.session.len()).sum::<usize>();
        while others.len() > VIEWS || tools(&others) > TOOLS {
            others.remove(0);
        }
        described
    }

    fn known(&self, session: &Session) -> Option<Arc<Described>> {
        let others = self.others();
        let known = others.iter().find(|one| one.session.sees_same(session));
        known.map(|known| Arc::clone(&known.described))
    }

    fn others(&self) -> MutexGuard<'_, Vec<DescribedView>> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The declarations that a script is checked against: those of the tools it names, and what
    /// every script can use.
    ///
    /// ```
    /// use toolpact::code::ScriptTools;
    /// # use toolpact::{Registry, tool, returns::NumberValue};
    /// # /// Adds two numbers.
    /// # #[tool(read_only)]
    /// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
    /// # let registry = Registry::new();
    /// # registry.add(add::tool())?;
    /// let tools = ScriptTools::of(&registry.session().open()?);
    /// assert!(tools.declarations("add(1, 2)").contains("def add(a: int, b: int) -> float:"));
    /// assert!(!tools.declarations("1 + 2").contains("def add"));
    /// # Ok::<(), toolpact::Error>(())
    /// ```
    #[must_use]
    pub fn declarations(&self, script: &str) -> String {
        let words: HashSet<&str> = words(script).collect();
        let mut named = self
            .described
            .stubs
            .tools()
            .iter()
            .zip(&self.described.declared);
        let wanted: HashSet<&str> = named
            .by_ref()
            .filter(|(_, declared)| declared.iter().any(|name| words.contains(&**name)))
            .map(|(stub, _)| stub.alias())
            .collect();
        let stubs = self
            .described
            .stubs
            .text_of(|stub| wanted.contains(stub.alias()));
        format!("{stubs}{PRELUDE}")
    }

    /// The function of each tool, by the name it has in scripts, in the order of the session.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.described.stubs.tools().iter().map(ToolStub::alias)
    }

    /// The session that calls go to.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        let all = self
            .described
            .stubs
            .tools()
            .iter()
            .zip(&self.described.names);
        all.flat_map(|(stub, name)| {
            let function = |alias, is_whole| Function {
                stub,
                alias,
                name,
                is_whole,
            };
            let whole = stub.result_alias().map(|alias| function(alias, true));
            [Some(function(stub.alias(), false)), whole]
        })
        .flatten()
    }

    pub(super) fn function(&self, alias: &str) -> Option<Function<'_>> {
        self.functions().find(|function| function.alias == alias)
    }

    /// The tools whose declarations a message names.
    pub(super) fn named_in(&self, message: &str) -> Vec<String> {
        // What stands in backquotes are names.
        let quoted = message.split('`').skip(1).step_by(2);
        let words: HashSet<&str> = quoted.flat_map(words).collect();
        let all = self.described.names.iter().zip(&self.described.declared);
        let mut named = all.filter(|(_, declared)| declared.iter().any(|d| words.contains(&**d)));
        named.by_ref().map(|(name, _)| name.to_string()).collect()
    }

    /// The digest of every contract by the name of its tool: what a snapshot was made with.
    pub(super) fn digests(&self) -> Vec<(String, String)> {
        let all = self.described.names.iter().filter_map(|name| {
            let digest = self.session.get(name)?.digest().to_owned();
            Some((name.to_string(), digest))
        });
        let mut all: Vec<_> = all.collect();
        all.sort();
        all
    }
}

/// The contract under the name that calls use, which may have that of its toolset in front.
fn called(name: &str, contract: &Contract) -> Contract {
    match ToolName::new(name) {
        Ok(name) => contract.renamed(name),
        Err(_) => contract.clone(),
    }
}

/// What every script can use besides the tools. The worker implements it.
const PRELUDE: &str = r#"
from typing import Any as _Any, Callable as _Callable, TypedDict as _TypedDict

class ToolFailure(_TypedDict):
    code: str
    message: str
    details: dict[str, _Any]
    retryable: bool

def tool_error(error: BaseException) -> ToolFailure:
    """Takes apart what a tool raised."""
    ...

async def tool_task[**P, T](tool: _Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls a tool while the script goes on. Await it for the result."""
    ...
"#;

/// The functions and the types that a tool declares: what stands at the beginning of lines.
fn declared_by(stub: &ToolStub) -> HashSet<Box<str>> {
    let lines = stub.text().lines().filter_map(|line| {
        let class = line
            .strip_prefix("class ")
            .and_then(|rest| words(rest).next());
        class.or_else(|| {
            let (name, _) = line.split_once([' ', ':'])?;
            (!name.is_empty() && line.contains(" = ") && words(name).eq([name])).then_some(name)
        })
    });
    let functions = [stub.alias()].into_iter().chain(stub.result_alias());
    lines.chain(functions).map(Box::from).collect()
}

/// The words of a text that could be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let all = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    all.filter(|word| !word.is_empty())
}
