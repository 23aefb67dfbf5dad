use std::collections::HashSet;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Writer};
use crate::model::{Fields, Structure, describe, expect};
use crate::text::shorten;
use crate::violation::rules::{contract as rules, structure};

/// How a tool is executed. No part of what it promises.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Run {
    /// A program.
    Command(Command),
}

/// A program to start for a call, without a shell in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    program: Box<str>,
    args: Vec<Box<str>>,
    env: Vec<Box<str>>,
}

const STRUCTURE: Structure = Structure {
    name: "the way to run a tool",
    required: &[],
    optional: &["command", "env"],
    foreign: &[("http", "run a `command`: version 1 knows no other way")],
};

impl Run {
    pub(super) fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let command = match node.kind() {
            Kind::Array => Some("[…]".to_owned()),
            Kind::String => Some(as_list(node)),
            _ => None,
        };
        if let Some(command) = command {
            let advice = format!("write {{\"command\": {command}}}");
            wrong_type(node, Kind::Object, "run", &advice, report);
            return None;
        }
        let before = report.errors();
        let fields = Fields::read(node, &STRUCTURE, report)?;
        let env = read_env(&fields, report);
        let command = fields
            .optional("command", report)
            .and_then(|node| read_command(node, report));
        // A field that is not known is another way to run, and has been reported.
        if command.is_none() && report.errors() == before {
            report.add(&rules::RUN, Place::Node(node.id()), |finding| {
                finding
                    .say("expected a way to run the tool, found none")
                    .advise("for example \"command\": [\"python3\", \"tool.py\"]");
            });
        }
        let (program, args) = command?;
        Some(Run::Command(Command { program, args, env }))
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        let Run::Command(command) = self;
        writer.begin_object().key("command").begin_array();
        writer.string(&command.program);
        for arg in &command.args {
            writer.string(arg);
        }
        writer.end_array();
        if !command.env.is_empty() {
            writer.key("env").begin_array();
            for name in &command.env {
                writer.string(name);
            }
            writer.end_array();
        }
        writer.end_object();
    }
}

impl Command {
    /// The program, by its path or its name.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Its arguments.
    pub fn args(&self) -> impl ExactSizeIterator<Item = &str> {
        self.args.iter().map(|arg| &**arg)
    }

    /// The same program with other arguments.
    #[must_use]
    pub fn with_args(&self, args: Vec<Box<str>>) -> Self {
        Self {
            args,
            ..self.clone()
        }
    }

    /// The names of the environment variables it may see.
    pub fn env(&self) -> impl ExactSizeIterator<Item = &str> {
        self.env.iter().map(|name| &**name)
    }
}

fn read_command(node: Node<'_>, report: &mut Report) -> Option<(Box<str>, Vec<Box<str>>)> {
    if node.kind() == Kind::String {
        let advice = format!("write {}", as_list(node));
        wrong_type(node, Kind::Array, "command", &advice, report);
        return None;
    }
    let list = expect(node, Kind::Array, "command", report)?;
    let mut words = Vec::new();
    for item in list.items() {
        match item.as_str() {
            Some(word) if !word.contains('\0') => words.push(Box::from(&*word)),
            _ => wrong_command(item, "strings without the character U+0000", report),
        }
    }
    match list.items().next() {
        None => wrong_command(list, "a program", report),
        Some(first)
            if first
                .as_str()
                .is_some_and(|program| program.trim().is_empty()) =>
        {
            wrong_command(first, "a program first", report);
        }
        Some(_) => {}
    }
    let mut words = words.into_iter();
    Some((words.next()?, words.collect()))
}

/// A command line as a list: `["date", "-u"]`.
fn as_list(node: Node<'_>) -> String {
    let line = node.as_str().unwrap_or_default();
    // Which words belong together is then for the author to say.
    if line.contains(['"', '\'', '\\']) || line.trim().is_empty() {
        return r#"["program", "argument"]"#.to_owned();
    }
    let line = shorten(&line);
    let words = line.split_whitespace().map(|word| format!("\"{word}\""));
    format!("[{}]", words.collect::<Vec<String>>().join(", "))
}

fn wrong_type(node: Node<'_>, kind: Kind, name: &str, advice: &str, report: &mut Report) {
    report.add(&structure::WRONG_TYPE, Place::Node(node.id()), |finding| {
        let found = describe(node);
        finding
            .say(format!("expected `{name}` to be {kind}, found {found}"))
            .advise(advice);
    });
}

fn wrong_command(node: Node<'_>, expected: &str, report: &mut Report) {
    report.add(&rules::COMMAND, Place::Node(node.id()), |finding| {
        let found = match node.kind() {
            Kind::Array => "nothing".to_owned(),
            _ => describe(node),
        };
        finding.say(format!(
            "expected `command` to have {expected}, found {found}"
        ));
    });
}

fn read_env(fields: &Fields<'_>, report: &mut Report) -> Vec<Box<str>> {
    let list = fields
        .optional("env", report)
        .and_then(|node| expect(node, Kind::Array, "env", report));
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    for item in list.into_iter().flat_map(Node::items) {
        let name = item.as_str().unwrap_or_default();
        let problem = match () {
            () if !is_variable(&name) => format!("found {}", describe(item)),
            () if seen.contains(&name) => format!("found `{}` again", shorten(&name)),
            () => {
                names.push(Box::from(&*name));
                seen.insert(name);
                continue;
            }
        };
        report.add(&rules::ENV, Place::Node(item.id()), |finding| {
            finding.say(format!(
                "expected `env` to have names of environment variables, each once, {problem}"
            ));
            if name.contains('=') {
                finding.advise("write the name only: values come from the environment");
            }
        });
    }
    names
}

fn is_variable(name: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    !name.is_empty() && name.bytes().all(word) && !name.starts_with(|c: char| c.is_ascii_digit())
}
