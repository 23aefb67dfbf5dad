//! Results that report a failure.

use memchr::memmem;
use toolpact_core::json::Value;
use toolpact_core::returns::Returns;

use crate::ToolError;

/// The error of a result that reports a failure, as its return type does.
pub(super) fn of(json: &[u8], returns: &Returns) -> Option<ToolError> {
    // Nearly every result is seen at once to be none.
    if json.first() != Some(&b'{') || json.starts_with(br#"{"success":true"#) || !says_no(json) {
        return None;
    }
    let failure = returns.failure(&Value::from_json(json).ok()?)?;
    Some(ToolError::from(failure.error).with_result(failure.result))
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
    use toolpact_core::returns::Returns;

    #[test]
    fn only_the_result_itself_counts() {
        let of = |json| of(json, &Returns::Undeclared);
        let failure = br#"{ "error" : {"message": "No."}, "success" : false }"#;
        assert_eq!(of(failure).unwrap().message(), "No.");
        for success in [
            &br#"{"success":true,"items":[{"success":false,"error":{}}]}"#[..],
            br#"{"items":[{"success":false,"error":{}}],"success":true}"#,
            br#"{"success":false}"#,
            br#"[{"success":false,"error":{}}]"#,
            br#""\"success\":false""#,
        ] {
            assert!(of(success).is_none());
        }
    }
}
