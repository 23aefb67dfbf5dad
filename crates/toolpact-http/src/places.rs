//! The places for connections: who has one, and who makes room when there are no more.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use toolpact_core::Principal;

use crate::peer::{Holder, Network, NoRoom, Owner, Peer, Room};

/// How long a request may take to be sent before its connection makes room for others.
const SENDING: Duration = Duration::from_secs(1);

pub(crate) struct Places {
    room: Room,
    open: Mutex<Open>,
    born: Instant,
}

#[derive(Default)]
struct Open {
    places: HashMap<u64, Arc<Place>>,
    held: HashMap<Option<Network>, usize>,
    last: u64,
}

/// A connection, as others see it.
#[derive(Debug)]
pub(crate) struct Place {
    number: u64,
    network: Option<Network>,
    doing: AtomicU8,
    /// Since when, in milliseconds since the server began.
    since: AtomicU64,
    /// Whether the client has yet to read of what was answered.
    is_unread: AtomicBool,
    born: Instant,
    end: CancellationToken,
}

/// What a connection does: it has sent nothing or is between requests, it sends one, or it waits for the
/// answer.
const IDLE: u8 = 0;
const SENDS: u8 = 1;
const WORKS: u8 = 2;

/// A place that is taken until this is dropped.
pub(crate) struct Taken {
    places: Arc<Places>,
    place: Arc<Place>,
}

impl Places {
    pub(crate) fn new(room: Room) -> Self {
        Self {
            room,
            open: Mutex::default(),
            born: Instant::now(),
        }
    }

    /// Takes a place. One that is not in use is closed for it if there is no other.
    pub(crate) fn take(
        self: &Arc<Self>,
        address: IpAddr,
        end: CancellationToken,
    ) -> Result<Taken, NoRoom> {
        let network = Network::of(address);
        let mut open = self.lock();
        let held = open.held.get(&network).copied().unwrap_or(0);
        // Looking at all of them is for when there are too many.
        let Room {
            most, per_address, ..
        } = self.room;
        if open.places.len() >= most || (network.is_some() && held >= per_address) {
            open.close_one(self.room, network)?;
        }
        open.last += 1;
        let place = Arc::new(Place {
            number: open.last,
            network,
            doing: AtomicU8::new(IDLE),
            since: AtomicU64::new(since(self.born)),
            is_unread: AtomicBool::new(false),
            born: self.born,
            end,
        });
        open.places.insert(place.number, Arc::clone(&place));
        *open.held.entry(network).or_default() += 1;
        let places = Arc::clone(self);
        Ok(Taken { places, place })
    }

    /// Closes a connection that is not in use, if there is one.
    pub(crate) fn make_room(&self) {
        let none = Room {
            most: 0,
            ..self.room
        };
        // If all are in use, none can be closed.
        let _ = self.lock().close_one(none, None);
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn close_one(&mut self, room: Room, network: Option<Network>) -> Result<(), NoRoom> {
        let places = || self.places.values();
        // Who it is will be known when a request has been read.
        let owner = |network| Owner::new(network, &Principal::anonymous());
        let goes = room.make(&owner(network), || {
            places().map(|place| Holder {
                key: place.number,
                owner: owner(place.network),
                rank: place.rank(),
            })
        })?;
        if let Some(place) = goes.and_then(|number| self.remove(number)) {
            place.end.cancel();
        }
        Ok(())
    }

    fn remove(&mut self, number: u64) -> Option<Arc<Place>> {
        let place = self.places.remove(&number)?;
        if let Some(held) = self.held.get_mut(&place.network) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&place.network);
            }
        }
        Some(place)
    }
}

impl Place {
    /// Nothing is under way.
    pub(crate) fn rest(&self) {
        self.set(IDLE);
    }

    /// A request has begun.
    pub(crate) fn receive(&self) {
        self.set(SENDS);
    }

