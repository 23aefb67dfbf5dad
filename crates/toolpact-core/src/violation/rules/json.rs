use super::{Rule, Subject::Json, Subject::LimitedJson};

rules! {
    SYNTAX = Rule::error("json-syntax", "The text must be JSON.")
        .because(
            "The text is read by RFC 8259: strings and keys in double quotes, no \
             single quotes, no `NaN`. Reading stops at the first mistake of this kind, because \
             what follows it is guesswork.",
        )
        .shown(Json, b"{\"city\": 'Oslo'}", b"{\"city\": \"Oslo\"}");
    TRAILING_COMMA = Rule::error("json-trailing-comma", "A comma must be followed by another element.")
        .because("JSON has no trailing commas. `toolpact check --fix` removes them.")
        .shown(Json, b"[1, 2,]", b"[1, 2]");
    COMMENT = Rule::error("json-comment", "JSON has no comments.")
        .because(
            "Put the remark into a `description`, where a model can read it too, or write the \
             document in YAML. `toolpact check --fix` removes comments.",
        )
        .shown(Json, b"{\"days\": 3} // at most 7", b"{\"days\": 3}");
    DUPLICATE_KEY = Rule::error("json-duplicate-key", "A key may be in an object only once.")
        .because(
            "Readers disagree about which of two equal keys counts, so what one program checks \
             is not what the next one uses. Keys are compared after unescaping: `a` and \
             `\\u0061` are the same key.",
        )
        .shown(Json, br#"{"a": 1, "\u0061": 2}"#, br#"{"a": 1, "b": 2}"#);
    LONE_SURROGATE = Rule::error("json-lone-surrogate", "A surrogate must be part of a pair.")
        .because(
            "`\\ud800` to `\\udfff` stand for characters only in pairs, a high one and then a \
             low one. Alone they cannot be written as UTF-8, and readers replace, drop or refuse \
             them.",
        )
        .shown(Json, br#""\ud83d""#, br#""\ud83d\ude00""#);
    INVALID_UTF8 = Rule::error("json-invalid-utf8", "The text must be UTF-8.")
        .because("JSON that travels between programs is UTF-8 (RFC 8259, section 8.1).")
        .shown(Json, b"\"caf\xe9\"", b"\"caf\xc3\xa9\"");
    BYTE_ORDER_MARK = Rule::error("json-byte-order-mark", "The text must not begin with a byte order mark.")
        .because(
            "Some editors put the bytes EF BB BF in front of a file. RFC 8259 forbids them, and \
             many readers fail on them. `toolpact check --fix` removes them.",
        )
        .shown(Json, b"\xef\xbb\xbf{}", b"{}");
    NUMBER_OVERFLOW = Rule::error("json-number-overflow", "A number must fit into a 64-bit float.")
        .because(
            "A number beyond about 1.8e308 becomes infinity in some readers and an error in \
             others. Numbers too small for a float are read as zero.",
        )
        .shown(Json, b"1e400", b"1e300");
    TOO_DEEP = Rule::error("json-too-deep", "A document must not be nested deeper than the limit.")
        .because(
            "Deep nesting is a way to make programs run out of stack. The limit is 128 levels \
             unless you set another one (`--max-depth`); toolpact itself has no trouble with any \
             depth. The example is under a limit of 3 levels.",
        )
        .shown(LimitedJson { depth: 3, bytes: 100 }, b"[[[[1]]]]", b"[[[1]]]");
    TOO_LARGE = Rule::error("json-too-large", "A document must not be longer than the limit.")
        .because(
            "The limit is 1 GiB unless you set another one (`--max-bytes`); above 4 GiB no \
             document is read. The example is under a limit of 10 bytes.",
        )
        .shown(LimitedJson { depth: 3, bytes: 10 }, b"[1, 2, 3, 4]", b"[1, 2]");
}
