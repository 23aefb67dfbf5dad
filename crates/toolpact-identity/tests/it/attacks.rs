//! Tokens that must not be taken. Each is good but for one thing.

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};
use serde_json::{Value as Json, json};

use crate::support::{
    ISSUER, Signer, ask, claims, config, encode, header, identity, now, rsa_of_issuer, shown,
    token, token_of,
};

/// A good token whose header or claims are changed.
fn changed(change: impl FnOnce(&mut Json, &mut Json)) -> String {
    let (mut header, mut claims) = (header(), claims());
    change(&mut header, &mut claims);
    token(&header, &claims, &Signer::issuer())
}

fn with_claim(key: &str, value: Json) -> String {
    changed(|_, claims| claims[key] = value)
}

fn without_claim(key: &str) -> String {
    changed(|_, claims| {
        claims.as_object_mut().unwrap().remove(key);
    })
}

fn with_header(key: &str, value: Json) -> String {
    changed(|header, _| header[key] = value)
}

/// Signed by somebody else, who says where to find the key.
fn brought(key: &str, value: Json) -> String {
    let mut header = header();
    header[key] = value;
    token(&header, &claims(), &Signer::stranger())
}

fn by(algorithm: &str, signer: &Signer) -> String {
    let mut header = header();
    header["alg"] = json!(algorithm);
    token(&header, &claims(), signer)
}

/// The text of claims with one more member.
fn twice(member: &str) -> String {
    let text = claims().to_string();
    let text = format!("{},{member}}}", &text[..text.len() - 1]);
    token_of(&header().to_string(), &text, &Signer::issuer())
}

