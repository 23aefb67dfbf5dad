use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_core::json::{Kind, Node};

/// Which values of arguments and results are not logged.
///
/// ```
/// use toolpact::observe::Redact;
/// use toolpact::core::json::Value;
///
/// let redact = Redact::fields(["password", "token"]);
/// let args = Value::from_json(r#"{"user": "ada", "login": {"password": "secret"}}"#)?;
/// assert_eq!(redact.apply(args.root()), r#"{"user":"ada","login":{"password":"[redacted]"}}"#);
/// # Ok::<(), toolpact::core::Violations>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Redact(Hidden);

/// `"nothing"`, `"everything"` or `{"fields": ["password"]}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Hidden {
    /// All values are logged.
    #[default]
    Nothing,
    /// No values are logged; the names of the arguments are.
    Everything,
    /// The values of these fields are not logged, at every depth.
    Fields(Vec<Box<str>>),
}

/// What stands in the place of a value.
const REDACTED: &str = "\"[redacted]\"";

/// Whether a value stands for one that was left out.
#[must_use]
pub fn is_redacted(value: Node<'_>) -> bool {
    value.text() == REDACTED
}

impl Redact {
    /// Nothing is left out.
    #[must_use]
    pub fn nothing() -> Self {
        Self::default()
    }

    /// All values are left out; the names of the arguments stay.
    #[must_use]
    pub fn everything() -> Self {
        Self(Hidden::Everything)
    }

    /// The values of these fields are left out, at every depth, whatever the case of their names.
    #[must_use]
    pub fn fields<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        Self(Hidden::Fields(names.into_iter().map(Into::into).collect()))
    }

    /// The JSON text without what is left out.
    #[must_use]
    pub fn apply(&self, args: Node<'_>) -> String {
        let mut out = String::new();
        self.write(args, &mut out);
        out
    }

    fn write(&self, node: Node<'_>, out: &mut String) {
        match node.kind() {
            Kind::Object => {
                let members = node.members().map(|(name, value)| (Some(name), value));
                self.list(members, ['{', '}'], out);
            }
            Kind::Array => self.list(node.items().map(|item| (None, item)), ['[', ']'], out),
            // What has no name, such as a result that is a text.
            _ if self.0 == Hidden::Everything => out.push_str(REDACTED),
            _ => out.push_str(node.text()),
        }
    }

    fn list<'n>(
        &self,
        parts: impl Iterator<Item = (Option<std::borrow::Cow<'n, str>>, Node<'n>)>,
        [open, close]: [char; 2],
        out: &mut String,
    ) {
        out.push(open);
        for (place, (name, value)) in parts.enumerate() {
            if place > 0 {
                out.push(',');
            }
            if let Some(name) = &name {
                out.push_str(&serde_json::to_string(name).unwrap_or_default());
                out.push(':');
            }
            match name.is_some_and(|name| self.hides(&name)) {
                true => out.push_str(REDACTED),
                false => self.write(value, out),
            }
        }
        out.push(close);
    }

    fn hides(&self, name: &str) -> bool {
        match &self.0 {
            Hidden::Nothing => false,
            Hidden::Everything => true,
            Hidden::Fields(fields) => {
                let mut fields = fields.iter();
                fields.any(|field| field.eq_ignore_ascii_case(name))
            }
        }
    }
}
