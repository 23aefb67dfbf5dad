use super::{Rule, Subject::Any};

/// A lock of one tool.
macro_rules! lock {
    ($version:literal, $name:literal, $digest:literal) => {
        concat!(
            "{\n  \"toolpact_lock\": ",
            $version,
            ",\n  \"sources\": {\n    \"files\": {\n      \"",
            $name,
            "\": {\n        \"digest\": \"",
            $digest,
            r#"",
        "contract": {
          "description": "Checks the connection.",
          "name": "ping",
          "parameters": {"type": "object"},
          "returns": "VoidResult"
        }
      }
    }
  }
}"#
        )
        .as_bytes()
    };
    ($version:literal, $name:literal) => {
        lock!(
            $version,
            $name,
            "c88723053462936d6ab36dee167457bc98655bddd254c2f57527dc4dd6169437"
        )
    };
}

rules! {
    VERSION = Rule::error("lock-version", "A lock must be of version 1.")
        .because(
            "`toolpact_lock: 1`, a number, says that this is a lock and by which rules it is to be read. A program \
             that does not know a version says nothing else about the document.",
        )
        .shown(Any, lock!("2", "ping"), lock!("1", "ping"));
    NAME = Rule::error("lock-name", "A tool in a lock must be under its own name.")
        .because(
            "A tool that a source has is compared with what is under its name. Were that the contract of another \
             tool, a reader would believe something else than what is compared.",
        )
        .shown(Any, lock!("1", "pong"), lock!("1", "ping"));
    DIGEST = Rule::error("lock-digest", "The digest in a lock must be that of its contract.")
        .because(
            "The digest is compared, and people review the contract. A lock in which the two disagree was edited by \
             hand, or merged from two changes: nobody has agreed to what it says.",
        )
        .shown(
            Any,
            lock!("1", "ping", "0000000000000000000000000000000000000000000000000000000000000000"),
            lock!("1", "ping"),
        );
}
