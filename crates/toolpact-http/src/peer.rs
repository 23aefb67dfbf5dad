//! Who is at the other end of a connection, and which of many makes room for others.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use http::StatusCode;

use crate::ClientCertificate;
use crate::places::Place;

/// Who sent a request, as far as its connection tells. [`listen`](crate::listen) adds it to the extensions
/// of requests.
#[derive(Debug, Clone)]
pub struct Peer {
    pub(crate) network: Option<Network>,
    pub(crate) place: Arc<Place>,
    pub(crate) certificate: Option<Arc<ClientCertificate>>,
}

/// What limits per address count together: an address of IPv4, or the 64 bits of IPv6 that one household
/// or machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Peer {
    /// The network of the sender of a request; `None` if that is this machine, or not known. Proxies on
    /// this machine speak for many, so limits per address are not for them.
    pub fn network_of(extensions: &http::Extensions) -> Option<Network> {
        extensions.get::<Self>()?.network
    }

    /// The request has been read as a whole: from now on, its sender waits.
    pub(crate) fn received(extensions: &http::Extensions) {
        if let Some(peer) = extensions.get::<Self>() {
            peer.place.work();
        }
    }
}

impl Network {
    /// The network of an address; `None` for this machine.
    #[must_use]
    pub fn of(address: IpAddr) -> Option<Self> {
        let address = address.to_canonical();
        match address {
            address if address.is_loopback() => None,
            IpAddr::V4(_) => Some(Self(address)),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                let network = Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0);
                Some(Self(network.into()))
            }
        }
    }
}

/// One of those that hold a place.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "it is made where places are held"
)]
pub struct Holder<K, R> {
    /// What the caller knows it by.
    pub key: K,
    /// Whose it is.
    pub network: Option<Network>,
    /// The least goes first; `None` for one that is in use.
    pub rank: Option<R>,
}

/// Why there is no room for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there are no other limits")]
pub enum NoRoom {
    /// Its address has as many as one may have, and all are in use.
    Address,
    /// There are as many as there may be, and all are in use.
    Server,
}

/// How many of something there may be.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "there are no other limits")]
pub struct Room {
    /// Most at once.
    pub most: usize,
    /// Most of one network. This machine has no such limit.
    pub per_address: usize,
}

impl NoRoom {
    /// The status of HTTP.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            NoRoom::Address => StatusCode::TOO_MANY_REQUESTS,
            NoRoom::Server => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl Room {
    /// Who has to go so that there is room for another of a network: nobody, if there is some.
    ///
    /// If the network has too many, it is one of its own. Otherwise it is one of the network that has most
    /// and has one that is not in use, so that nobody loses a place to somebody who has many.
    pub fn make<K, R, I>(
        self,
        network: Option<Network>,
        holders: impl Fn() -> I,
    ) -> Result<Option<K>, NoRoom>
    where
        R: Ord,
        I: Iterator<Item = Holder<K, R>>,
    {
        let of_it = || holders().filter(|holder| holder.network == network);
        if network.is_some() && of_it().count() >= self.per_address {
            return first_to_go(of_it()).map(Some).ok_or(NoRoom::Address);
        }
        if holders().count() >= self.most {
            return first_to_go(holders()).map(Some).ok_or(NoRoom::Server);
        }
        Ok(None)
    }
}

/// What one network holds, and its first to go.
struct Held<K, R> {
    number: usize,
    first: Option<(R, K)>,
}

fn first_to_go<K, R: Ord>(holders: impl Iterator<Item = Holder<K, R>>) -> Option<K> {
    let mut networks: HashMap<Option<Network>, Held<K, R>> = HashMap::new();
    for Holder { key, network, rank } in holders {
        let nothing = || Held {
            number: 0,
            first: None,
        };
        let held = networks.entry(network).or_insert_with(nothing);
        held.number += 1;
        if let Some(rank) = rank
            && held.first.as_ref().is_none_or(|(least, _)| rank < *least)
        {
            held.first = Some((rank, key));
        }
    }
    let free = networks.into_values().filter(|held| held.first.is_some());
    let most = free.max_by_key(|held| held.number)?;
    most.first.map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::{Holder, Network, NoRoom, Room};

    fn network(address: &str) -> Option<Network> {
        Network::of(address.parse().unwrap())
    }

    #[test]
    fn networks_are_addresses_and_this_machine_is_none() {
        for local in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(network(local), None, "{local}");
        }
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("192.0.2.1"), network("::ffff:192.0.2.1"));
        assert_eq!(network("2001:db8:1:2::3"), network("2001:db8:1:2:ffff::"));
        assert_ne!(network("2001:db8:1:2::3"), network("2001:db8:1:3::3"));
    }

    #[test]
    fn who_holds_most_goes_first_and_of_those_the_least_used() {
        let (many, one) = (network("192.0.2.1"), network("192.0.2.2"));
        let holder = |key, network, rank| Holder { key, network, rank };
        let all = [
            holder('a', one, Some(1)),
            holder('b', many, Some(5)),
            holder('c', many, Some(3)),
            holder('d', many, None),
        ];
        let goes = |most, per_address, holders: [Holder<char, i32>; 4], network| {
            let room = Room { most, per_address };
            room.make(network, || holders.iter().copied())
        };
        assert_eq!(goes(5, 4, all, many), Ok(None));
        assert_eq!(goes(4, 4, all, one), Ok(Some('c')));
        assert_eq!(goes(5, 1, all, one), Ok(Some('a')));
        // This machine has no limit of its own.
        assert_eq!(goes(5, 1, all, None), Ok(None));
        let busy = all.map(|one| Holder {
            rank: one.rank.filter(|rank| *rank == 1),
            ..one
        });
        assert_eq!(goes(4, 4, busy, one), Ok(Some('a')));
        assert_eq!(goes(4, 3, busy, many), Err(NoRoom::Address));
        let none = all.map(|one| Holder { rank: None, ..one });
        assert_eq!(goes(4, 4, none, None), Err(NoRoom::Server));
    }
}
