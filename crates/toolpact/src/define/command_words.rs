//! `{argument}` in the words of a command.

use toolpact_core::contract::{Command, Contract};
use toolpact_core::json::{Kind, Node, Value};
use toolpact_core::violation::nearest;

use crate::ToolError;

/// A command with places for arguments of the call. What fills a place is one argument of the
/// program, and never an option.
pub(super) struct CommandWords {
    command: Command,
    /// None if nothing has to be filled in.
    words: Option<Vec<Word>>,
}

enum Word {
    Fixed(Box<str>),
    /// `{name}`, or `--option={name}`.
    Argument {
        option: Box<str>,
        name: Box<str>,
        /// Whether it stands after `--`, where programs expect no more options.
        after_options: bool,
    },
}

impl CommandWords {
    /// Finds the places, or says which cannot be filled safely.
    pub(super) fn read(contract: &Contract, command: Command) -> Result<Self, String> {
        let schema = contract.parameters().to_json_schema();
        let properties = schema.root().get("properties");
        let members = properties.into_iter().flat_map(Node::members);
        let names: Vec<String> = members.map(|(name, _)| name.into_owned()).collect();
        let (mut words, mut after_options) = (Vec::new(), false);
        for arg in command.args() {
            words.push(Word::read(arg, &names, after_options)?);
            after_options |= arg == "--";
        }
        let has_places = words
            .iter()
            .any(|word| matches!(word, Word::Argument { .. }));
        Ok(Self {
            command,
            words: has_places.then_some(words),
        })
    }

    /// The command of a call.
    pub(super) fn fill(&self, args: &Value) -> Result<Command, ToolError> {
        let Some(words) = &self.words else {
            return Ok(self.command.clone());
        };
        let mut filled = Vec::new();
        for word in words {
            filled.extend(word.fill(args)?);
        }
        Ok(self.command.with_args(filled))
    }
}

impl Word {
    fn read(arg: &str, names: &[String], after_options: bool) -> Result<Self, String> {
        if let Some((option, name)) = place(arg) {
            if names.iter().any(|known| known == name) {
                return Ok(Word::Argument {
                    option: option.into(),
                    name: name.into(),
                    after_options,
                });
            }
            if let Some(meant) = nearest(name, names.iter().map(String::as_str)) {
                return Err(format!(
                    "`{arg}` in its command is no parameter; did you mean `{{{meant}}}`?"
                ));
            }
        }
        match names.iter().find(|name| contains_place(arg, name)) {
            Some(name) => Err(format!(
                "expected `{{{name}}}` to be an argument of the command of its own, or `--option={{{name}}}`, \
                 found it inside of another, where it could mean anything; a script gets it as in \
                 `[sh, -c, 'grep -- \"$1\" notes.txt', sh, \"{{{name}}}\"]`"
            )),
            None => Ok(Word::Fixed(arg.into())),
        }
    }

    /// The argument of the program; `None` if that of the call was not given.
    fn fill(&self, args: &Value) -> Result<Option<Box<str>>, ToolError> {
        let (option, name, after_options) = match self {
            Word::Fixed(word) => return Ok(Some(word.clone())),
            Word::Argument {
                option,
                name,
                after_options,
            } => (option, name, *after_options),
        };
        let Some(value) = args.root().get(name).filter(|one| one.kind() != Kind::Null) else {
            return Ok(None);
        };
        let text = match value.as_str() {
            Some(text) => text.into_owned(),
            None => value.text().to_owned(),
        };
        if text.contains('\0') {
            return Err(ToolError::invalid(format!(
                "Expected `{name}` without the character U+0000."
            )));
        }
        if option.is_empty() && !after_options && text.starts_with('-') {
            return Err(ToolError::invalid(format!(
                "Expected `{name}` not to begin with `-`."
            )));
        }
        Ok(Some(format!("{option}{text}").into()))
    }
}

