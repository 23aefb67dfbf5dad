//! Servers behind TLS, whose certificates are trusted or not.

use std::net::SocketAddr;
use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::run::{Folder, run};
use crate::serve::Server;

/// Ends TLS in front of a server, as an operator would have it. Returns its port and writes the
/// certificate down as `trusted.pem`.
async fn front(folder: &Folder, server: SocketAddr) -> u16 {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.path("trusted.pem"), cert.pem()).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // Those who do not trust the certificate hang up.
                let mut near = acceptor.accept(stream).await?;
                let mut far = TcpStream::connect(server).await?;
                tokio::io::copy_bidirectional(&mut near, &mut far).await
            });
        }
    });
    port
}

#[test]
fn certificates_are_looked_at() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "", "");
    let server = Server::start(&folder, &["toolpact.yaml"]);
    let address = server.address().strip_prefix("http://").unwrap();
    let port = runtime.block_on(front(&folder, address.parse().unwrap()));
    let url = format!("https://localhost:{port}");

    // By `toolpact call`.
    let call = |words: &[&str], trusted: bool| {
        let mut command = folder.command(words);
        if trusted {
            command.env("SSL_CERT_FILE", folder.path("trusted.pem"));
        }
        run(command)
    };
    call(&["call", "current_time", "--server", &url], true).assert(0, "20", "");
    call(&["call", "current_time", "--server", &url], false).assert(2, "", "certificate");

    // As an MCP source, and by an HTTP executor.
    let tools = folder
        .read("tools.yaml")
        .replace("current_time", "asked_time");
    let config = format!(
        "sources:
  - mcp: {{ url: '{url}/mcp' }}
  - files:
      paths: [asked.yaml]
      tools:
        asked_time:
          http: {{ method: POST, url: '{url}/v1/tools/current_time' }}
"
    );
    let folder = folder.file("asked.yaml", tools).file("front.yaml", config);
    for trusted in [true, false] {
        let environment = match trusted {
            true => vec![("SSL_CERT_FILE", folder.path("trusted.pem"))],
            false => Vec::new(),
        };
        let second = Server::start_with(&folder, &["front.yaml"], &environment);
        for tool in ["current_time", "asked_time"] {
            let asked = folder.run(["call", tool, "--server", second.address()]);
            let (status, said) = if trusted { (0, "20") } else { (1, "") };
            asked.assert(status, said, "");
        }
        let log = folder.read("stderr.log");
        assert_eq!(log.contains("certificate"), !trusted, "{log}");
    }
}
