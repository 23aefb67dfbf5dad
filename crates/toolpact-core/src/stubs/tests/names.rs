use crate::stubs::names::{TypeNames, aliases, identifier, pascal};
use crate::stubs::{python, typescript};

#[test]
fn names_of_responses() {
    for (function, name) in [
        ("read_file", "ReadFileResponse"),
        ("URLFetch", "UrlFetchResponse"),
        ("search_v2", "SearchV2Response"),
        ("readFile", "ReadFileResponse"),
        ("read-file", "ReadFileResponse"),
        ("getHTTPResponse", "GetHttpResponseResponse"),
        ("HTTP2Server", "Http2ServerResponse"),
        ("OAuth", "OAuthResponse"),
        ("_private", "PrivateResponse"),
        ("_", "ToolResponse"),
        ("_2nd", "Tool2ndResponse"),
        ("x", "XResponse"),
    ] {
        assert_eq!(python::response_name(function), name);
        assert_eq!(typescript::response_name(function), name);
    }
}

#[test]
fn words_of_keys() {
    assert_eq!(pascal("created-at"), "CreatedAt");
    assert_eq!(pascal("$limit"), "Limit");
    assert_eq!(pascal("größe"), "Größe");
    assert_eq!(pascal("a.b c"), "ABC");
    assert_eq!(pascal("😀"), "");
}

#[test]
fn identifiers() {
    for (name, safe) in [
        ("user.name", "user_name"),
        ("2nd", "arg_2nd"),
        ("", "arg"),
        ("___", "arg"),
        ("_meta", "meta"),
        ("größe", "größe"),
        ("ﬁ", "arg"),
        ("e\u{301}", "e_"),
        ("名前", "名前"),
    ] {
        assert_eq!(identifier(name, "arg"), safe, "{name}");
    }
    assert_eq!(identifier(&"x".repeat(1_000), "arg").len(), 120);
}

#[test]
fn what_is_safe_keeps_its_name() {
    let names = ["a-b", "a_b", "from", "from_", "a b", "a_b"];
    let aliases = aliases(&names, "arg", |name| name == "from");
    assert_eq!(
        aliases,
        ["a_b_2", "a_b", "from__2", "from_", "a_b_3", "a_b_4"]
    );
}

#[test]
fn types_with_the_same_name_get_a_number() {
    let mut names = TypeNames::without(["Any"]);
    assert_eq!(names.take("Any"), "Any2");
    assert_eq!(names.take("A"), "A");
    assert_eq!(names.take("A2"), "A2");
    assert_eq!(names.take("A"), "A3");
    assert_eq!(names.take(&"x".repeat(1_000)).len(), 120);
}
