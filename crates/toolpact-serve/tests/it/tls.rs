//! TLS in the server itself, certificates that change, and clients that show some.

use std::path::Path;
use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, SanType,
};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolpact::{Context, Registry, tool};
use toolpact_serve::{Config, Service};

use crate::support::PATIENCE;

/// Says who calls.
#[tool(opaque, read_only)]
async fn who(cx: &Context) -> String {
    let principal = cx.principal();
    format!("{principal} by {}", principal.issuer().unwrap_or("nobody"))
}

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority(name: &str) -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A certificate and its key, in PEM.
fn issue(authority: &Authority, params: &CertificateParams) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, authority).unwrap();
    (certificate.pem(), key.serialize_pem())
}

fn of_server() -> CertificateParams {
    CertificateParams::new(["localhost".to_owned()]).unwrap()
}

/// A client by its common name, or by an address if it has none.
fn of_client(name: &str) -> CertificateParams {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    params.distinguished_name = rcgen::DistinguishedName::new();
    match name.contains("://") {
        true => params.subject_alt_names = vec![SanType::URI(name.try_into().unwrap())],
        false => params.distinguished_name.push(DnType::CommonName, name),
    }
    params
}

fn write(folder: &Path, name: &str, (certificate, key): &(String, String)) {
    std::fs::write(folder.join(format!("{name}.pem")), certificate).unwrap();
    std::fs::write(folder.join(format!("{name}.key")), key).unwrap();
}

struct Server {
    url: String,
    stop: CancellationToken,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn serve(folder: &Path, more: &str) -> Server {
    let config = folder.join("toolpact.yaml");
    let tls = "certificate: server.pem, key: server.key";
    std::fs::write(
        &config,
        format!("listen: localhost:0\n{more}\ntls: {{ {tls}, client_ca: ca.pem }}\n"),
    )
    .unwrap();
    let config = Config::from_file(&config).unwrap();
    let registry = Registry::new();
    registry.add(who::tool()).unwrap();
    let listener = Service::bind(&config).await.unwrap();
    let url = format!(
        "https://localhost:{}",
        listener.local_addr().unwrap().port()
    );
    let stop = CancellationToken::new();
    let builder = Service::builder().registry(registry).config(config);
    let service = builder.stop(stop.clone()).start().await.unwrap();
    tokio::spawn(async move { service.listen(listener).await.unwrap() });
    Server { url, stop }
}

/// A client that trusts an authority, and shows a certificate.
fn client(trusted: &Authority, shown: Option<&(String, String)>) -> reqwest::Client {
    let root = reqwest::Certificate::from_pem(trusted.pem().as_bytes()).unwrap();
    let client = toolpact_http::outgoing::client()
        .no_proxy()
        .tls_certs_only([root]);
    let client = match shown {
        Some((certificate, key)) => {
            let both = format!("{certificate}{key}");
            client.identity(reqwest::Identity::from_pem(both.as_bytes()).unwrap())
        }
        None => client,
    };
    client.timeout(PATIENCE).build().unwrap()
}

async fn ask(server: &Server, client: &reqwest::Client) -> Result<(u16, String), reqwest::Error> {
    let call = json!({"name": "who"}).to_string();
    let response = client
        .post(format!("{}/v1/call", server.url))
        .body(call)
        .send()
        .await?;
    Ok((response.status().as_u16(), response.text().await?))
}

#[tokio::test]
async fn clients_are_who_their_certificates_name() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, theirs) = (authority("Our CA"), authority("Our CA"));
    write(folder.path(), "server", &issue(&ours, &of_server()));
    std::fs::write(folder.path().join("ca.pem"), ours.pem()).unwrap();
    let server = serve(folder.path(), "").await;
    for (name, expected) in [
        ("ada", "\"ada by x509:Our CA\""),
        (
            "spiffe://example.com/agent",
            "\"spiffe://example.com/agent by x509:Our CA\"",
        ),
    ] {
        let shown = issue(&ours, &of_client(name));
        let (status, said) = ask(&server, &client(&ours, Some(&shown))).await.unwrap();
        assert_eq!((status, said.trim()), (200, expected));
    }
    // Without one, nobody is known.
    let (status, said) = ask(&server, &client(&ours, None)).await.unwrap();
    assert_eq!(status, 401, "{said}");
    // An authority of the same name is another one.
    let strange = issue(&theirs, &of_client("ada"));
    assert!(ask(&server, &client(&ours, Some(&strange))).await.is_err());
    // So is a certificate that was made for servers, or has ended.
    let mut of_a_server = of_client("ada");
    of_a_server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let mut expired = of_client("ada");
    expired.not_after = rcgen::date_time_ymd(2020, 1, 1);
    expired.not_before = rcgen::date_time_ymd(2019, 1, 1);
    for wrong in [of_a_server, expired] {
        let shown = issue(&ours, &wrong);
        assert!(ask(&server, &client(&ours, Some(&shown))).await.is_err());
    }
    // Who does not trust the server does not talk to it, and who speaks no TLS is not answered.
    let who_trusts_others = client(&authority("Another CA"), None);
    assert!(ask(&server, &who_trusts_others).await.is_err());
    let plain = server.url.replace("https", "http");
    let plain = reqwest::Client::clone(&client(&ours, None))
        .get(plain)
        .send()
        .await;
    assert!(plain.is_err() || plain.is_ok_and(|plain| !plain.status().is_success()));
}

