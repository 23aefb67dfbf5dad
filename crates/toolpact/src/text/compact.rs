//! Any value on one line, as JSON, shortened at the boundaries of values.

use toolpact_core::json::{Kind, Node};

use super::scalar::{quoted, size};

/// Deeper than this, only sizes are told.
const DEPTH: usize = 64;
/// Room without which nothing more is begun.
const LEAST: usize = 8;
const TINY: usize = 24;

pub(super) struct Compact {
    pub(super) text: String,
    /// Whether nothing was left out.
    pub(super) whole: bool,
}

/// The value on one line of about `limit` characters.
pub(super) fn one_line(node: Node<'_>, limit: usize) -> Compact {
    let mut line = Line {
        text: String::new(),
        left: limit,
        whole: true,
    };
    line.value(node, 0);
    Compact {
        text: line.text,
        whole: line.whole,
    }
}

struct Line {
    text: String,
    left: usize,
    whole: bool,
}

impl Line {
    fn value(&mut self, node: Node<'_>, depth: usize) {
        match node.kind() {
            Kind::Array | Kind::Object if depth == DEPTH => self.only_size(node),
            Kind::Array => self.array(node, depth),
            Kind::Object => self.object(node, depth),
            Kind::String => self.scalar(node, &quoted(&node.as_str().unwrap_or_default())),
            _ => self.scalar(node, node.text()),
        }
    }

    fn scalar(&mut self, node: Node<'_>, text: &str) {
        // A few characters more are better than a note that is as long.
        if text.len() <= TINY || self.fits(text) {
            self.always(text);
        } else {
            self.whole = false;
            self.always(&format!("({})", size(node)));
        }
    }

    fn array(&mut self, node: Node<'_>, depth: usize) {
        let mut items = node.items();
        let mut separator = "[";
        while self.left >= LEAST {
            let Some(item) = items.next() else { break };
            self.always(separator);
            self.value(item, depth + 1);
            separator = ",";
        }
        self.end(separator, "[", items.count(), "]");
    }

    fn object(&mut self, node: Node<'_>, depth: usize) {
        let mut members = node.members().peekable();
        let mut separator = "{";
        while self.left >= LEAST {
            let fits = |key: &str| key.len() < self.left;
            let Some((key, value)) = members.next_if(|(key, _)| fits(key)) else {
                break;
            };
            self.always(&format!("{separator}{}:", quoted(&key)));
            self.value(value, depth + 1);
            separator = ",";
        }
        self.end(separator, "{", members.count(), "}");
    }

    fn end(&mut self, separator: &str, open: &str, more: usize, close: &str) {
        // The separator is the opening bracket as long as nothing was written.
        if separator == open || more > 0 {
            self.always(separator);
        }
        if more > 0 {
            self.whole = false;
            self.always(&format!("… {more} more"));
        }
        self.always(close);
    }

    fn only_size(&mut self, node: Node<'_>) {
        self.whole = false;
        self.always(&format!("({}, {} bytes)", node.kind(), node.text().len()));
    }

    fn fits(&self, text: &str) -> bool {
        text.len() / 4 <= self.left && text.chars().count() <= self.left
    }

    fn always(&mut self, text: &str) {
        self.left = self.left.saturating_sub(text.chars().count());
        self.text.push_str(text);
    }
}
