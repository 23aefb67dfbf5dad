//! Keys at an address, which an issuer changes.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::{Signer, ask, claims, config, identity, token};

/// How long anything may take; a key that is not known is looked for every ten seconds.
const PATIENCE: Duration = Duration::from_secs(40);

/// An address with keys that counts how often they are fetched.
struct Issuer {
    address: SocketAddr,
    answer: Arc<Mutex<String>>,
    fetched: Arc<AtomicUsize>,
}

impl Issuer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = Self {
            address: listener.local_addr().unwrap(),
            answer: Arc::default(),
            fetched: Arc::default(),
        };
        let (answer, fetched) = (Arc::clone(&issuer.answer), Arc::clone(&issuer.fetched));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                fetched.fetch_add(1, Ordering::SeqCst);
                let answer = answer.lock().unwrap().clone();
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        issuer
    }

    fn answer(&self, status: &str, body: &str) {
        let length = body.len();
        *self.answer.lock().unwrap() = format!(
            "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
    }

    fn has(&self, keys: &[Json]) {
        self.answer("200 OK", &json!({"keys": keys}).to_string());
    }

    fn fetched(&self) -> usize {
        self.fetched.load(Ordering::SeqCst)
    }

    fn config(&self) -> Json {
        let mut config = config("nowhere".as_ref());
        config["jwt"][0]["jwks"] = json!({"url": format!("http://{}/keys", self.address)});
        config
    }
}

fn signed(name: &str, signer: &Signer) -> String {
    token(&json!({"alg": "RS256", "kid": name}), &claims(), signer)
}

/// They are fetched when the first token comes, and not by each stranger.
#[tokio::test]
async fn keys_are_fetched_when_one_is_missing_and_not_too_often() {
    let issuer = Issuer::start().await;
    issuer.has(&[Signer::issuer().jwk("one")]);
    let identity = identity(&issuer.config());
    assert_eq!(issuer.fetched(), 0);
    let many = (0..20).map(|_| ask(&identity, "a.b.c"));
    for one in many {
        one.await.unwrap_err();
    }
    assert_eq!(issuer.fetched(), 0, "what is no token is not looked up");
    let good = signed("one", &Signer::issuer());
    let (first, second) = tokio::join!(ask(&identity, &good), ask(&identity, &good));
    assert_eq!(
        (first.unwrap().name(), second.unwrap().name()),
        ("ada", "ada")
    );
    assert_eq!(issuer.fetched(), 1, "both have waited for one answer");
    for number in 0..50 {
        let strange = signed(&format!("key-{number}"), &Signer::stranger());
        assert_eq!(ask(&identity, &strange).await.unwrap_err().status(), 401);
    }
    assert_eq!(issuer.fetched(), 1, "strangers can name any key");
    assert_eq!(ask(&identity, &good).await.unwrap().name(), "ada");
}

/// A name that is not known is looked for, so that whoever has a token of the new key is let in, and not only after the
/// next round.
#[tokio::test]
async fn a_new_key_is_fetched_when_a_token_names_it() {
    let issuer = Issuer::start().await;
    let (old, new) = (Signer::issuer(), Signer::stranger());
    let (of_old, of_new) = (signed("old", &old), signed("new", &new));
    issuer.has(&[old.jwk("old")]);
    let identity = identity(&issuer.config());
    assert!(ask(&identity, &of_old).await.is_ok());
    issuer.has(&[old.jwk("old"), new.jwk("new")]);
    // Strangers can name any key, so it takes until the pause is over.
    assert_eq!(ask(&identity, &of_new).await.unwrap_err().status(), 401);
    assert_eq!(issuer.fetched(), 1);
    let let_in = async {
        while ask(&identity, &of_new).await.is_err() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, let_in).await.unwrap();
    assert_eq!(
        issuer.fetched(),
        2,
        "by the first that came after the pause"
    );
    assert!(ask(&identity, &of_old).await.is_ok());
    assert_eq!(issuer.fetched(), 2);
}

/// A key that an issuer takes back is gone with the next round, for tokens that were verified before, too.
#[tokio::test]
async fn a_key_that_is_withdrawn_is_gone_with_the_next_round() {
    let issuer = Issuer::start().await;
    let (old, new) = (Signer::issuer(), Signer::stranger());
    let (of_old, of_new) = (signed("old", &old), signed("new", &new));
    issuer.has(&[old.jwk("old"), new.jwk("new")]);
    let mut config = issuer.config();
    config["jwt"][0]["refresh_s"] = json!(1);
    let identity = identity(&config);
    let refreshing = identity.clone();
    let rounds = tokio::spawn(async move { refreshing.refresh().await });
    assert!(ask(&identity, &of_old).await.is_ok());
    assert!(ask(&identity, &of_new).await.is_ok());
    issuer.has(&[new.jwk("new")]);
    let gone = async {
        while ask(&identity, &of_old).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.unwrap();
    assert_eq!(ask(&identity, &of_old).await.unwrap_err().status(), 401);
    assert!(ask(&identity, &of_new).await.is_ok());
    // An address that fails takes no keys back, and lets none in again.
    issuer.answer("500 Internal Server Error", "{}");
    let before = issuer.fetched();
    let failed = async {
        while issuer.fetched() < before + 2 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, failed).await.unwrap();
    assert!(ask(&identity, &of_new).await.is_ok());
    assert!(ask(&identity, &of_old).await.is_err());
    rounds.abort();
}

/// What the issuer takes back is not good any more, although it was verified before.
#[tokio::test]
async fn a_key_that_is_gone_verifies_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.json");
    let (old, new) = (Signer::issuer(), Signer::stranger());
    let write = |keys: &[Json]| std::fs::write(&file, json!({"keys": keys}).to_string()).unwrap();
    write(&[old.jwk("old")]);
    let identity = identity(&config(&file));
    let (of_old, of_new) = (signed("old", &old), signed("new", &new));
    assert!(ask(&identity, &of_old).await.is_ok());
    assert!(ask(&identity, &of_new).await.is_err());
    assert_eq!(identity.files(), std::slice::from_ref(&file));
    write(&[old.jwk("old"), new.jwk("new")]);
    identity.reload(&file).unwrap();
    assert!(ask(&identity, &of_old).await.is_ok());
    assert!(ask(&identity, &of_new).await.is_ok());
    write(&[new.jwk("new")]);
    identity.reload(&file).unwrap();
    assert!(ask(&identity, &of_old).await.is_err());
    assert!(ask(&identity, &of_new).await.is_ok());
    // A file that is wrong changes nothing.
    std::fs::write(&file, "{}").unwrap();
    let error = identity.reload(&file).unwrap_err().to_string();
    assert!(error.contains("expected a JWK set"), "{error}");
    assert!(ask(&identity, &of_new).await.is_ok());
}

#[tokio::test]
async fn answers_that_are_no_keys_let_nobody_in() {
    for (status, body) in [
        ("500 Internal Server Error", "{}".to_owned()),
        ("302 Found", "{}".to_owned()),
        ("200 OK", "<html>".to_owned()),
        ("200 OK", r#"{"keys": []}"#.to_owned()),
        ("200 OK", " ".repeat(2 << 20)),
    ] {
        let issuer = Issuer::start().await;
        issuer.answer(status, &body);
        let identity = identity(&issuer.config());
        let good = signed("one", &Signer::issuer());
        assert_eq!(ask(&identity, &good).await.unwrap_err().status(), 401);
        assert_eq!(issuer.fetched(), 1);
    }
}
