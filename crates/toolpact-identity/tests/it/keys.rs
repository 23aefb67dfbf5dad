//! Tokens that are good, by the algorithms and claims of their issuers.

use serde_json::json;
use toolpact_identity::{Identity, IdentityConfig};

use crate::support::{Signer, ask, claims, config, header, identity, token};

#[tokio::test]
async fn the_claims_of_a_good_token_are_the_principal() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.json");
    let signer = Signer::issuer();
    let set =
        json!({"keys": [signer.jwk("one"), {"kty": "strange"}, {"kty": "RSA", "use": "enc"}]});
    std::fs::write(&keys, set.to_string()).unwrap();
    let identity = identity(&config(&keys));
    let good = token(&header(), &claims(), &signer);
    // The second time, it is known.
    for _ in 0..2 {
        let ada = ask(&identity, &good).await.unwrap();
        assert_eq!(ada.name(), "ada");
        assert_eq!(ada.issuer(), Some("https://login.example.com"));
        assert_eq!(ada.tenant(), Some("acme"));
        assert!(ada.is_in("support") && ada.is_in("staff") && !ada.is_in("admin"));
        let claims = ada.claims().unwrap().root();
        assert_eq!(
            claims.get("scope").unwrap().as_str().unwrap(),
            "orders:read"
        );
        assert!(claims.get("exp").is_none(), "it says nothing about ada");
    }
    // The same principal, by another token.
    let mut later = claims();
    later["iat"] = json!(1);
    later["jti"] = json!("another");
    let first = ask(&identity, &good).await.unwrap();
    let again = ask(&identity, &token(&header(), &later, &signer))
        .await
        .unwrap();
    assert!(first.is_exactly(&again));
}

#[tokio::test]
async fn every_algorithm_of_the_config_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.json");
    let cases = [
        ("RS256", Signer::issuer()),
        ("RS512", Signer::rs512()),
        ("PS256", Signer::ps256()),
        ("ES256", Signer::curve()),
        ("EdDSA", Signer::edwards()),
    ];
    let set: Vec<_> = cases
        .iter()
        .map(|(name, signer)| signer.jwk(name))
        .collect();
    std::fs::write(&keys, json!({"keys": set}).to_string()).unwrap();
    let mut config = config(&keys);
    config["jwt"][0]["algorithms"] = json!(["RS256", "RS512", "PS256", "ES256", "EdDSA"]);
    let identity = identity(&config);
    for (name, signer) in &cases {
        let header = json!({"alg": name, "kid": name});
        let ada = ask(&identity, &token(&header, &claims(), signer)).await;
        assert_eq!(ada.unwrap().name(), "ada", "{name}");
    }
}

/// The name of a claim, or the way to it.
#[tokio::test]
async fn claims_are_where_the_config_says() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.json");
    let signer = Signer::issuer();
    std::fs::write(&keys, json!({"keys": [signer.jwk("one")]}).to_string()).unwrap();
    let mut config = config(&keys);
    config["jwt"][0]["claims"] = json!({"name": "email", "groups": "/realm_access/roles"});
    let identity = identity(&config);
    let mut claims = claims();
    claims["email"] = json!("ada@example.com");
    claims["realm_access"] = json!({"roles": ["agent"]});
    let ada = ask(&identity, &token(&header(), &claims, &signer))
        .await
        .unwrap();
    assert_eq!((ada.name(), ada.tenant()), ("ada@example.com", None));
    assert!(ada.is_in("agent") && !ada.is_in("support"));
}

#[test]
fn a_config_that_is_wrong_says_where() {
    for (config, expected) in [
        (
            json!({"jwt": [{"issuer": "a", "jwks": {"file": "k"}}]}),
            "/jwt/0 expected `audience`",
        ),
        (
            json!({"jwt": [{"issuer": "a", "audience": ["b"], "jwks": {"url": "http://a.example/keys"}}]}),
            "/jwt/0/jwks/url expected an address that begins with `https://`",
        ),
        (
            json!({"jwt": [
                {"issuer": "a", "audience": ["b"], "jwks": {"file": "k"}},
                {"issuer": "a", "audience": ["b"], "jwks": {"file": "k"}},
            ]}),
            "/jwt/1/issuer expected an issuer once",
        ),
        (
            json!({"oauth": {"resource": "https://a.example"}}),
            "/oauth expected `jwt`",
        ),
        (
            json!({"oauth": {"resource": "tools"}}),
            "/oauth/resource expected an address",
        ),
        (
            json!({"open_to_network": true}),
            "/open_to_network expected `anonymous: true`",
        ),
    ] {
        let parsed: IdentityConfig = serde_json::from_value(config.clone()).unwrap();
        let found = parsed.findings(&toolpact::core::Pointer::root());
        let found: Vec<String> = found
            .iter()
            .map(|(at, why)| format!("{at} {why}"))
            .collect();
        assert!(
            found.iter().any(|one| one.starts_with(expected)),
            "{config}: {found:?}"
        );
    }
    for wrong in [
        json!({"jwts": []}),
        json!({"jwt": [{"issuer": "a", "jwks": {"file": "k"}, "algorithms": ["HS256"]}]}),
        json!({"jwt": [{"issuer": "a", "jwks": {"file": "k"}, "algorithms": ["none"]}]}),
    ] {
        assert!(serde_json::from_value::<IdentityConfig>(wrong).is_err());
    }
    let missing =
        json!({"jwt": [{"issuer": "a", "audience": ["b"], "jwks": {"file": "/no/keys"}}]});
    let missing: IdentityConfig = serde_json::from_value(missing).unwrap();
    let error = Identity::new(&missing, None).unwrap_err().to_string();
    assert!(error.starts_with("/no/keys: "), "{error}");
}
