//! One step of a plan.

use toolpact_core::Pointer;
use toolpact_core::json::{Kind, Node, Number, Value, Whole};

use crate::findings::{Draft, Findings};
use crate::problem::PlanRule;
use crate::reference::is_id;
use crate::step::PlanStep;
use crate::template::Template;
use crate::words::{did_you_mean, list, shorten};

/// What models write beside the fields to say why; it changes nothing.
pub(super) const COMMENTS: [&str; 9] = [
    "comment",
    "description",
    "explanation",
    "goal",
    "note",
    "purpose",
    "reason",
    "thought",
    "title",
];
const ID: &[&str] = &["id", "step"];
const TOOL: &[&str] = &["tool", "name"];
const ARGS: &[&str] = &["args", "arguments", "input", "parameters"];
const AFTER: &[&str] = &["after", "depends_on", "dependencies"];
const FIELDS: [&[&str]; 4] = [ID, TOOL, ARGS, AFTER];

/// An id longer than this is not a name any more.
const LONGEST_ID: usize = 64;

/// Reads the step at position `at`. `None` if there is no use in looking at it further.
pub(super) fn read_step(node: Node<'_>, at: usize, found: &mut Findings) -> Option<PlanStep> {
    let position = format!("step{}", at + 1);
    let mut reader = Reader {
        node,
        id: &position,
        found,
    };
    if node.kind() != Kind::Object {
        reader.problem(&Pointer::root(), || {
            Draft::new(format!("expected a step, found {}", node.kind()))
        });
        return None;
    }
    let id = reader.id();
    let id = id.as_deref().unwrap_or(&position);
    let mut reader = Reader { node, id, found };
    reader.check_keys();
    let tool = reader.tool();
    let template = reader.args();
    let after = reader.after();
    let (tool, tool_at) = tool?;
    Some(PlanStep {
        id: id.into(),
        tool,
        tool_at,
        template: template?,
        after,
    })
}

struct Reader<'v, 'r> {
    node: Node<'v>,
    /// What the step is called in messages.
    id: &'r str,
    found: &'r mut Findings,
}

impl<'v> Reader<'v, '_> {
    fn id(&mut self) -> Option<Box<str>> {
        let (pointer, node) = self.field(ID)?;
        self.step_name(node, &pointer)
    }

    fn tool(&mut self) -> Option<(Box<str>, Pointer)> {
        let Some((pointer, node)) = self.field(TOOL) else {
            self.problem(&Pointer::root(), || {
                Draft::new("expected the key `tool`, found none".to_owned())
            });
            return None;
        };
        match node.as_str() {
            Some(name) => Some((name.into(), pointer)),
            None => {
                self.problem(&pointer, || {
                    Draft::new(format!(
                        "expected the name of a tool, found {}",
                        node.kind()
                    ))
                });
                None
            }
        }
    }

    fn args(&mut self) -> Option<Template> {
        let (pointer, args) = match self.field(ARGS) {
            Some((pointer, node)) => (pointer, node.to_value()),
            None => (Pointer::root().key("args"), Value::from_json("{}").ok()?),
        };
        let kind = args.kind();
        let template = Template::read(args, self.id, &pointer, self.found);
        if kind == Kind::Object || template.is_one_reference() {
            return Some(template);
        }
        self.problem(&pointer, || {
            Draft::new(format!("expected an object of arguments, found {kind}"))
        });
        None
    }

    /// A list of ids, or one.
    fn after(&mut self) -> Vec<(Box<str>, Pointer)> {
        let Some((pointer, node)) = self.field(AFTER) else {
            return Vec::new();
        };
        let one = (node.kind() != Kind::Array).then(|| (pointer.clone(), node));
        let many = node.items().enumerate();
        let many = many.map(|(at, node)| (pointer.index(at), node));
        one.into_iter()
            .chain(many)
            .filter_map(|(at, node)| Some((self.step_name(node, &at)?, at)))
            .collect()
    }

    /// The id of a step. Models like to count, so an integer is one too.
    fn step_name(&mut self, node: Node<'_>, pointer: &Pointer) -> Option<Box<str>> {
        let number = node.as_number().map(Number::whole);
        let name = match (node.as_str(), number) {
            (Some(name), _) => name.into(),
            (None, Some(Whole::Integer(number))) => number.to_string(),
            _ => {
                self.problem(pointer, || {
                    Draft::new(format!("expected the id of a step, found {}", node.kind()))
                });
                return None;
            }
        };
        if name.len() <= LONGEST_ID && !name.is_empty() && name.chars().all(is_id) {
            return Some(name.into());
        }
        self.problem(pointer, || {
            let expected = "an id of letters, digits, `_` and `-`, of at most 64 bytes";
            Draft::new(format!("expected {expected}, found `{}`", shorten(&name)))
        });
        None
    }

    /// The field under the one of its names that is there. `null` is the same as nothing.
    fn field(&mut self, names: &'static [&'static str]) -> Option<(Pointer, Node<'v>)> {
        let node = self.node;
        let there = names
            .iter()
            .filter_map(|name| Some((*name, node.get(name)?)));
        let there: Vec<_> = there.filter(|(_, n)| n.kind() != Kind::Null).collect();
        let (name, value) = *there.first()?;
        if there.len() > 1 {
            let written = || there.iter().map(|(name, _)| *name);
            self.problem(&Pointer::root(), || {
                let found = if there.len() == 2 {
                    "both"
                } else {
                    "all of them"
                };
                let message = format!("expected one of {}, found {found}", list(written()));
                Draft::new(message).advise(Some(format!("write `{}` alone", names[0])))
            });
        }
        Some((Pointer::root().key(name), value))
    }

    /// What nobody knows could be a condition, so it is not passed over.
    fn check_keys(&mut self) {
        let names = || FIELDS.iter().flat_map(|names| names.iter().copied());
        for (key, _) in self.node.members() {
            if names().chain(COMMENTS).any(|name| name == key) {
                continue;
            }
            self.problem(&Pointer::root().key(&key), || {
                let fields = list(FIELDS.map(|names| names[0]));
                let message = format!(
                    "expected one of the keys {fields}, found `{}`",
                    shorten(&key)
                );
                Draft::new(message).advise(did_you_mean(&key, names()))
            });
        }
    }

    fn problem(&mut self, at: &Pointer, say: impl FnOnce() -> Draft) {
        let id = self.id;
        self.found.add(PlanRule::Shape, || say().in_step(id).at(at));
    }
}
