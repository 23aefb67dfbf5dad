//! Adds a server to the file of a client. The file is the user's: only an entry is inserted, and
//! everything else stays as it is, comments included.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value as Json, json};
use toolpact_core::json::{Document, Kind, Limits};

use super::comments::without_comments;
use crate::save;

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Merged {
    Written,
    /// It has this entry already.
    WasThere,
    /// It was left as it is.
    Cannot(String),
}

/// The entry on its own, as a file that has nothing else.
pub(super) fn whole(servers: &str, name: &str, entry: &Json) -> String {
    format!("{:#}", json!({servers: {name: entry}}))
}

/// Adds the entry to the servers in a file, which is made if it is not there.
pub(super) fn into_file(
    path: &Path,
    servers: &str,
    name: &str,
    entry: &Json,
) -> anyhow::Result<Merged> {
    let shown = path.display();
    let before = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Ok(Merged::Cannot("it is no text in UTF-8".to_owned()));
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
    };
    let after = match merged(&before, servers, name, entry) {
        Ok(Some(after)) => after,
        Ok(None) => return Ok(Merged::WasThere),
        Err(why) => return Ok(Merged::Cannot(why)),
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    save::replace(path, &after)?;
    Ok(Merged::Written)
}

/// The text with the entry; `None` if it is there.
fn merged(before: &str, servers: &str, name: &str, entry: &Json) -> Result<Option<String>, String> {
    if before.trim().is_empty() {
        return Ok(Some(whole(servers, name, entry) + "\n"));
    }
    let plain = without_comments(before);
    let old = read(&plain)?;
    let (place, value) = match old.get(servers) {
        None => (None, json!({name: entry})),
        Some(Json::Object(there)) => match there.get(name) {
            Some(same) if same == entry => return Ok(None),
            Some(_) => {
                return Err(format!(
                    "it has another server `{name}`; remove that, or choose another name with --name"
                ));
            }
            None => (Some(servers), entry.clone()),
        },
        Some(_) => return Err(format!("expected `{servers}` in it to be an object")),
    };
    let key = if place.is_some() { name } else { servers };
    let after = insert(before, &plain, place, key, &value).ok_or("it cannot be edited safely")?;
    // Whatever went wrong above must not cost anyone their settings.
    let mut expected = old;
    expected[servers][name] = entry.clone();
    match read(&without_comments(&after)) {
        Ok(new) if new == expected => Ok(Some(after)),
        _ => Err("it cannot be edited safely".to_owned()),
    }
}

/// Strictly: a key that is there twice would be lost unseen.
fn read(plain: &str) -> Result<Json, String> {
    let not_json = |why: String| format!("expected JSON in it: {why}");
    let document = Document::json(plain.as_bytes(), &Limits::default());
    let root = document.into_value().map_err(|wrong| {
        let first = wrong.iter().next().map(ToString::to_string);
        not_json(first.unwrap_or_default())
    })?;
    match root.deserialize() {
        Ok(Json::Object(object)) => Ok(Json::Object(object)),
        Ok(_) => Err("expected an object in it".to_owned()),
        Err(error) => Err(not_json(error.to_string())),
    }
}

/// Inserts a member as the first of an object: the root, or one of its members.
fn insert(
    before: &str,
    plain: &str,
    place: Option<&str>,
    key: &str,
    value: &Json,
) -> Option<String> {
    let document = Document::json(plain.as_bytes(), &Limits::default());
    let root = document.root()?;
    let object = place.map_or(Some(root), |key| root.get(key))?;
    if object.kind() != Kind::Object {
        return None;
    }
    let is_empty = object.members().next().is_none();
    // Both are parts of one text.
    let inside = object.text().as_ptr().addr() - root.text().as_ptr().addr();
    let at = plain.find('{')? + inside + 1;
    let unit = indent(plain);
    let depth = if place.is_some() { 2 } else { 1 };
    let line = if before.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let (outer, inner) = (unit.repeat(depth - 1), unit.repeat(depth));
    let value = format!("{value:#}");
    let mut lines = value.lines();
    let mut member = format!("{line}{inner}{}: {}", Json::from(key), lines.next()?);
    for text in lines {
        let rest = text.trim_start_matches(' ');
        let steps = (text.len() - rest.len()) / 2;
        member += &format!("{line}{inner}{}{rest}", unit.repeat(steps));
    }
    let is_closed_here = before
        .get(at..)?
        .trim_start_matches([' ', '\t'])
        .starts_with('}');
    let end = match (is_empty, is_closed_here) {
        (false, _) => ",".to_owned(),
        (true, true) => format!("{line}{outer}"),
        (true, false) => String::new(),
    };
    let (head, tail) = (before.get(..at)?, before.get(at..)?);
    Some(format!("{head}{member}{end}{tail}"))
}

/// How much deeper a line begins than the one around it.
fn indent(plain: &str) -> String {
    let mut lines = plain.lines().skip_while(|line| !line.contains('{')).skip(1);
    let first = lines.find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default();
    let space: String = first
        .chars()
        .take_while(|c| matches!(c, ' ' | '\t'))
        .collect();
    match space.is_empty() {
        true => "  ".to_owned(),
        false => space,
    }
}

#[cfg(test)]
mod tests {
    use super::merged;
    use serde_json::json;

    fn add(before: &str) -> Result<Option<String>, String> {
        merged(before, "servers", "t", &json!({"command": "x"}))
    }

    #[test]
    fn everything_else_stays() {
        for (before, after) in [
            (
                "",
                "{\n  \"servers\": {\n    \"t\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
            ),
            (
                "{}\n",
                "{\n  \"servers\": {\n    \"t\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
            ),
            (
                "{\n\t\"a\": 1, // one\n\t\"servers\": {\n\t\t// mine\n\t\t\"b\": {},\n\t},\n}",
                "{\n\t\"a\": 1, // one\n\t\"servers\": {\n\t\t\"t\": {\n\t\t\t\"command\": \"x\"\n\t\t},\n\t\t// mine\n\t\t\"b\": {},\n\t},\n}",
            ),
            (
                "// top {\n{ /* { */ \"url\": \"http://x\" }\r\n",
                "// top {\n{\r\n  \"servers\": {\r\n    \"t\": {\r\n      \"command\": \"x\"\r\n    }\r\n  }, /* { */ \"url\": \"http://x\" }\r\n",
            ),
            (
                "{\"servers\": { // none\n}}",
                "{\"servers\": {\n    \"t\": {\n      \"command\": \"x\"\n    } // none\n}}",
            ),
        ] {
            assert_eq!(
                add(before).as_ref(),
                Ok(&Some(after.to_owned())),
                "{before}"
            );
            assert_eq!(add(after), Ok(None), "{after}");
        }
    }

    #[test]
    fn what_is_not_understood_is_left_alone() {
        for (before, why) in [
            ("{\"a\": 1, \"a\": 2}", "JSON"),
            ("{\"a\": }", "JSON"),
            ("{'a': 1}", "JSON"),
            ("[]", "an object"),
            ("{\"servers\": []}", "`servers`"),
            ("{\"servers\": {\"t\": {}}}", "--name"),
            ("\u{feff}{}", "JSON"),
            ("{} /* open", "JSON"),
        ] {
            let found = add(before).unwrap_err();
            assert!(found.contains(why), "{before}: {found}");
        }
    }
}
