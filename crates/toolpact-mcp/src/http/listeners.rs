//! Clients without a session that listen for changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use toolpact_http::{Holder, NoRoom, Owner, Room};

use crate::server::dispatch::PendingAnswer;

/// How many there are, and how long they may listen.
pub(super) struct Listeners {
    room: Room,
    time: Duration,
    held: Arc<Mutex<HashMap<Owner, usize>>>,
}

/// One of them, until this is dropped.
struct Listener {
    owner: Owner,
    held: Arc<Mutex<HashMap<Owner, usize>>>,
}

impl Listeners {
    pub(super) fn new(room: Room, time: Duration) -> Self {
        Self {
            room,
            time,
            held: Arc::default(),
        }
    }

    /// The same answer, which ends when its time is over. One that listens is in use, so none makes room for
    /// another: those that were ended would come back at once.
    pub(super) fn add(&self, answer: PendingAnswer, owner: Owner) -> Result<PendingAnswer, NoRoom> {
        let mut held = lock(&self.held);
        self.room.make(&owner, || {
            held.iter().flat_map(|(owner, count)| {
                let one = Holder {
                    key: (),
                    owner: owner.clone(),
                    rank: None::<()>,
                };
                std::iter::repeat_n(one, *count)
            })
        })?;
        *held.entry(owner.clone()).or_default() += 1;
        let listener = Listener {
            owner,
            held: Arc::clone(&self.held),
        };
        let time = self.time;
        Ok(Box::pin(async move {
            let _listener = listener;
            tokio::time::timeout(time, answer).await.ok().flatten()
        }))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut held = lock(&self.held);
        if let Some(count) = held.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.owner);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use toolpact::Principal;
    use toolpact_http::{Network, NoRoom, Owner, Room};

    use super::{Listeners, PendingAnswer};

    fn listen(listeners: &Listeners, address: &str) -> Result<PendingAnswer, NoRoom> {
        let network = Network::of(address.parse().unwrap());
        let owner = Owner::new(network, &Principal::anonymous());
        listeners.add(Box::pin(std::future::pending()), owner)
    }

    #[tokio::test]
    async fn so_many_of_a_principal() {
        let room = Room {
            most: 4,
            per_address: 4,
            per_principal: 1,
        };
        let listeners = Listeners::new(room, Duration::from_mins(1));
        let listen = |name: &str| {
            let owner = Owner::new(None, &Principal::new(name));
            listeners.add(Box::pin(std::future::pending()), owner)
        };
        let first = listen("ada").ok().unwrap();
        assert_eq!(listen("ada").err(), Some(NoRoom::Principal));
        let _other = listen("bob").ok().unwrap();
        drop(first);
        assert!(listen("ada").is_ok());
    }

    #[tokio::test]
    async fn so_many_of_an_address_so_many_of_all_and_for_so_long() {
        let listeners = Listeners::new(
            Room {
                most: 4,
                per_address: 2,
                per_principal: 1,
            },
            Duration::from_millis(50),
        );
        let first = listen(&listeners, "192.0.2.1").ok().unwrap();
        let _second = listen(&listeners, "192.0.2.1").ok().unwrap();
        assert_eq!(listen(&listeners, "192.0.2.1").err(), Some(NoRoom::Address));
        let _local: Vec<_> = (0..2)
            .map(|_| listen(&listeners, "127.0.0.1").ok())
            .collect();
        assert_eq!(listen(&listeners, "127.0.0.1").err(), Some(NoRoom::Server));
        assert!(first.await.is_none());
        assert!(listen(&listeners, "192.0.2.1").is_ok());
    }
}
