//! The text while it is made: a line that fits is written, a line that does not is not.

/// Room kept for saying how much of a list or an object was left out.
pub(super) const NOTE: usize = 60;

/// Deeper than this, values are written on one line.
const DEEPEST: usize = 12;

pub(super) struct Page {
    text: String,
    budget: usize,
    /// Characters that may still be written.
    left: usize,
    indent: usize,
    /// What the next line begins with: the marker of a list item.
    lead: String,
    /// Whether what is being written is taken back unless it fits whole.
    trying: bool,
    /// Whether something did not fit while trying.
    over: bool,
    tally: Tally,
    /// The size of the first item of a list of which nothing could be shown.
    too_large: Option<usize>,
}

/// How many values were written, and how many of them not whole.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) values: usize,
    pub(super) short: usize,
}

impl Page {
    pub(super) fn new(budget: usize) -> Self {
        Self {
            text: String::with_capacity(budget.min(256)),
            budget,
            left: budget,
            indent: 0,
            lead: String::new(),
            trying: false,
            over: false,
            tally: Tally::default(),
            too_large: None,
        }
    }

    /// Writes one line, or nothing if there is no room for it.
    pub(super) fn line(&mut self, line: &str) -> bool {
        self.line_of(&[line])
    }

    /// Writes one line that has these parts, or nothing if there is no room for it.
    pub(super) fn line_of(&mut self, parts: &[&str]) -> bool {
        let bytes: usize = parts.iter().map(|part| part.len()).sum();
        // No character has more than four bytes: what is far too long need not be counted.
        let cost = match bytes / 4 <= self.left {
            true => parts.iter().map(|part| part.chars().count()).sum::<usize>() + self.indent + 1,
            false => usize::MAX,
        };
        let fits = !self.over && cost <= self.left;
        if fits {
            self.left -= cost;
            self.begin(bytes == 0);
            for part in parts {
                self.text.push_str(part);
            }
            self.text.push('\n');
        }
        self.over |= self.trying && !fits;
        fits
    }

    /// Writes one line, or remembers that something is missing.
    pub(super) fn line_or_short(&mut self, line: &str) {
        let written = self.line(line);
        self.count_value(written);
    }

    /// Writes a line whether there is room or not: for what the budget does not count.
    pub(super) fn closing_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// All that `write` writes, or nothing if there is no room for all of it.
    pub(super) fn attempt(&mut self, write: impl FnOnce(&mut Self)) -> bool {
        let (length, left, tally) = (self.text.len(), self.left, self.tally);
        let lead = self.lead.clone();
        let trying = std::mem::replace(&mut self.trying, true);
        let over = std::mem::replace(&mut self.over, false);
        write(self);
        let fits = !self.over;
        self.trying = trying;
        self.over = over || (trying && !fits);
        if !fits {
            self.text.truncate(length);
            (self.left, self.tally, self.lead) = (left, tally, lead);
        }
        fits
    }

    /// Whether what is written must fit whole.
    pub(super) fn is_trying(&self) -> bool {
        self.trying
    }

    /// Takes back what is being tried.
    pub(super) fn give_up(&mut self) {
        self.over = self.trying;
    }

    /// Whether what is being tried will be taken back.
    pub(super) fn gave_up(&self) -> bool {
        self.over
    }

    /// Writes with some room kept for what comes after, at most half of what there is.
    pub(super) fn within<T>(&mut self, reserve: usize, write: impl FnOnce(&mut Self) -> T) -> T {
        // What must fit whole needs no room for saying that it did not.
        let kept = match self.trying {
            true => 0,
            false => reserve.min(self.left / 2),
        };
        self.left -= kept;
        let result = write(self);
        self.left += kept;
        result
    }

    pub(super) fn indented<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.indent += 2;
        let result = write(self);
        self.indent -= 2;
        result
    }

    /// Writes with `marker` before the first line and the others in line with it.
    pub(super) fn marked<T>(&mut self, marker: &str, write: impl FnOnce(&mut Self) -> T) -> T {
        self.lead.push_str(marker);
        self.indent += marker.len();
        let result = write(self);
        self.indent -= marker.len();
        self.lead.clear();
        result
    }

    /// Says how many more there are.
    pub(super) fn rest(&mut self, count: usize, unit: &str) {
        self.tally.short += 1;
        self.line(&format!("… {}", counted(count, "more ", unit)));
    }

    pub(super) fn count_value(&mut self, whole: bool) {
        self.tally.values += 1;
        self.tally.short += usize::from(!whole);
    }

    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    /// Remembers the size of an item, in bytes of JSON, if it is the first that did not fit.
    pub(super) fn note_too_large(&mut self, bytes: usize) {
        self.too_large.get_or_insert(bytes);
    }

    pub(super) fn too_large(&self) -> Option<usize> {
        self.too_large
    }

    pub(super) fn left(&self) -> usize {
        self.left
    }

    pub(super) fn budget(&self) -> usize {
        self.budget
    }

    /// Whether it is worth the while to begin something of several lines here.
    pub(super) fn has_room(&self) -> bool {
        self.indent < DEEPEST && (self.trying || self.left >= 3 * NOTE)
    }

    /// Text of several lines as it is.
    pub(super) fn raw(&mut self, text: &str) {
        self.left = self.left.saturating_sub(text.chars().count());
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub(super) fn finish(mut self) -> String {
        self.text.pop();
        self.text
    }

    fn begin(&mut self, blank: bool) {
        if blank && self.lead.is_empty() {
            return;
        }
        let spaces = self.indent.saturating_sub(self.lead.len());
        self.text.extend(std::iter::repeat_n(' ', spaces));
        self.text.push_str(&self.lead);
        self.lead.clear();
    }
}

/// "1 item", "5 more items": `units` is a plural in `s`.
pub(super) fn counted(count: usize, more: &str, units: &str) -> String {
    let unit = match count {
        1 => units.strip_suffix('s').unwrap_or(units),
        _ => units,
    };
    format!("{count} {more}{unit}")
}
