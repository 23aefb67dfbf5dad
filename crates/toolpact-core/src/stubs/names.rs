//! Valid names of types, functions and parameters in a language.

use std::collections::{HashMap, HashSet};

/// Longer names are cut. Names that become equal get a number.
const LONGEST: usize = 120;
/// The most that one key adds to the name of a type.
const LONGEST_PART: usize = 60;

/// `read_file` and `readFile` are `ReadFile`, `URLFetch` is `UrlFetch`, `search_v2` is `SearchV2`.
pub(super) fn pascal(name: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = name.chars().take(LONGEST_PART).collect();
    let mut begins = true;
    for (i, &c) in chars.iter().enumerate() {
        if !is_word(c) || c == '_' {
            begins = true;
            continue;
        }
        let before = i.checked_sub(1).and_then(|i| chars.get(i));
        let after = chars.get(i + 1);
        begins |= c.is_ascii_uppercase()
            && (before.is_some_and(|b| !b.is_ascii_uppercase())
                || after.is_some_and(char::is_ascii_lowercase));
        out.push(if begins {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        });
        begins = false;
    }
    out
}

/// The name of a type that belongs to a function: `read_file` and `` or `Response`.
pub(super) fn type_name(function: &str, suffix: &str) -> String {
    let name = pascal(function);
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        format!("Tool{name}{suffix}")
    } else {
        format!("{name}{suffix}")
    }
}

/// The names of types, each used once.
#[derive(Debug, Default)]
pub(super) struct TypeNames {
    taken: HashSet<String>,
    /// The number to try next.
    next: HashMap<String, usize>,
}

impl TypeNames {
    /// All names but these are free.
    pub(super) fn without<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            taken: taken.into_iter().map(ToOwned::to_owned).collect(),
            next: HashMap::new(),
        }
    }

    /// The name, or the name with a number if it is taken.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        let wanted: String = wanted.chars().take(LONGEST).collect();
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let name = format!("{wanted}{next}");
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Names for functions or parameters: the original where that is valid, which then is reserved, or
/// a safe one. `fallback` replaces a name without letters.
pub(super) fn aliases(
    names: &[&str],
    fallback: &str,
    is_reserved: impl Fn(&str) -> bool,
) -> Vec<String> {
    aliases_but(names, fallback, is_reserved, |_| false)
}

/// The same for parameters of Python, whose names may begin with one underscore. By two, type
/// checkers know parameters without a name.
pub(super) fn python_parameters(
    names: &[&str],
    fallback: &str,
    is_reserved: impl Fn(&str) -> bool,
) -> Vec<String> {
    aliases_but(names, fallback, is_reserved, |name| {
        let has_letters = name.chars().any(|c| c != '_');
        let is_short = name.chars().nth(LONGEST).is_none();
        is_identifier(name) && has_letters && is_short && !name.starts_with("__")
    })
}

fn aliases_but(
    names: &[&str],
    fallback: &str,
    is_reserved: impl Fn(&str) -> bool,
    is_kept: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut taken = HashSet::new();
    let is_name = |name: &str| is_kept(name) || identifier(name, fallback) == name;
    let is_safe = |name: &str| is_name(name) && !is_reserved(name);
    let kept: Vec<bool> = names
        .iter()
        .map(|name| is_safe(name) && taken.insert((*name).to_owned()))
        .collect();
    let alias = |(name, kept): (&&str, &bool)| match kept {
        true => (*name).to_owned(),
        false => {
            let wanted = identifier(name, fallback);
            let wanted = if is_reserved(&wanted) {
                wanted + "_"
            } else {
                wanted
            };
            free(&wanted, &mut taken, &is_reserved)
        }
    };
    names.iter().zip(&kept).map(alias).collect()
}

fn free(wanted: &str, taken: &mut HashSet<String>, is_reserved: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    let name = names.find(|name| !is_reserved(name) && !taken.contains(name));
    let name = name.unwrap_or_default();
    taken.insert(name.clone());
    name
}

/// The name in letters, digits and underscores, with a letter first.
pub(super) fn identifier(name: &str, fallback: &str) -> String {
    let plain = |c: char| if is_word(c) { c } else { '_' };
    let plain: String = name.chars().take(LONGEST).map(plain).collect();
    let name = plain.trim_start_matches('_');
    match name.chars().next() {
        None => fallback.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("{fallback}_{name}"),
        Some(_) => name.to_owned(),
    }
}

/// Whether a key can be written as a name in both languages.
pub(super) fn is_identifier(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| is_word(c) && !c.is_ascii_digit()) && name.chars().all(is_word)
}

/// Letters that are themselves in every Unicode normal form: Python changes others in names, and
/// two keys could become one.
fn is_word(c: char) -> bool {
    match c {
        '\u{d7}' | '\u{f7}' | '\u{132}' | '\u{133}' | '\u{13f}' | '\u{140}' | '\u{149}' => false,
        '\u{c0}'..='\u{17e}'
        | 'Α'..='Ρ'
        | 'Σ'..='Ω'
        | 'α'..='ω'
        | 'Ё'
        | 'А'..='я'
        | 'ё'
        | 'ぁ'..='ゖ'
        | 'ァ'..='ヺ'
        | '一'..='\u{9fff}'
        | '가'..='힣' => true,
        c => c.is_ascii_alphanumeric() || c == '_',
    }
}
