//! How the `jsonschema` crate is set up, wherever it is used to check values.

use jsonschema::{PatternOptions, ValidationOptions};

use super::fast::Format;

/// Nothing is fetched, patterns run in linear time, and the formats are those of the fast path: the
/// crate takes some bytes for digits that are none.
pub(crate) fn options(formats: bool) -> ValidationOptions<'static> {
    let options = jsonschema::draft202012::options()
        .offline()
        .should_validate_formats(formats)
        .with_pattern_options(PatternOptions::regex());
    Format::ALL
        .into_iter()
        .fold(options, |options, (name, format)| {
            options.with_format(name, move |text: &str| format.holds(text.as_bytes()))
        })
}
