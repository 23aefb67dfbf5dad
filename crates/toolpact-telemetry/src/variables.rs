//! Environment variables, and what is wrong with them.

use std::str::FromStr;
use std::time::Duration;

use percent_encoding::percent_decode_str;

/// Reads variables. What cannot be used is noted, and is as if it were not there.
pub(crate) struct Variables<'a> {
    get: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) complaints: Vec<String>,
}

impl<'a> Variables<'a> {
    pub(crate) fn new(get: &'a dyn Fn(&str) -> Option<String>) -> Self {
        let complaints = Vec::new();
        Self { get, complaints }
    }

    /// The text of a variable. An empty one is not there, as the specification has it.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let text = (self.get)(name)?.trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The first of these variables that is there, and its name.
    pub(crate) fn first(&self, names: &[String]) -> Option<(String, String)> {
        let mut there = names
            .iter()
            .filter_map(|name| Some((name.clone(), self.text(name)?)));
        there.next()
    }

    /// A number, or what is used in its place.
    pub(crate) fn number<T: FromStr + ToString>(&mut self, names: &[String], default: T) -> T {
        let Some((name, text)) = self.first(names) else {
            return default;
        };
        text.parse().unwrap_or_else(|_| {
            let instead = default.to_string();
            self.complain(
                &name,
                "a whole number",
                &text,
                &format!("{instead} is used"),
            );
            default
        })
    }

    /// A time in milliseconds, of which there is at least one.
    pub(crate) fn millis(&mut self, names: &[String], default: u64) -> Duration {
        Duration::from_millis(self.number(names, default).max(1))
    }

    /// `a=1,b=2` with values in percent-encoding. The values are not told: they may be secret.
    pub(crate) fn pairs(&mut self, name: &str, text: &str) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for pair in text
            .split(',')
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
        {
            let read = pair.split_once('=').and_then(|(key, value)| {
                let value = percent_decode_str(value.trim()).decode_utf8().ok()?;
                let key = key.trim();
                (!key.is_empty()).then(|| (key.to_owned(), value.into_owned()))
            });
            match read {
                Some(read) => pairs.push(read),
                None => self.say(format!(
                    "{name}: expected `key=value` pairs with commas between them; one is none and is left out"
                )),
            }
        }
        pairs
    }

    pub(crate) fn complain(&mut self, name: &str, expected: &str, found: &str, so: &str) {
        self.say(format!(
            "{name}: expected {expected}, found `{found}`; {so}"
        ));
    }

    /// Each complaint once, whichever signals it is about.
    pub(crate) fn say(&mut self, complaint: String) {
        if !self.complaints.contains(&complaint) {
            self.complaints.push(complaint);
        }
    }
}
