use std::fmt;
use std::sync::Arc;

use crate::text::shorten;

/// A JSON Pointer (RFC 6901).
///
/// Pointers to neighbouring places share their common part, so that a thousand violations at the
/// bottom of a very deep document do not cost a thousand times its depth.
///
/// ```
/// use toolpact_core::Pointer;
///
/// let pointer = Pointer::root().key("a/b").index(3);
/// assert_eq!(pointer.to_string(), "/a~1b/3");
/// ```
#[derive(Clone, Default)]
pub struct Pointer(Option<Arc<Segment>>);

struct Segment {
    parent: Pointer,
    token: Token,
}

/// One step of a [`Pointer`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// Into the member of an object.
    Key(Box<str>),
    /// Into the element of an array, from 0.
    Index(usize),
}

impl Pointer {
    /// The whole document: the empty pointer.
    #[must_use]
    pub fn root() -> Self {
        Self(None)
    }

    /// Reads a pointer: empty, or each step after a `/`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut steps = text.split('/');
        let is_pointer = steps.next() == Some("");
        let unescaped = steps.map(|step| step.replace("~1", "/").replace("~0", "~"));
        is_pointer.then(|| unescaped.fold(Self::root(), |pointer, step| pointer.key(&step)))
    }

    /// Whether this is the whole document.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_none()
    }

    /// The member `key` of the object pointed to.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.then(Token::Key(key.into()))
    }

    /// The element `index` of the array pointed to.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.then(Token::Index(index))
    }

    /// The steps from the root.
    #[must_use]
    pub fn tokens(&self) -> Vec<&Token> {
        let mut tokens = Vec::new();
        let mut at = &self.0;
        while let Some(segment) = at {
            tokens.push(&segment.token);
            at = &segment.parent.0;
        }
        tokens.reverse();
        tokens
    }

    /// The same way from another place, after so many steps of this one.
    pub(crate) fn moved(&self, skip: usize, to: &Pointer) -> Self {
        let tokens = self.tokens();
        let rest = tokens.get(skip..).unwrap_or_default();
        rest.iter()
            .fold(to.clone(), |pointer, token| pointer.then((*token).clone()))
    }

    /// The pointer for a message: on one line, and short whatever the keys and the depth are.
    pub(crate) fn brief(&self) -> String {
        /// Steps shown at each end of a very deep pointer.
        const ENDS: usize = 64;
        let tokens = self.tokens();
        let deep = tokens.len() > 2 * ENDS;
        let (head, tail) = tokens.split_at(if deep { ENDS } else { tokens.len() });
        let tail = &tail[tail.len().saturating_sub(ENDS)..];
        let mut out: String = head.iter().map(|token| token.brief()).collect();
        if deep {
            out.push_str("/…");
        }
        out.extend(tail.iter().map(|token| token.brief()));
        out
    }

    fn then(&self, token: Token) -> Self {
        Self(Some(Arc::new(Segment {
            parent: self.clone(),
            token,
        })))
    }
}

impl Token {
    fn brief(&self) -> String {
        match self {
            Token::Key(key) => format!("/{}", escape(&shorten(key))),
            Token::Index(index) => format!("/{index}"),
        }
    }
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Segment by segment: the derived one would recurse as deep as the pointer.
impl Drop for Pointer {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut segment) = next.and_then(Arc::into_inner) {
            next = segment.parent.0.take();
        }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for token in self.tokens() {
            match token {
                Token::Key(key) => write!(f, "/{}", escape(key))?,
                Token::Index(index) => write!(f, "/{index}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pointer({self})")
    }
}

impl PartialEq for Pointer {
    fn eq(&self, other: &Self) -> bool {
        self.tokens() == other.tokens()
    }
}

impl Eq for Pointer {}

#[cfg(test)]
mod tests {
    use super::Pointer;

    #[test]
    fn drops_without_recursing() {
        let mut pointer = Pointer::root();
        for _ in 0..1_000_000 {
            pointer = pointer.key("a");
        }
        let shared = pointer.clone();
        drop(pointer);
        assert_eq!(shared.tokens().len(), 1_000_000);
    }

    #[test]
    fn brief_is_one_short_line() {
        let pointer = Pointer::root().key("a/b").key("line\nbreak").index(7);
        assert_eq!(pointer.brief(), "/a~1b/line\u{fffd}break/7");
        let long = Pointer::root().key(&"k".repeat(1_000_000));
        assert_eq!(long.brief().chars().count(), 62);
        let deep = (0..1_000).fold(Pointer::root(), |pointer, i| pointer.index(i));
        assert!(deep.brief().starts_with("/0/1/"));
        assert!(deep.brief().contains("/63/…/936/"), "{}", deep.brief());
        assert!(deep.brief().ends_with("/999"));
    }

    #[test]
    fn escapes() {
        let pointer = Pointer::root().key("~").key("a/b").index(0).key("");
        assert_eq!(pointer.to_string(), "/~0/a~1b/0/");
        assert_eq!(Pointer::root().to_string(), "");
    }

    #[test]
    fn reads_what_it_writes() {
        for text in ["", "/", "/a", "/~0/a~1b/0/"] {
            assert_eq!(Pointer::parse(text).unwrap().to_string(), text);
        }
        for wrong in ["a", "a/b", " /a"] {
            assert_eq!(Pointer::parse(wrong), None);
        }
    }
}
