//! The time that a client may take to send the head of a request, with one timer for each connection.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// The timer of one connection.
///
/// hyper asks for another timer before every request and drops it at once. To arm each of them wakes the
/// thread that waits for the earliest, which costs more than the request. So one is armed, and when it
/// fires, it is armed again for the last that was asked for.
#[derive(Clone, Default)]
pub(crate) struct HeadTimer(Arc<Mutex<Option<Armed>>>);

type Armed = Pin<Box<tokio::time::Sleep>>;

/// One that hyper asked for.
struct Deadline {
    at: Instant,
    timer: HeadTimer,
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(Instant::now() + duration)
    }

    fn sleep_until(&self, at: Instant) -> Pin<Box<dyn Sleep>> {
        let timer = self.clone();
        Box::pin(Deadline { at, timer })
    }
}

impl Future for Deadline {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let at = self.at.into();
        let mut armed = self.timer.0.lock().unwrap_or_else(PoisonError::into_inner);
        let armed = armed.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at)));
        if at < armed.deadline() {
            armed.as_mut().reset(at);
        }
        ready!(armed.as_mut().poll(cx));
        while armed.deadline() < at {
            armed.as_mut().reset(at);
            ready!(armed.as_mut().poll(cx));
        }
        Poll::Ready(())
    }
}

impl Sleep for Deadline {}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use hyper::rt::Timer as _;

    use super::HeadTimer;

    /// What is asked for later ends later, although an earlier one is armed, and the other way round.
    #[tokio::test]
    async fn the_last_that_was_asked_for_counts() {
        let (short, long) = (Duration::from_millis(20), Duration::from_millis(60));
        for (first, last) in [(short, long), (long, short)] {
            let timer = HeadTimer::default();
            let start = Instant::now();
            let dropped = timer.sleep_until(start + first);
            assert!(futures_poll(dropped).await.is_pending());
            timer.sleep_until(start + last).await;
            let took = start.elapsed();
            assert!(took >= last && (last == long || took < long), "{took:?}");
        }
    }

    async fn futures_poll(
        mut sleep: std::pin::Pin<Box<dyn hyper::rt::Sleep>>,
    ) -> std::task::Poll<()> {
        std::future::poll_fn(|cx| std::task::Poll::Ready(sleep.as_mut().poll(cx))).await
    }
}