/// The option, if there is one, and the name of an argument that is a place and nothing else.
fn place(arg: &str) -> Option<(&str, &str)> {
    let (option, name) = arg.strip_suffix('}')?.split_once('{')?;
    let is_word = |text: &str| {
        let mut letters = text.chars();
        !text.is_empty() && letters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
    };
    let is_option = |text: &str| {
        let inner = text
            .strip_prefix('-')
            .and_then(|rest| rest.strip_suffix('='));
        inner.is_some_and(is_word)
    };
    let fits = (option.is_empty() || is_option(option)) && is_word(name);
    fits.then_some((option, name))
}

/// Whether a word has a place for this argument somewhere. `${name}` is for shells.
fn contains_place(arg: &str, name: &str) -> bool {
    let place = format!("{{{name}}}");
    let mut found = arg.match_indices(&place);
    found.any(|(at, _)| !arg.get(..at).unwrap_or_default().ends_with('$'))
}

#[cfg(test)]
mod tests {
    use super::{CommandWords, Value};
    use toolpact_core::contract::{Contract, Run};

    fn words(command: &str) -> Result<CommandWords, String> {
        let contract = Contract::from_json(format!(
            r#"{{"name": "t", "description": "T.", "returns": "opaque", "run": {{"command": {command}}},
                "parameters": {{"type": "object", "properties": {{"path": {{}}, "n": {{}}}}}}}}"#
        ))
        .unwrap();
        match contract.run().cloned() {
            Some(Run::Command(command)) => CommandWords::read(&contract, command),
            _ => unreachable!(),
        }
    }

    #[test]
    fn an_argument_stays_one_argument() {
        let spaces = r#"{"path": "a b; $(rm) \"", "n": 5}"#;
        let dash = r#"{"path": "-rf"}"#;
        for (command, args, expected) in [
            (r#"["ls", "{path}"]"#, spaces, Ok(&["a b; $(rm) \""][..])),
            (
                r#"["ls", "-n={n}", "{path}"]"#,
                spaces,
                Ok(&["-n=5", "a b; $(rm) \""]),
            ),
            (r#"["ls", "{path}", "-l"]"#, "{}", Ok(&["-l"])),
            (r#"["ls", "{path}"]"#, r#"{"path": null}"#, Ok(&[])),
            (r#"["ls", "{path}"]"#, r#"{"path": [1]}"#, Ok(&["[1]"])),
            (r#"["ls", "{path}"]"#, dash, Err("not to begin with `-`")),
            (r#"["ls", "--", "{path}"]"#, dash, Ok(&["--", "-rf"])),
            (r#"["ls", "--in={path}"]"#, dash, Ok(&["--in=-rf"])),
            (
                r#"["ls", "{path}"]"#,
                r#"{"path": "a\u0000b"}"#,
                Err("U+0000"),
            ),
            // What other programs write so.
            (r#"["awk", "{print}"]"#, spaces, Ok(&["{print}"])),
            (r#"["jq", "{ path }"]"#, spaces, Ok(&["{ path }"])),
            (
                r#"["sh", "-c", "echo ${path}"]"#,
                spaces,
                Ok(&["-c", "echo ${path}"]),
            ),
        ] {
            let filled = words(command)
                .unwrap()
                .fill(&Value::from_json(args).unwrap());
            match (filled, expected) {
                (Ok(filled), Ok(expected)) => {
                    assert_eq!(filled.args().collect::<Vec<_>>(), expected, "{command}");
                }
                (Err(error), Err(expected)) => assert!(error.to_string().contains(expected)),
                (filled, _) => panic!("{command}: {filled:?}"),
            }
        }
    }

    #[test]
    fn places_that_are_not_safe_are_refused() {
        for (command, expected) in [
            (r#"["sh", "-c", "cat {path}"]"#, "inside of another"),
            (r#"["sh", "-c", "x={path}"]"#, "inside of another"),
            (r#"["sh", "-c", "{path}; ls"]"#, "inside of another"),
            (r#"["cat", "{pth}"]"#, "did you mean `{path}`?"),
        ] {
            let error = words(command).err();
            assert!(
                error.is_some_and(|error| error.contains(expected)),
                "{command}"
            );
        }
    }
}
