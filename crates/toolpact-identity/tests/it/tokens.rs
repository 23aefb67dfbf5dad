//! Named tokens: made, shown, expired, revoked.

use serde_json::json;
use toolpact_identity::{NewToken, TokenFile};

use crate::support::{ask, identity};

fn new(name: &str) -> NewToken {
    NewToken {
        name: name.to_owned(),
        ..NewToken::default()
    }
}

#[tokio::test]
async fn a_token_is_its_principal_until_it_is_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let file = TokenFile::at(folder.path().join("tokens.json"));
    let identity = identity(&json!({"tokens": file.path()}));
    assert!(!identity.allows_anonymous());
    let secret = file.add(NewToken {
        groups: vec!["support".to_owned()],
        tenant: Some("acme".to_owned()),
        scopes: vec!["a".to_owned(), "b".to_owned()],
        expires: Some("90d".parse().unwrap()),
        ..new("ada")
    });
    let secret = secret.unwrap();
    assert!(secret.starts_with("tpk_"));
    let stored = std::fs::read_to_string(file.path()).unwrap();
    assert!(!stored.contains(&secret[4..]), "{stored}");
    assert!(
        ask(&identity, &secret).await.is_err(),
        "it was not read yet"
    );
    identity.reload(file.path()).unwrap();
    let ada = ask(&identity, &secret).await.unwrap();
    assert_eq!(
        (ada.name(), ada.issuer(), ada.tenant()),
        ("ada", None, Some("acme"))
    );
    assert!(ada.is_in("support"));
    assert_eq!(ada.claims().unwrap().text(), r#"{"scope":"a b"}"#);

    let other = TokenFile::at(folder.path().join("other.json"))
        .add(new("ada"))
        .unwrap();
    let mut typo = secret.clone();
    typo.replace_range(10..11, if &secret[10..11] == "a" { "b" } else { "a" });
    for wrong in [other.as_str(), &typo, &secret[..51], "tpk_", "s3cret", ""] {
        let refusal = ask(&identity, wrong).await.unwrap_err();
        // Whether it was a typo is nobody's business but the log's.
        assert_eq!(
            refusal.message(),
            ask(&identity, "guess").await.unwrap_err().message()
        );
        assert_eq!(
            refusal.challenge().unwrap(),
            "Bearer error=\"invalid_token\""
        );
    }
    assert!(file.revoke("ada").unwrap());
    assert!(!file.revoke("ada").unwrap());
    identity.reload(file.path()).unwrap();
    assert!(ask(&identity, &secret).await.is_err());
}

#[tokio::test]
async fn a_token_ends() {
    let folder = tempfile::tempdir().unwrap();
    let file = TokenFile::at(folder.path().join("tokens.json"));
    let secret = file
        .add(NewToken {
            expires: Some("1h".parse().unwrap()),
            ..new("ada")
        })
        .unwrap();
    let identity = identity(&json!({"tokens": file.path()}));
    assert!(ask(&identity, &secret).await.is_ok());
    // An hour later.
    let stored = std::fs::read_to_string(file.path()).unwrap();
    let expires = file.list().unwrap()[0].expires.unwrap().to_string();
    std::fs::write(
        file.path(),
        stored.replace(&expires, "2020-01-01T00:00:00Z"),
    )
    .unwrap();
    identity.reload(file.path()).unwrap();
    assert!(ask(&identity, &secret).await.is_err());
}

#[test]
fn names_are_names_and_there_is_one_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let file = TokenFile::at(folder.path().join("tokens.json"));
    file.add(new("ada")).unwrap();
    for (name, expected) in [
        ("ada", "found `ada` again"),
        ("", "found ``"),
        ("a b", "found `a b`"),
        ("a\nb", "found `a\\nb`"),
        ("-a", "found `-a`"),
        ("anonymous", "expected another name"),
        ("auth_token", "expected another name"),
    ] {
        let error = file.add(new(name)).unwrap_err().to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
    assert_eq!(file.list().unwrap().len(), 1);
}

/// Those who change the file at the same time lose nothing, and nobody else can read it.
#[test]
fn many_are_added_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = TokenFile::at(folder.path().join("tokens.json"));
    std::thread::scope(|scope| {
        for number in 0..16 {
            let file = file.clone();
            scope.spawn(move || file.add(new(&format!("token-{number}"))).unwrap());
        }
    });
    assert_eq!(file.list().unwrap().len(), 16);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(file.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_file_that_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens.json");
    for (text, expected) in [
        ("", "EOF"),
        (r#"{"tokens": 1}"#, "expected a sequence"),
        (r#"{"tokens": [], "more": 1}"#, "unknown field `more`"),
        (
            r#"{"tokens": [{"name": "a", "sha256": "0", "created": "never"}]}"#,
            "line 1",
        ),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = TokenFile::at(&path).list().unwrap_err().to_string();
        assert!(
            error.contains("tokens.json: ") && error.contains(expected),
            "{error}"
        );
    }
    let short = r#"{"tokens": [{"name": "a", "sha256": "0", "created": "2026-01-01T00:00:00Z"}]}"#;
    std::fs::write(&path, short).unwrap();
    let config = serde_json::from_value(json!({"tokens": path})).unwrap();
    let error = toolpact_identity::Identity::new(&config, None)
        .unwrap_err()
        .to_string();
    assert!(error.contains("expected 64 hexadecimal digits"), "{error}");
}