fn unsigned() -> Vec<(&'static str, String)> {
    let none = |algorithm| by(algorithm, &Signer::Nobody);
    let good = token(&header(), &claims(), &Signer::issuer());
    let (message, signature) = good.rsplit_once('.').unwrap();
    let (first, rest) = message.split_once('.').unwrap();
    let mut admin = claims();
    admin["sub"] = json!("root");
    vec![
        ("alg none", none("none")),
        ("alg None", none("None")),
        ("alg NONE", none("NONE")),
        ("alg nOnE", none("nOnE")),
        ("alg empty", none("")),
        ("alg null", changed(|header, _| header["alg"] = Json::Null)),
        ("alg a list", with_header("alg", json!(["RS256"]))),
        (
            "no alg",
            changed(|header, _| {
                header.as_object_mut().unwrap().remove("alg");
            }),
        ),
        ("no signature", by("RS256", &Signer::Nobody)),
        ("signature cut off", good[..good.len() - 10].to_owned()),
        ("signature left out", message.to_owned()),
        (
            "claims changed",
            format!(
                "{first}.{}.{signature}",
                encode(admin.to_string().as_bytes())
            ),
        ),
        (
            "header changed",
            format!("{}.{rest}.{signature}", encode(br#"{"alg":"RS256"}"#)),
        ),
        ("signature of another token", {
            let other = with_claim("sub", json!("bob"));
            format!("{message}.{}", other.rsplit_once('.').unwrap().1)
        }),
        (
            "signature of zeros",
            format!("{message}.{}", encode(&[0; 256])),
        ),
    ]
}

fn confused() -> Vec<(&'static str, String)> {
    let public = ring::rsa::PublicKeyComponents::<Vec<u8>>::from(rsa_of_issuer().public());
    let der = rsa_of_issuer().public().as_ref().to_vec();
    let pem = format!(
        "-----BEGIN RSA PUBLIC KEY-----\n{}\n-----END RSA PUBLIC KEY-----\n",
        BASE64_STANDARD.encode(&der)
    );
    let jwk = Signer::issuer().jwk("one").to_string();
    let shared = |secret: &[u8]| by("HS256", &Signer::Shared(secret.to_vec()));
    vec![
        ("HS256 with the public key as DER", shared(&der)),
        ("HS256 with the public key as PEM", shared(pem.as_bytes())),
        ("HS256 with the modulus", shared(&public.n)),
        ("HS256 with the JWK", shared(jwk.as_bytes())),
        ("HS256 with nothing", shared(b"")),
        ("HS256 with the secret of the set", {
            let header = json!({"alg": "HS256", "kid": "shared"});
            token(&header, &claims(), &Signer::Shared(b"s3cret".to_vec()))
        }),
        ("RS256 with a secret of the set", {
            let header = json!({"alg": "RS256", "kid": "shared"});
            token(&header, &claims(), &Signer::Shared(b"s3cret".to_vec()))
        }),
        ("ES256 of a key of RSA", by("ES256", &Signer::issuer())),
        ("RS256 by PSS", by("RS256", &Signer::ps256())),
        ("RS512, which is not allowed", by("RS512", &Signer::rs512())),
        ("PS256, which is not allowed", by("PS256", &Signer::ps256())),
        (
            "EdDSA, which is not allowed",
            by("EdDSA", &Signer::edwards()),
        ),
        (
            "an algorithm that there is not",
            by("RS257", &Signer::issuer()),
        ),
        ("rs256 in small letters", by("rs256", &Signer::issuer())),
        ("a key for encryption", {
            let header = json!({"alg": "RS256", "kid": "encryption"});
            token(&header, &claims(), &Signer::stranger())
        }),
        ("a key for another algorithm", {
            let header = json!({"alg": "RS256", "kid": "only-ps"});
            token(&header, &claims(), &Signer::stranger())
        }),
    ]
}

fn with_foreign_keys() -> Vec<(&'static str, String)> {
    let stranger = Signer::stranger();
    let jwk = stranger.jwk("one");
    let evil = "https://evil.example/keys.json";
    let mut of_itself = header();
    of_itself["jwk"] = jwk.clone();
    of_itself["kid"] = json!("evil");
    vec![
        (
            "another key of the same name",
            token(&header(), &claims(), &stranger),
        ),
        ("jwk", brought("jwk", jwk)),
        (
            "jwk with its own name",
            token(&of_itself, &claims(), &stranger),
        ),
        ("jku", brought("jku", json!(evil))),
        ("x5u", brought("x5u", json!(evil))),
        ("x5c", brought("x5c", json!(["MIIB"]))),
        ("x5t", brought("x5t", json!("dGh1bWI"))),
        ("an unknown key", brought("kid", json!("two"))),
        ("no key named", {
            let header = json!({"alg": "RS256"});
            token(&header, &claims(), &stranger)
        }),
        (
            "a path as key",
            brought("kid", json!("../../../../dev/null")),
        ),
        ("an address as key", brought("kid", json!(evil))),
        (
            "SQL as key",
            brought("kid", json!("one' UNION SELECT 'k' --")),
        ),
        ("a zero byte in the key", brought("kid", json!("one\0"))),
        ("a number as key", with_header("kid", json!(1))),
        ("a key that is null", with_header("kid", Json::Null)),
        ("an empty key", brought("kid", json!(""))),
    ]
}

fn of_others() -> Vec<(&'static str, String)> {
    let soon = now() + 600;
    vec![
        (
            "another audience",
            with_claim("aud", json!("https://other.example")),
        ),
        ("other audiences", with_claim("aud", json!(["a", "b"]))),
        ("no audience", without_claim("aud")),
        ("an empty audience", with_claim("aud", json!([]))),
        ("an audience that is null", with_claim("aud", Json::Null)),
        (
            "an audience that is longer",
            with_claim("aud", json!("https://tools.example.com/mcp/")),
        ),
        (
            "an audience in capitals",
            with_claim("aud", json!("HTTPS://TOOLS.EXAMPLE.COM/MCP")),
        ),
        (
            "an audience that is an object",
            with_claim("aud", json!({"a": "https://tools.example.com/mcp"})),
        ),
        (
            "another issuer",
            with_claim("iss", json!("https://evil.example")),
        ),
        (
            "an issuer that is longer",
            with_claim("iss", json!(format!("{ISSUER}/"))),
        ),
        (
            "several issuers",
            with_claim("iss", json!([ISSUER, "https://evil.example"])),
        ),
        ("no issuer", without_claim("iss")),
        ("expired", with_claim("exp", json!(now() - 3600))),
        (
            "expired beyond the leeway",
            with_claim("exp", json!(now() - 32)),
        ),
        ("expired in 1970", with_claim("exp", json!(0))),
        ("an end that is negative", with_claim("exp", json!(-1))),
        (
            "an end that is text",
            with_claim("exp", json!(soon.to_string())),
        ),
        ("an end that is null", with_claim("exp", Json::Null)),
        ("no end", without_claim("exp")),
        ("not valid yet", with_claim("nbf", json!(now() + 3600))),
        (
            "not valid yet beyond the leeway",
            with_claim("nbf", json!(now() + 40)),
        ),
        ("a beginning that is text", with_claim("nbf", json!("now"))),
        ("no name", without_claim("sub")),
        ("an empty name", with_claim("sub", json!(""))),
        (
            "the name of those without one",
            with_claim("sub", json!("anonymous")),
        ),
        ("a name that is a number", with_claim("sub", json!(1))),
        (
            "a name with a line break",
            with_claim("sub", json!("ada\nroot")),
        ),
        (
            "a name that is too long",
            with_claim("sub", json!("a".repeat(300))),
        ),
        ("groups that are no names", with_claim("groups", json!([1]))),
        (
            "a tenant that is no name",
            with_claim("org", json!({"a": 1})),
        ),
        (
            "bound to a key of the client",
            with_claim("cnf", json!({"jkt": "abc"})),
        ),
    ]
}

fn malformed() -> Vec<(&'static str, String)> {
    let good = token(&header(), &claims(), &Signer::issuer());
    let parts: Vec<&str> = good.split('.').collect();
    let padded = BASE64_URL_SAFE.encode(claims().to_string() + " ");
    let padded = if padded.ends_with('=') {
        padded
    } else {
        format!("{padded}==")
    };
    vec![
        ("critical headers", with_header("crit", json!(["exp"]))),
        (
            "critical headers that are empty",
            with_header("crit", json!([])),
        ),
        (
            "an unencoded payload",
            changed(|header, _| {
                header["b64"] = json!(false);
                header["crit"] = json!(["b64"]);
            }),
        ),
        ("a logout token", with_header("typ", json!("logout+jwt"))),
        ("a proof of a key", with_header("typ", json!("dpop+jwt"))),
        ("a type that is no text", with_header("typ", json!(1))),
        (
            "a huge token",
            with_claim("more", json!("x".repeat(20_000))),
        ),
        (
            "a huge header",
            with_header("more", json!("x".repeat(20_000))),
        ),
        ("the name twice", twice(r#""sub":"root""#)),
        (
            "the audience twice",
            twice(r#""aud":"https://tools.example.com/mcp""#),
        ),
        ("the end twice", twice(r#""exp":99999999999"#)),
        ("a name twice with an escape", twice(r#""\u0073ub":"root""#)),
        (
            "the algorithm twice",
            token_of(
                r#"{"alg":"none","alg":"RS256","kid":"one"}"#,
                &claims().to_string(),
                &Signer::issuer(),
            ),
        ),
        (
            "claims that are a list",
            token_of(&header().to_string(), "[]", &Signer::issuer()),
        ),
        (
            "claims that are a text",
            token_of(&header().to_string(), "\"a\"", &Signer::issuer()),
        ),
        (
            "claims that are nothing",
            token_of(&header().to_string(), "", &Signer::issuer()),
        ),
        (
            "claims with more behind",
            token_of(
                &header().to_string(),
                &format!("{} {{}}", claims()),
                &Signer::issuer(),
            ),
        ),
        (
            "a header that is a list",
            token_of("[]", &claims().to_string(), &Signer::issuer()),
        ),
        ("four parts", format!("{good}.x")),
        (
            "five parts, as if encrypted",
            format!("{}.a.{}.b.{}", parts[0], parts[1], parts[2]),
        ),
        ("a part of nothing", format!("{}..{}", parts[0], parts[2])),
        ("only dots", "..".to_owned()),
        ("padding", format!("{}.{padded}.{}", parts[0], parts[2])),
        (
            "other base64",
            format!("{}.{}.+/{}", parts[0], parts[1], &parts[2][2..]),
        ),
        (
            "a space in it",
            format!("{} .{}.{}", parts[0], parts[1], parts[2]),
        ),
        (
            "deep nesting",
            token_of(
                &header().to_string(),
                &format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000)),
                &Signer::issuer(),
            ),
        ),
    ]
}

#[tokio::test]
async fn no_token_that_is_wrong_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.json");
    let mut encryption = Signer::stranger().jwk("encryption");
    encryption["use"] = json!("enc");
    let mut only_ps = Signer::stranger().jwk("only-ps");
    only_ps["alg"] = json!("PS256");
    let shared = Signer::Shared(b"s3cret".to_vec()).jwk("shared");
    let set = json!({"keys": [Signer::issuer().jwk("one"), encryption, only_ps, shared]});
    std::fs::write(&keys, set.to_string()).unwrap();
    let identity = identity(&config(&keys));

    let good = token(&header(), &claims(), &Signer::issuer());
    assert!(ask(&identity, &good).await.is_ok(), "the good one is taken");
    for good in [
        with_claim(
            "aud",
            json!(["https://other.example", "https://tools.example.com/mcp"]),
        ),
        with_claim("exp", json!(now() - 20)),
        with_claim("nbf", json!(now() + 20)),
        with_header("typ", json!("JWT")),
        with_header("x5t", json!("ignored")),
        with_header("jku", json!("https://ignored.example")),
    ] {
        assert!(ask(&identity, &good).await.is_ok(), "{good}");
    }

    let groups = [
        unsigned(),
        confused(),
        with_foreign_keys(),
        of_others(),
        malformed(),
    ];
    let attacks: Vec<(&str, String)> = groups.into_iter().flatten().collect();
    assert!(attacks.len() >= 100, "{}", attacks.len());
    let mut passed = Vec::new();
    for (attack, token) in &attacks {
        // Once is not enough: what was refused must not be known the second time.
        for _ in 0..2 {
            match ask(&identity, token).await {
                Ok(principal) => passed.push(format!("{attack}: {principal}")),
                Err(refusal) => {
                    assert_eq!(refusal.status(), 401, "{attack}");
                    let told = refusal.message();
                    assert!(
                        told.starts_with("expected the header `Authorization"),
                        "{told}"
                    );
                }
            }
        }
    }
    assert_eq!(passed, Vec::<String>::new(), "of {}", attacks.len());
    assert!(ask(&identity, &good).await.is_ok());
}

#[tokio::test]
async fn other_schemes_and_odd_headers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.json");
    std::fs::write(
        &keys,
        json!({"keys": [Signer::issuer().jwk("one")]}).to_string(),
    )
    .unwrap();
    let identity = identity(&config(&keys));
    let good = token(&header(), &claims(), &Signer::issuer());
    assert!(shown(&identity, &format!("bearer {good}")).await.is_ok());
    for odd in [
        good.clone(),
        format!("Basic {good}"),
        format!("DPoP {good}"),
        format!("Bearer{good}"),
        format!("Bearer {good},{good}"),
        format!("Bearer token=\"{good}\""),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        String::new(),
    ] {
        assert_eq!(
            shown(&identity, &odd).await.unwrap_err().status(),
            401,
            "{odd}"
        );
    }
}
