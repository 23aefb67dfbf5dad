mod scan;
mod tag;

use minijinja::Environment;

use crate::json::Node;
use crate::json::report::{Place, Report};
use crate::model::string;
use crate::text::shorten_to;
use crate::violation::rules::contract as rules;

/// How a result reads to a model: a template in the language of Jinja that can be parsed.
///
/// What it has: `{{ … }}` with filters, `if`, `for`, `set`, `with` and comments. It cannot
/// include other templates (`include`, `extends`, `import`) or define any (`macro`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextTemplate(Box<str>);

/// Most bytes of a template.
const BYTES: usize = 64 << 10;

impl TextTemplate {
    /// The template as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let text = string(node, "text", report)?;
        let Some(message) = problem(&text) else {
            return Some(Self(text.into()));
        };
        report.add(&rules::TEXT, Place::Node(node.id()), |finding| {
            finding.say(message);
        });
        None
    }
}

/// What is wrong with a template. It is parsed only after its depth has been checked.
fn problem(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return Some(
            "expected `text` to be a template, found only white space or nothing".to_owned(),
        );
    }
    if text.len() > BYTES {
        let length = text.len();
        return Some(format!(
            "expected `text` to have at most {BYTES} bytes, found {length}"
        ));
    }
    let (line, problem) = scan::problem(text).or_else(|| syntax(text))?;
    Some(format!(
        "expected `text` to be a template, found a mistake in its line {line}: {problem}"
    ))
}

fn syntax(text: &str) -> Option<(usize, String)> {
    let environment = Environment::new();
    let error = environment.template_from_str(text).err()?;
    let detail = error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned);
    Some((error.line().unwrap_or(1), shorten_to(&detail, 120)))
}
