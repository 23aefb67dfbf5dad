//! A connection that can be cut.

use std::sync::Arc;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Passes connections on, unless it is cut.
pub(super) struct Proxy {
    url: String,
    is_cut: Arc<watch::Sender<bool>>,
}

impl Proxy {
    pub(super) async fn to(server: &str) -> Self {
        let target = server.trim_start_matches("nats://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        let is_cut = Arc::new(watch::channel(false).0);
        let cuts = Arc::clone(&is_cut);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (mut cut, target) = (cuts.subscribe(), target.clone());
                tokio::spawn(async move {
                    if *cut.borrow() {
                        return;
                    }
                    let Ok(mut server) = TcpStream::connect(target).await else {
                        return;
                    };
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut server) => {}
                        _ = cut.wait_for(|cut| *cut) => {}
                    }
                });
            }
        });
        Self { url, is_cut }
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn cut(&self, is_cut: bool) {
        self.is_cut.send_replace(is_cut);
    }
}
