use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

/// Runs `work` for each item on several threads, and passes the results to `take`, on this thread
/// and in the order of the items.
///
/// The iterator runs on a thread of its own, so that a slow item does not delay the results of
/// those before it. At most two items per thread are in flight. With one thread, everything runs on
/// the calling thread.
///
/// An error of `take` ends the run, once the iterator has returned the item it is producing.
pub fn in_order<T: Send, U: Send, E>(
    items: impl Iterator<Item = T> + Send,
    threads: NonZeroUsize,
    work: impl Fn(T) -> U + Sync,
    mut take: impl FnMut(U) -> Result<(), E>,
) -> Result<(), E> {
    if threads == NonZeroUsize::MIN {
        return alone(items, work, take);
    }
    let items = Mutex::new(items);
    thread::scope(|scope| {
        let Lanes { to, from } = Lanes::open(scope, threads, &work);
        let (items, any) = (&items, !to.is_empty());
        let feed = move || feed(&mut *lock(items), &to);
        if !any || thread::Builder::new().spawn_scoped(scope, feed).is_err() {
            // No thread could be spawned, so the calling thread does all the work.
            return alone(&mut *lock(items), &work, take);
        }
        // Lanes are filled in turn, so if the next one is finished, all are.
        for lane in from.iter().cycle() {
            match lane.recv() {
                Ok(done) => take(done)?,
                Err(_) => break,
            }
        }
        Ok(())
    })
}

/// Ignores poisoning: the panic that caused it is propagated anyway.
fn lock<T>(items: &Mutex<T>) -> MutexGuard<'_, T> {
    items.lock().unwrap_or_else(PoisonError::into_inner)
}

fn alone<T, U, E>(
    mut items: impl Iterator<Item = T>,
    work: impl Fn(T) -> U,
    mut take: impl FnMut(U) -> Result<(), E>,
) -> Result<(), E> {
    items.try_for_each(|item| take(work(item)))
}

/// Worker threads, each with a channel in and a channel out. Items are sent round-robin, so results
/// are received round-robin.
struct Lanes<T, U> {
    to: Vec<SyncSender<T>>,
    from: Vec<Receiver<U>>,
}

impl<T: Send, U: Send> Lanes<T, U> {
    /// Spawns up to `threads` workers.
    fn open<'scope, 'env>(
        scope: &'scope Scope<'scope, 'env>,
        threads: NonZeroUsize,
        work: &'scope (impl Fn(T) -> U + Sync),
    ) -> Self
    where
        T: 'scope,
        U: 'scope,
    {
        let (mut to, mut from) = (Vec::new(), Vec::new());
        for _ in 0..threads.get() {
            // One item waits while one is processed; its result waits for its turn.
            let (give, given) = sync_channel(1);
            let (done, taken) = sync_channel(0);
            let lane = move || {
                for item in given {
                    // The receiver is gone.
                    if done.send(work(item)).is_err() {
                        break;
                    }
                }
            };
            if thread::Builder::new().spawn_scoped(scope, lane).is_err() {
                break;
            }
            to.push(give);
            from.push(taken);
        }
        Self { to, from }
    }
}

/// Sends items round-robin until there are none, or until a receiver is gone.
fn feed<T>(items: impl Iterator<Item = T>, lanes: &[SyncSender<T>]) {
    for (item, lane) in items.zip(lanes.iter().cycle()) {
        if lane.send(item).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::in_order;

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap()
    }

    #[test]
    fn order_is_kept_although_work_takes_its_time() {
        for n in [1, 2, 3, 16] {
            let mut taken = Vec::new();
            let work = |i: u64| {
                std::thread::sleep(Duration::from_micros(i * 7 % 50));
                i * 2
            };
            let done = in_order(0..500, threads(n), work, |i| {
                taken.push(i);
                Ok::<(), ()>(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(taken, (0..500).map(|i| i * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_it() {
        for n in [1, 4] {
            let mut taken = 0;
            let end = in_order(
                0_u64..,
                threads(n),
                |i| i,
                |i| {
                    taken = i;
                    if i < 100 { Ok(()) } else { Err("enough") }
                },
            );
            assert_eq!((end, taken), (Err("enough"), 100));
        }
    }

    #[test]
    fn few_items_are_under_way() {
        let (asked, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let items = (0..1_000).inspect(|_| {
            let ahead = asked.fetch_add(1, Ordering::SeqCst) + 1 - taken.load(Ordering::SeqCst);
            // Two per thread, the one being sent and the one being taken.
            assert!(ahead <= 2 * 4 + 2, "{ahead} under way");
        });
        let take = |_| {
            taken.fetch_add(1, Ordering::SeqCst);
            Ok::<(), ()>(())
        };
        assert_eq!(in_order(items, threads(4), |i| i, take), Ok(()));
    }

    /// As with interactive input: items are processed although the next has not arrived yet.
    #[test]
    fn an_item_does_not_wait_for_the_next() {
        let (answer, answered) = channel();
        let items = std::iter::once(0).chain(answered);
        let mut taken = Vec::new();
        let mut answer = Some(answer);
        let done = in_order(
            items,
            threads(2),
            |i| i,
            |i| {
                taken.push(i);
                if i < 3 {
                    answer.as_ref().unwrap().send(i + 1).unwrap();
                } else {
                    answer = None;
                }
                Ok::<(), ()>(())
            },
        );
        assert_eq!(done, Ok(()));
        assert_eq!(taken, [0, 1, 2, 3]);
    }
}
