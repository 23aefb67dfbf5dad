//! More calls than runtimes take. The long form is `scripts/grid-soak`.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use toolpact_grid::Runtime;

use crate::kit::{self, NatsServer, SOON, TestHost, call, in_time, join};

const CAPACITY: usize = 4;
const PLACES: usize = 3 * CAPACITY;

/// How long each call took, and the code of its error.
async fn make(host: &TestHost, calls: usize) -> Vec<(Duration, Option<String>)> {
    let one = async |n: usize| {
        let start = Instant::now();
        let args = format!(r#"{{"ms": 50, "name": "{n}"}}"#);
        let completed = host.session.call(call("effect", &args)).await;
        let code = completed.error().map(|error| error.code().to_owned());
        (start.elapsed(), code)
    };
    join_all((0..calls).map(one)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_is_refused_at_once_and_the_rest_goes_on() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let mut runtimes = Vec::new();
    for _ in 0..3 {
        let builder = Runtime::builder(server.client().await).capacity(CAPACITY);
        runtimes.push(join(builder, &kit::registry()).await);
    }
    let all = async {
        while host.host.runtimes().len() < 3 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(SOON, all).await.unwrap();
    // At 80 % nothing fails, …
    for _ in 0..20 {
        let told = make(&host, PLACES * 8 / 10).await;
        assert!(told.iter().all(|(_, code)| code.is_none()), "{told:?}");
    }
    // … at five times what there are places for, as many calls run as there are places, and the others hear at once.
    let mut refused = Vec::new();
    for _ in 0..10 {
        let told = make(&host, PLACES * 5).await;
        let done = told.iter().filter(|(_, code)| code.is_none()).count();
        assert_eq!(done, PLACES, "{told:?}");
        for (took, code) in told.iter().filter(|(_, code)| code.is_some()) {
            assert_eq!(code.as_deref(), Some("RATE_LIMIT_CONCURRENCY"));
            refused.push(*took);
        }
    }
    in_time("a refusal", refused, Duration::from_millis(50));
    // And then it is as before.
    let told = make(&host, PLACES * 8 / 10).await;
    assert!(told.iter().all(|(_, code)| code.is_none()), "{told:?}");
}
