use std::collections::HashSet;

/// Unique names for files and links. Some file systems are case-insensitive, so `Ping` and `ping`
/// count as the same name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Slugs {
    taken: HashSet<String>,
}

/// Names that are taken: the index, the table of errors, and names that Windows reserves for
/// devices, with any extension.
const RESERVED: [&str; 6] = ["index", "errors", "con", "prn", "aux", "nul"];

impl Slugs {
    /// The name of a tool, with a number if that is taken.
    pub(super) fn make(&mut self, name: &str) -> String {
        let numbers = 2_usize..;
        let numbered = numbers.map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |name: &String| {
            let name = name.to_lowercase();
            !is_reserved(&name) && !self.taken.contains(&name)
        };
        let slug = names.find(is_free).unwrap_or_default();
        self.taken.insert(slug.to_lowercase());
        slug
    }
}

fn is_reserved(name: &str) -> bool {
    let is_port = |prefix: &str| {
        let number = name.strip_prefix(prefix);
        number.is_some_and(|number| number.len() == 1 && number.as_bytes()[0].is_ascii_digit())
    };
    RESERVED.contains(&name) || is_port("com") || is_port("lpt")
}

#[cfg(test)]
mod tests {
    use super::Slugs;

    #[test]
    fn no_two_are_the_same() {
        let mut slugs = Slugs::default();
        let mut make = |name: &str| slugs.make(name);
        assert_eq!(make("ping"), "ping");
        assert_eq!(make("ping-2"), "ping-2");
        assert_eq!(make("Ping"), "Ping-3");
        assert_eq!(make("index"), "index-2");
        assert_eq!(make("COM1"), "COM1-2");
        assert_eq!(make("company"), "company");
    }
}
