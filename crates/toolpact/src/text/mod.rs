//! Results as a model reads them.
use toolpact_core::contract::TextTemplate;
use toolpact_core::json::Node;
use toolpact_core::returns::{Returns, StandardError};

#[derive(Clone)]
pub struct Budget<'a>(usize, Option<&'a str>);
impl<'a> Budget<'a> {
    pub fn new(chars: usize) -> Self {
        Self(chars, None)
    }
    pub fn with_handle<'b>(self, handle: &'b str) -> Budget<'b> {
        Budget(self.0, Some(handle))
    }
}
pub struct Cut;
pub struct Rendered {
    pub text: String,
    pub cut: Option<Cut>,
}
pub type TemplateError = String;
pub fn of_value(_: &Returns, value: Node<'_>, _: &Budget<'_>) -> Rendered {
    Rendered {
        text: value.text().to_owned(),
        cut: None,
    }
}
pub fn of_error(error: &StandardError, _: &Budget<'_>) -> Rendered {
    Rendered {
        text: error.to_string(),
        cut: None,
    }
}
pub fn of_text(text: String, _: &Budget<'_>) -> Rendered {
    Rendered { text, cut: None }
}
pub fn of_template(
    _: &TextTemplate,
    value: Node<'_>,
    _: &Budget<'_>,
) -> Result<Rendered, TemplateError> {
    Ok(Rendered {
        text: value.text().to_owned(),
        cut: None,
    })
}
