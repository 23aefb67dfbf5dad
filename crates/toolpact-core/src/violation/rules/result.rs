use super::{Rule, Subject::Result, Subject::ResultOf};

rules! {
    STATUS = Rule::error("result-status", "The status of a result must be SUCCESS or ERROR.")
        .because("In capitals (ADM 3.5.2). `toolpact check --fix` changes the case.")
        .shown(
            Result,
            br#"{"name": "ping", "status": "success", "content": "pong"}"#,
            br#"{"name": "ping", "status": "SUCCESS", "content": "pong"}"#,
        );
    CONTENT_MISSING = Rule::error("result-content-missing", "A SUCCESS must have `content`.")
        .because("`\"content\": null` is a content; leaving it out is not (ADM 3.5.6).")
        .shown(
            Result,
            br#"{"name": "ping", "status": "SUCCESS"}"#,
            br#"{"name": "ping", "status": "SUCCESS", "content": null}"#,
        );
    ERROR_ON_SUCCESS = Rule::error("result-error-on-success", "A SUCCESS must not have `error`.")
        .because("A result is a success or an error, never both (ADM 3.5.6).")
        .shown(
            Result,
            br#"{"name": "ping", "status": "SUCCESS", "content": 1, "error": {"message": "Slow."}}"#,
            br#"{"name": "ping", "status": "SUCCESS", "content": 1}"#,
        );
    ERROR_MISSING = Rule::error("result-error-missing", "An ERROR must have `error`.")
        .because("It says what went wrong (ADM 3.5.6).")
        .shown(
            Result,
            br#"{"name": "ping", "status": "ERROR"}"#,
            br#"{"name": "ping", "status": "ERROR", "error": {"message": "No answer."}}"#,
        );
    CONTENT_ON_ERROR = Rule::error("result-content-on-error", "An ERROR must not have `content`.")
        .because("A result is a success or an error, never both (ADM 3.5.6).")
        .shown(
            Result,
            br#"{"name": "ping", "status": "ERROR", "error": {"message": "Lost."}, "content": null}"#,
            br#"{"name": "ping", "status": "ERROR", "error": {"message": "Lost."}}"#,
        );
    MESSAGE_BLANK = Rule::error("error-message-blank", "The message of an error must say something.")
        .because("A model reads it to decide what to do next (ADM 3.5.6).")
        .shown(
            Result,
            br#"{"name": "ping", "status": "ERROR", "error": {"message": " "}}"#,
            br#"{"name": "ping", "status": "ERROR", "error": {"message": "No answer."}}"#,
        );
    TYPE_STYLE = Rule::warning("error-type-style", "The type of an error should be UPPER_SNAKE_CASE.")
        .because(
            "The eight standard types are, and programs compare the text. Any other type is fine \
             in the same style (ADM 3.5.6).",
        )
        .shown(
            Result,
            br#"{"name": "ping", "status": "ERROR", "error": {"message": "Gone.", "type": "host-down"}}"#,
            br#"{"name": "ping", "status": "ERROR", "error": {"message": "Gone.", "type": "HOST_DOWN"}}"#,
        );
    NAME_MISMATCH = Rule::error("result-name-mismatch", "A result must bear the name of its call.")
        .because("The name is what ties the two together in a batch (ADM 3.5.4).")
        .shown(
            ResultOf(r#"{"name": "ping", "args": {}}"#),
            br#"{"name": "pong", "status": "SUCCESS", "content": 1}"#,
            br#"{"name": "ping", "status": "SUCCESS", "content": 1}"#,
        );
    ID_MISMATCH = Rule::error("result-id-mismatch", "A result must bear the identifier of its call.")
        .because(
            "Providers tie the two together by it. In streams, the n-th result belongs to the n-th \
             call.",
        )
        .shown(
            ResultOf(r#"{"type": "tool_use", "id": "toolu_1", "name": "ping", "input": {}}"#),
            br#"{"type": "tool_result", "tool_use_id": "toolu_2", "content": "pong"}"#,
            br#"{"type": "tool_result", "tool_use_id": "toolu_1", "content": "pong"}"#,
        );
}
