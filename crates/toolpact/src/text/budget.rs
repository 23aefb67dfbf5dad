use super::page::Page;

/// How much text there may be, and under which handle the whole value can be read.
///
/// ```
/// use toolpact::text::{Budget, of_text};
///
/// let budget = Budget::new(12).with_handle("result_1");
/// let rendered = of_text("first\nsecond\nthird".to_owned(), &budget);
/// assert_eq!(
///     rendered.text,
///     "first\nsecond\n[2 of 3 lines shown. The full value is kept under the handle `result_1`: \
///      read it there page by page.]"
/// );
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Budget<'a> {
    chars: usize,
    handle: Option<&'a str>,
}

/// A result as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The text, within the budget.
    pub text: String,
    /// What is not in the text. The text names the handle if, and only if, this is there.
    pub cut: Option<Cut>,
}

/// How much of a value is in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// How many are in the text, whole.
    pub shown: usize,
    /// How many there are.
    pub total: usize,
    /// What is counted: `items` of a list, `fields` of an object, `lines` or `characters` of a
    /// text, `errors` of a batch, `values` where all are shown but some not whole, `bytes` of content that is not text.
    pub unit: &'static str,
}

impl<'a> Budget<'a> {
    /// What comes on top of the budget at most, besides the handle: the lines that say what was
    /// left out, and what to do after an error. They are worth most where room is least.
    pub const CLOSING: usize = 500;

    /// A budget of so many characters, closing lines not counted.
    #[must_use]
    pub fn new(chars: usize) -> Self {
        Self {
            chars,
            handle: None,
        }
    }

    /// The same budget with the handle that leads to the whole value.
    #[must_use]
    pub fn with_handle(self, handle: &'a str) -> Self {
        Self {
            handle: Some(handle),
            ..self
        }
    }

    pub(super) fn chars(&self) -> usize {
        self.chars
    }

    /// Says what was left out.
    pub(super) fn close(&self, mut page: Page, cut: Option<Cut>) -> Rendered {
        let cut = cut.or_else(|| not_whole(&page));
        if let Some(cut) = cut {
            let said = cut.sentence(self.chars, &page);
            let line = match self.handle {
                Some(handle) => format!(
                    "[{said} The full value is kept under the handle `{handle}`: read it there \
                     page by page.]"
                ),
                // What is too long by itself would be so again.
                None if page.tally().short > 0 => format!("[{said}]"),
                None => format!("[{said}{}]", cut.without_handle()),
            };
            page.closing_line(&line);
        }
        let text = page.finish();
        Rendered { text, cut }
    }
}

/// 16,000 characters, and no handle.
impl Default for Budget<'_> {
    fn default() -> Self {
        Self::new(16_000)
    }
}

impl Cut {
    fn sentence(self, budget: usize, page: &Page) -> String {
        let Cut { shown, total, unit } = self;
        let is_short = page.tally().short > 0;
        match (unit, page.too_large()) {
            ("bytes", _) => format!("The content, {total} bytes in base64, is not shown."),
            ("items", Some(size)) => format!(
                "None of the {total} items is shown: the first alone is {size} bytes of JSON, and \
                 there is room for {budget} characters."
            ),
            _ if is_short => format!("{shown} of {total} {unit} shown in full."),
            _ => format!("{shown} of {total} {unit} shown."),
        }
    }

    /// What to do about it where there is no handle.
    fn without_handle(self) -> &'static str {
        match self.unit {
            "items" => " Ask for fewer at a time to see the others.",
            "lines" | "characters" => " The rest is left out.",
            _ => "",
        }
    }
}

/// Where everything has its place in the text, but not everything is whole.
fn not_whole(page: &Page) -> Option<Cut> {
    let tally = page.tally();
    (tally.short > 0).then(|| Cut {
        shown: tally.values.saturating_sub(tally.short),
        total: tally.values,
        unit: "values",
    })
}