/// A certificate is replaced, then the authority of clients, while the server runs.
#[tokio::test]
async fn certificates_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (authority("Old CA"), authority("New CA"));
    write(folder.path(), "server", &issue(&old, &of_server()));
    std::fs::write(folder.path().join("ca.pem"), old.pem()).unwrap();
    let server = serve(folder.path(), "identity: { anonymous: true }").await;
    assert_eq!(ask(&server, &client(&old, None)).await.unwrap().0, 200);
    assert!(ask(&server, &client(&new, None)).await.is_err());
    // What is wrong changes nothing.
    std::fs::write(folder.path().join("server.pem"), "no certificate").unwrap();
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(ask(&server, &client(&old, None)).await.unwrap().0, 200);
    write(folder.path(), "server", &issue(&new, &of_server()));
    std::fs::write(folder.path().join("ca.pem"), new.pem()).unwrap();
    let shown = issue(&new, &of_client("ada"));
    let changed = async {
        loop {
            // A new client, so that the connection is one, too.
            let asked = ask(&server, &client(&new, Some(&shown))).await;
            if asked.is_ok_and(|(_, said)| said.contains("ada by x509:New CA")) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, changed).await.unwrap();
    let of_old = issue(&old, &of_client("ada"));
    assert!(ask(&server, &client(&new, Some(&of_old))).await.is_err());
}

#[tokio::test]
async fn files_that_are_wrong_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let ours = authority("Our CA");
    let good = issue(&ours, &of_server());
    let other = issue(&ours, &of_server());
    for (certificate, key, expected) in [
        (
            good.0.as_str(),
            "no key",
            "server.key: expected a private key in PEM",
        ),
        (
            "nothing",
            &good.1,
            "server.pem: expected certificates in PEM",
        ),
        (&good.0, &other.1, "server.pem: "),
    ] {
        let pair = (certificate.to_owned(), key.to_owned());
        write(folder.path(), "server", &pair);
        let path = folder.path().join("toolpact.yaml");
        std::fs::write(&path, "tls: { certificate: server.pem, key: server.key }\n").unwrap();
        let config = Config::from_file(&path).unwrap();
        let wrong = toolpact_serve::check(&config).await;
        assert!(wrong.len() == 1 && wrong[0].contains(expected), "{wrong:?}");
        let started = Service::start(config, None, CancellationToken::new()).await;
        let error = started.unwrap_err().to_string();
        assert!(
            error.starts_with("TLS cannot be used: ") && error.contains(expected),
            "{error}"
        );
    }
}

/// Where others can reach a server, it asks who they are.
#[tokio::test]
async fn a_server_that_others_can_reach_is_not_open_by_chance() {
    for (more, starts) in [
        ("", false),
        ("identity: { anonymous: true }", false),
        ("identity: { anonymous: true, open_to_network: true }", true),
        ("auth_token: { literal: s3cret }", true),
        (
            "auth_token: { literal: s3cret }\nidentity: { anonymous: true }",
            false,
        ),
        ("identity: { anonymous: false }", true),
        ("identity: { tokens: tokens.json }", true),
    ] {
        let config = Config::from_yaml(format!("listen: 0.0.0.0:0\n{more}\n").as_bytes()).unwrap();
        match Service::bind(&config).await {
            Ok(_) => assert!(starts, "{more}"),
            Err(error) => {
                assert!(!starts, "{more}: {error}");
                assert!(error.to_string().contains("say so twice"), "{error}");
            }
        }
        let is_checked = toolpact_serve::check(&config).await;
        assert_eq!(is_checked.is_empty(), starts, "{more}: {is_checked:?}");
        let local = Config::from_yaml(format!("listen: 127.0.0.1:0\n{more}\n").as_bytes());
        assert!(Service::bind(&local.unwrap()).await.is_ok(), "{more}");
    }
}
