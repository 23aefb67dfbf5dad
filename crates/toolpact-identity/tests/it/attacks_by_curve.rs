//! Tokens of other algorithms, and of one issuer for another, that must not be taken.

use serde_json::{Value as Json, json};

use crate::support::{
    AUDIENCE, ISSUER, Signer, ask, claims, config, encode, header, identity, token,
};

const OTHER: &str = "https://other.example.com";

fn header_of(algorithm: &str) -> Json {
    json!({"alg": algorithm, "kid": "one"})
}

/// A token with this signature.
fn signed_with(good: &str, signature: &[u8]) -> String {
    let (message, _) = good.rsplit_once('.').unwrap();
    format!("{message}.{}", encode(signature))
}

fn signature(token: &str) -> Vec<u8> {
    use base64::Engine as _;
    let (_, signature) = token.rsplit_once('.').unwrap();
    let decoded = base64::prelude::BASE64_URL_SAFE_NO_PAD.decode(signature);
    decoded.unwrap()
}

/// The same signature as ASN.1 writes it.
fn der(fixed: &[u8]) -> Vec<u8> {
    let integer = |bytes: &[u8]| {
        let mut value = vec![0];
        value.extend_from_slice(bytes);
        [&[2, u8::try_from(value.len()).unwrap()][..], &value].concat()
    };
    let (r, s) = fixed.split_at(32);
    let inside = [integer(r), integer(s)].concat();
    [&[0x30, u8::try_from(inside.len()).unwrap()][..], &inside].concat()
}

#[tokio::test]
async fn signatures_that_say_nothing_are_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.json");
    let mut config = config(&keys);
    config["jwt"][0]["algorithms"] = json!(["ES256", "EdDSA"]);
    let mut tried = 0;
    for (algorithm, signer) in [("ES256", Signer::curve()), ("EdDSA", Signer::edwards())] {
        let set = json!({"keys": [signer.jwk("one")]});
        std::fs::write(&keys, set.to_string()).unwrap();
        let identity = identity(&config);
        let good = token(&header_of(algorithm), &claims(), &signer);
        assert!(ask(&identity, &good).await.is_ok(), "{algorithm}");
        let fixed = signature(&good);
        let other = if algorithm == "ES256" {
            "EdDSA"
        } else {
            "ES256"
        };
        let attacks = [
            ("zeros", signed_with(&good, &[0; 64])),
            ("ones", signed_with(&good, &[0xff; 64])),
            (
                "r and s are one",
                signed_with(&good, &{
                    let mut one = [0; 64];
                    (one[31], one[63]) = (1, 1);
                    one
                }),
            ),
            ("ASN.1", signed_with(&good, &der(&fixed))),
            (
                "more behind",
                signed_with(&good, &[&fixed[..], &[0]].concat()),
            ),
            (
                "zeros in front",
                signed_with(&good, &[&[0], &fixed[..]].concat()),
            ),
            ("cut off", signed_with(&good, &fixed[..63])),
            ("empty", signed_with(&good, &[])),
            (
                "halves changed",
                signed_with(&good, &[&fixed[32..], &fixed[..32]].concat()),
            ),
            (
                "the other algorithm",
                token(&header_of(other), &claims(), &signer),
            ),
            (
                "an algorithm of RSA",
                token(&header_of("RS256"), &claims(), &signer),
            ),
            (
                "a longer curve",
                token(&header_of("ES384"), &claims(), &signer),
            ),
        ];
        for (attack, token) in attacks {
            let asked = ask(&identity, &token).await;
            assert_eq!(asked.unwrap_err().status(), 401, "{algorithm}: {attack}");
            tried += 1;
        }
        assert!(ask(&identity, &good).await.is_ok(), "{algorithm}");
    }
    eprintln!("{tried} tokens, 0 taken");
}

/// Each issuer speaks for itself only, whatever its keys are called, and to its own audience.
#[tokio::test]
async fn no_issuer_speaks_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let [own, others] = ["own.json", "others.json"].map(|name| folder.path().join(name));
    let write = |path: &std::path::Path, signer: &Signer| {
        let set = json!({"keys": [signer.jwk("one")]});
        std::fs::write(path, set.to_string()).unwrap();
    };
    let (issuer, other) = (Signer::issuer(), Signer::stranger());
    write(&own, &issuer);
    write(&others, &other);
    let mut config = config(&own);
    let mut second = config["jwt"][0].clone();
    second["issuer"] = OTHER.into();
    second["audience"] = json!(["others"]);
    second["jwks"] = json!({"file": others});
    config["jwt"].as_array_mut().unwrap().push(second);
    let identity = identity(&config);
    let of = |iss: &str, aud: &str, signer: &Signer| {
        let mut claims = claims();
        claims["iss"] = iss.into();
        claims["aud"] = aud.into();
        token(&header(), &claims, signer)
    };
    let one = ask(&identity, &of(ISSUER, AUDIENCE, &issuer))
        .await
        .unwrap();
    let two = ask(&identity, &of(OTHER, "others", &other)).await.unwrap();
    assert_eq!(one.name(), two.name());
    assert_ne!(one, two);
    for (iss, aud, signer) in [
        (ISSUER, AUDIENCE, &other),
        (OTHER, "others", &issuer),
        (ISSUER, "others", &issuer),
        (OTHER, AUDIENCE, &other),
        (ISSUER, "others", &other),
        (OTHER, AUDIENCE, &issuer),
    ] {
        let asked = ask(&identity, &of(iss, aud, signer)).await;
        assert_eq!(asked.unwrap_err().status(), 401, "{iss} {aud}");
    }
}
