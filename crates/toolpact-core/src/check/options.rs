//! The options of the `jsonschema` crate, wherever it checks values.

use jsonschema::{PatternOptions, ValidationOptions};

use super::fast::Format;

/// Nothing is fetched, patterns run in linear time, and the formats of the fast path are checked by
/// its code, because the crate accepts some bytes that are not digits as digits.
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
