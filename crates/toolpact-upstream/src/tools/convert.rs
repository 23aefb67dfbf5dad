//! From what a server lists to definitions. What was converted before stays the very same definition.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use toolpact::call::CallLimits;
use toolpact::core::Violations;
use toolpact::core::dialect::{Dialect, Import, ImportedTool, NotImported};
use toolpact::core::json::{Document, Limits as ReadLimits, Value};
use toolpact::core::returns::Level;
use toolpact::{Context, Definition};

use super::Remote;
use crate::call;
use crate::link::Link;
use crate::lists::{Item, Listed};

#[derive(Default)]
pub(super) struct Converted {
    pub(super) tools: Vec<Tool>,
    pub(super) left_out: Vec<NotImported>,
    /// The places and hashes of those that are left out.
    unused: HashSet<(usize, u64)>,
}

#[derive(Clone)]
pub(super) struct Tool {
    /// Of what the server listed.
    hash: u64,
    /// Whether its contract has the name that the server gave it. Other names depend on those around it.
    keeps_name: bool,
    remote: Arc<Remote>,
    pub(super) definition: Definition,
}

/// What calls of a tool have to know of how it was listed.
struct ListedTool {
    name: Box<str>,
    hash: u64,
    has_schema: bool,
    is_wrapped: bool,
}

impl ListedTool {
    fn of(item: &Item) -> Option<Self> {
        let json = item.json();
        Some(Self {
            name: json["name"].as_str()?.into(),
            hash: item.hash,
            has_schema: json["outputSchema"].is_object(),
            is_wrapped: json["_meta"]["toolpact/wrapped"] == true,
        })
    }
}

impl Converted {
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(Tool::name)
    }
}

impl Tool {
    fn name(&self) -> &str {
        self.definition.contract().name().as_str()
    }
}

/// Converts what is not known yet.
pub(super) fn convert(
    link: &Arc<Link>,
    listed: &Listed,
    dialect: Dialect,
    known: Option<&Converted>,
) -> Result<Converted, Violations> {
    if let Some(known) = known
        && let Some(converted) = convert_some(link, listed, dialect, known)
    {
        return Ok(converted);
    }
    let items: Vec<&Item> = listed.items.iter().map(|item| &**item).collect();
    let import = import(&items, dialect)?;
    let tools = tools(&import, &items, known, link);
    let used: HashSet<u64> = tools.iter().map(|tool| tool.hash).collect();
    let unused = listed.hashes().enumerate();
    Ok(Converted {
        unused: unused.filter(|(_, hash)| !used.contains(hash)).collect(),
        tools,
        left_out: import.left_out().to_vec(),
    })
}

/// `None` if what is new cannot be told apart from the rest, or is wrong in part: what is said about that has
/// to be about the whole list.
fn convert_some(
    link: &Arc<Link>,
    listed: &Listed,
    dialect: Dialect,
    known: &Converted,
) -> Option<Converted> {
    let hashes: HashSet<u64> = listed.hashes().collect();
    let kept = known.tools.iter().filter(|tool| tool.keeps_name);
    let kept = kept.filter(|tool| hashes.contains(&tool.hash));
    let kept: HashMap<u64, &Tool> = kept.map(|tool| (tool.hash, tool)).collect();
    let items = listed.items.iter().map(|item| &**item).enumerate();
    let (unused, used): (Vec<_>, Vec<_>) =
        items.partition(|(place, item)| known.unused.contains(&(*place, item.hash)));
    // One that is there twice is used and left out.
    if unused.len() != known.unused.len() || unused.len() != known.left_out.len() {
        return None;
    }
    let new = used.iter().map(|(_, item)| *item);
    let new: Vec<&Item> = new.filter(|one| !kept.contains_key(&one.hash)).collect();
    let import = import(&new, dialect).ok()?;
    let converted = tools(&import, &new, Some(known), link).into_iter();
    let converted: HashMap<u64, Tool> = converted.map(|tool| (tool.hash, tool)).collect();
    let tool = |(_, item): &(usize, &Item)| {
        let kept = kept.get(&item.hash).copied();
        kept.or_else(|| converted.get(&item.hash)).cloned()
    };
    let tools: Vec<Tool> = used.iter().map(tool).collect::<Option<_>>()?;
    let names: HashSet<&str> = tools.iter().map(Tool::name).collect();
    (names.len() == tools.len()).then(|| Converted {
        left_out: known.left_out.clone(),
        unused: known.unused.clone(),
        tools,
    })
}

fn import(items: &[&Item], dialect: Dialect) -> Result<Import, Violations> {
    if items.is_empty() {
        return Ok(Import::default());
    }
    let mut document = String::from("{\"tools\":[");
    for (place, item) in items.iter().enumerate() {
        document.push_str(if place == 0 { "" } else { "," });
        document.push_str(&item.text);
    }
    document.push_str("]}");
    dialect.import(&Document::json(document.as_bytes(), &ReadLimits::default()))
}

fn tools(
    import: &Import,
    items: &[&Item],
    known: Option<&Converted>,
    link: &Arc<Link>,
) -> Vec<Tool> {
    let mut by_name: HashMap<Box<str>, ListedTool> = HashMap::new();
    for item in items {
        if let Some(tool) = ListedTool::of(item) {
            by_name.entry(tool.name.clone()).or_insert(tool);
        }
    }
    let known = known.into_iter().flat_map(|known| &known.tools);
    let known: HashMap<&str, &Tool> = known.map(|tool| (tool.name(), tool)).collect();
    let tool = |tool: &ImportedTool| {
        let item = by_name.get(&*tool.name);
        let remote = Arc::new(remote(tool, item, link));
        let known = known.get(tool.contract.name().as_str());
        let known = known.filter(|known| known.remote.is_same(&remote));
        Tool {
            hash: item.map_or(0, |item| item.hash),
            keeps_name: item.is_some() && tool.contract.name().as_str() == &*tool.name,
            definition: match known {
                // It is written in another way, and that is all.
                Some(known) => known.definition.clone(),
                None => definition(Arc::clone(&remote), link),
            },
            remote,
        }
    };
    import.tools().iter().map(tool).collect()
}

fn remote(tool: &ImportedTool, listed: Option<&ListedTool>, link: &Link) -> Remote {
    let own = link.settings.contracts.get(tool.contract.name().as_str());
    let promise = || tool.contract.returns().enforcer(Level::Meaning);
    Remote {
        name: tool.name.clone(),
        promise: own.map(|_| promise()),
        contract: own.unwrap_or(&tool.contract).clone(),
        has_schema: listed.is_some_and(|one| one.has_schema),
        is_wrapped: listed.is_some_and(|one| one.is_wrapped),
    }
}

fn definition(remote: Arc<Remote>, link: &Arc<Link>) -> Definition {
    let (contract, timeout) = (remote.contract.clone(), link.settings.timeout);
    let connection = Arc::clone(link);
    let body = move |args: Value, context: Context| {
        let (remote, link) = (Arc::clone(&remote), Arc::clone(&connection));
        async move { call::run(&link, &remote, &args, &context).await }
    };
    let definition = Definition::new(contract, body);
    match timeout {
        Some(timeout) => definition.limits(CallLimits::default().timeout(timeout)),
        None => definition,
    }
}