    /// A request was sent as a whole.
    pub(crate) fn work(&self) {
        self.set(WORKS);
    }

    /// Whether the client has read enough for more to be sent.
    pub(crate) fn is_read(&self, is_read: bool) {
        self.is_unread.store(!is_read, Ordering::Relaxed);
    }

    fn set(&self, doing: u8) {
        self.since.store(since(self.born), Ordering::Relaxed);
        self.doing.store(doing, Ordering::Relaxed);
    }

    /// The least goes first: those that rest, the longest first, and then those that are slow to send.
    fn rank(&self) -> Option<(u8, u64)> {
        let began = self.since.load(Ordering::Relaxed);
        let sending = u128::from(since(self.born).saturating_sub(began));
        match self.doing.load(Ordering::Relaxed) {
            _ if self.is_unread.load(Ordering::Relaxed) => None,
            IDLE => Some((IDLE, began)),
            SENDS if sending >= SENDING.as_millis() => Some((SENDS, began)),
            _ => None,
        }
    }
}

fn since(born: Instant) -> u64 {
    u64::try_from(born.elapsed().as_millis()).unwrap_or(u64::MAX)
}

impl Taken {
    pub(crate) fn peer(&self) -> Peer {
        Peer {
            network: self.place.network,
            place: Arc::clone(&self.place),
            certificate: None,
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // It may have been closed to make room.
        drop(self.places.lock().remove(self.place.number));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio_util::sync::CancellationToken;

    use super::{NoRoom, Places, Room, Taken};

    fn take(places: &Arc<Places>, address: &str) -> Result<Taken, NoRoom> {
        places.take(address.parse().unwrap(), CancellationToken::new())
    }

    #[track_caller]
    fn taken(places: &Arc<Places>, address: &str) -> Taken {
        let Ok(taken) = take(places, address) else {
            panic!("there is a place for {address}")
        };
        taken
    }

    fn is_closed(taken: &Taken) -> bool {
        taken.place.end.is_cancelled()
    }

    #[test]
    fn an_address_has_so_many_connections_and_this_machine_as_many_as_there_are() {
        let places = Arc::new(Places::new(Room {
            most: 100,
            per_address: 2,
            per_principal: 0,
        }));
        let busy: Vec<Taken> = (0..2).map(|_| taken(&places, "192.0.2.1")).collect();
        for one in &busy {
            one.place.work();
        }
        assert_eq!(take(&places, "192.0.2.1").err(), Some(NoRoom::Address));
        let _other = taken(&places, "192.0.2.2");
        let _local: Vec<Taken> = (0..50).map(|_| taken(&places, "127.0.0.1")).collect();
        // One that rests makes room for another of its address.
        busy[1].place.rest();
        let _another = taken(&places, "192.0.2.1");
        assert!(is_closed(&busy[1]) && !is_closed(&busy[0]));
        drop(busy);
        let _third = taken(&places, "192.0.2.1");
    }

    #[test]
    fn those_that_rest_make_room_and_those_that_work_do_not() {
        let places = Arc::new(Places::new(Room {
            most: 3,
            per_address: 3,
            per_principal: 0,
        }));
        let works = taken(&places, "127.0.0.1");
        works.place.work();
        let sends = taken(&places, "127.0.0.1");
        sends.place.receive();
        let rests = taken(&places, "127.0.0.1");
        let next = taken(&places, "127.0.0.1");
        next.place.work();
        assert!(is_closed(&rests) && !is_closed(&sends) && !is_closed(&works));
        // A request that is being sent has a moment.
        assert_eq!(take(&places, "127.0.0.1").err(), Some(NoRoom::Server));
        std::thread::sleep(super::SENDING);
        let last = taken(&places, "127.0.0.1");
        last.place.work();
        assert!(is_closed(&sends));
        assert_eq!(take(&places, "127.0.0.1").err(), Some(NoRoom::Server));
        drop(works);
        let _free = taken(&places, "127.0.0.1");
    }
}
