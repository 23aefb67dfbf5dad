//! What we decide where JSONTestSuite leaves the decision to the reader, and where we
//! decide against it.

use Verdict::{Accept, Refuse};

/// What our reader does with a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Accept,
    Refuse,
}

/// Valid by the grammar, and refused all the same: which of two values under one key
/// counts differs from reader to reader, so such a document has no one meaning.
pub(crate) const REFUSED_THOUGH_VALID: [&str; 2] = [
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
];

const UNDERFLOW: &str = "underflow rounds to zero";
const OVERFLOW: &str = "too large for a double; infinity is no JSON number";
const BIG_INTEGER: &str = "finite as a double; integers may be of any size";
const LONE_SURROGATE: &str = "half of a surrogate pair is no character";
const NOT_UTF8: &str = "JSON text is UTF-8, and this is not";

/// The verdict on each `i_` document, with the reason.
#[rustfmt::skip]
pub(crate) const VERDICTS: &[(&str, Verdict, &str)] = &[
    ("i_number_double_huge_neg_exp.json", Accept, UNDERFLOW),
    ("i_number_huge_exp.json", Refuse, OVERFLOW),
    ("i_number_neg_int_huge_exp.json", Refuse, OVERFLOW),
    ("i_number_pos_double_huge_exp.json", Refuse, OVERFLOW),
    ("i_number_real_neg_overflow.json", Refuse, OVERFLOW),
    ("i_number_real_pos_overflow.json", Refuse, OVERFLOW),
    ("i_number_real_underflow.json", Accept, UNDERFLOW),
    ("i_number_too_big_neg_int.json", Accept, BIG_INTEGER),
    ("i_number_too_big_pos_int.json", Accept, BIG_INTEGER),
    ("i_number_very_big_negative_int.json", Accept, BIG_INTEGER),
    ("i_object_key_lone_2nd_surrogate.json", Refuse, LONE_SURROGATE),
    ("i_string_1st_surrogate_but_2nd_missing.json", Refuse, LONE_SURROGATE),
    ("i_string_1st_valid_surrogate_2nd_invalid.json", Refuse, LONE_SURROGATE),
    ("i_string_UTF-16LE_with_BOM.json", Refuse, "UTF-16 with a byte order mark; JSON text is UTF-8 without one"),
    ("i_string_UTF-8_invalid_sequence.json", Refuse, NOT_UTF8),
    ("i_string_UTF8_surrogate_U+D800.json", Refuse, "UTF-8 does not encode surrogates"),
    ("i_string_incomplete_surrogate_and_escape_valid.json", Refuse, LONE_SURROGATE),
    ("i_string_incomplete_surrogate_pair.json", Refuse, LONE_SURROGATE),
    ("i_string_incomplete_surrogates_escape_valid.json", Refuse, LONE_SURROGATE),
    ("i_string_invalid_lonely_surrogate.json", Refuse, LONE_SURROGATE),
    ("i_string_invalid_surrogate.json", Refuse, LONE_SURROGATE),
    ("i_string_invalid_utf-8.json", Refuse, NOT_UTF8),
    ("i_string_inverted_surrogates_U+1D11E.json", Refuse, "a surrogate pair in the wrong order is two lone halves"),
    ("i_string_iso_latin_1.json", Refuse, "ISO 8859-1; JSON text is UTF-8"),
    ("i_string_lone_second_surrogate.json", Refuse, LONE_SURROGATE),
    ("i_string_lone_utf8_continuation_byte.json", Refuse, NOT_UTF8),
    ("i_string_not_in_unicode_range.json", Refuse, "beyond U+10FFFF, which is the last code point"),
    ("i_string_overlong_sequence_2_bytes.json", Refuse, "overlong UTF-8 can hide a character from a filter"),
    ("i_string_overlong_sequence_6_bytes.json", Refuse, "overlong UTF-8 can hide a character from a filter"),
    ("i_string_overlong_sequence_6_bytes_null.json", Refuse, "overlong UTF-8 can hide a character from a filter"),
    ("i_string_truncated-utf-8.json", Refuse, NOT_UTF8),
    ("i_string_utf16BE_no_BOM.json", Refuse, "UTF-16; JSON text is UTF-8"),
    ("i_string_utf16LE_no_BOM.json", Refuse, "UTF-16; JSON text is UTF-8"),
    ("i_structure_500_nested_arrays.json", Refuse, "nested deeper than 128 levels, the default limit"),
    ("i_structure_UTF-8_BOM_empty_object.json", Refuse, "a byte order mark is not part of JSON text"),
];
