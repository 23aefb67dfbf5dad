//! Results that report a failure: `"success": false` with an `error`.

use memchr::memmem;
use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;

/// The error of a result that says `"success": false` and has an `error`.
pub(super) fn of(json: &[u8]) -> Option<StandardError> {
    // Nearly every result is seen at once to be none.
    if json.first() != Some(&b'{') || json.starts_with(br#"{"success":true"#) || !says_no(json) {
        return None;
    }
    let result = Value::from_json(json).ok()?;
    StandardError::of_failure(result.root())
}

/// Whether there is a `"success": false` anywhere.
fn says_no(json: &[u8]) -> bool {
    let key = br#""success""#;
    memmem::find_iter(json, key).any(|at| {
        let rest = json.get(at + key.len()..).unwrap_or_default();
        let rest = rest.trim_ascii_start().strip_prefix(b":");
        rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"false"))
    })
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn only_the_result_itself_counts() {
        let failure = br#"{ "error" : {"message": "No."}, "success" : false }"#;
        assert_eq!(of(failure).unwrap().message(), "No.");
        for success in [
            &br#"{"success":true,"items":[{"success":false,"error":{}}]}"#[..],
            br#"{"items":[{"success":false,"error":{}}],"success":true}"#,
            br#"{"success":false}"#,
            br#"[{"success":false,"error":{}}]"#,
            br#""\"success\":false""#,
        ] {
            assert_eq!(of(success), None);
        }
    }
}
