//! Who is at the other end of a connection, and which of many makes room for others.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use http::StatusCode;
use toolpact_core::Principal;

use crate::ClientCertificate;
use crate::authenticate::principal_of;
use crate::places::Place;
use crate::token::OneToken;

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

/// Whose a place is, as limits count places: those of a principal with a name of its own, and those of an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Owner {
    network: Option<Network>,
    principal: Option<Principal>,
}

impl Owner {
    /// The sender of a request.
    #[must_use]
    pub fn of(extensions: &http::Extensions) -> Self {
        Self::new(Peer::network_of(extensions), &principal_of(extensions))
    }

    /// Who has shown nothing has no name of its own, and neither has who shows a token that is everybody's.
    #[must_use]
    pub fn new(network: Option<Network>, principal: &Principal) -> Self {
        let is_anybody = principal.is_anonymous() || *principal == Principal::new(OneToken::NAME);
        Self {
            network,
            principal: (!is_anybody).then(|| principal.clone()),
        }
    }

    /// Whether both are at one address that has a limit.
    fn shares_address(&self, other: &Self) -> bool {
        self.network.is_some() && self.network == other.network
    }

    /// Whether both are one principal with a name of its own.
    fn shares_name(&self, other: &Self) -> bool {
        self.principal.is_some() && self.principal == other.principal
    }

    /// Who has many is who has this: addresses say little about those who have names, and behind a proxy nothing.
    fn group(&self) -> Self {
        match &self.principal {
            Some(_) => Self {
                network: None,
                ..self.clone()
            },
            None => self.clone(),
        }
    }
}

/// One of those that hold a place.
#[derive(Debug, Clone)]
#[expect(
    clippy::exhaustive_structs,
    reason = "it is made where places are held"
)]
pub struct Holder<K, R> {
    /// What the caller knows it by.
    pub key: K,
    /// Whose it is.
    pub owner: Owner,
    /// The least goes first; `None` for one that is in use.
    pub rank: Option<R>,
}

/// Why there is no room for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there are no other limits")]
pub enum NoRoom {
    /// Its address has as many as one may have, and all are in use.
    Address,
    /// Its principal has as many as one may have, and all are in use.
    Principal,
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
    /// Most of one principal with a name of its own.
    pub per_principal: usize,
}

impl NoRoom {
    /// The status of HTTP.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            NoRoom::Address | NoRoom::Principal => StatusCode::TOO_MANY_REQUESTS,
            NoRoom::Server => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl Room {
    /// Who has to go so that there is room for another of an owner: nobody, if there is some.
    ///
    /// If its address or its principal has too many, it is one of their own. Otherwise it is one of the owner that has most
    /// and has one that is not in use, so that nobody loses a place to somebody who has many.
    pub fn make<K, R, I>(self, owner: &Owner, holders: impl Fn() -> I) -> Result<Option<K>, NoRoom>
    where
        R: Ord,
        I: Iterator<Item = Holder<K, R>>,
    {
        let of_name = || holders().filter(|holder| holder.owner.shares_name(owner));
        if owner.principal.is_some() && of_name().count() >= self.per_principal {
            return first_to_go(of_name()).map(Some).ok_or(NoRoom::Principal);
        }
        let of_address = || holders().filter(|holder| holder.owner.shares_address(owner));
        if owner.network.is_some() && of_address().count() >= self.per_address {
            return first_to_go(of_address()).map(Some).ok_or(NoRoom::Address);
        }
        if holders().count() >= self.most {
            return first_to_go(holders()).map(Some).ok_or(NoRoom::Server);
        }
        Ok(None)
    }
}

/// What one owner holds, and its first to go.
struct Held<K, R> {
    number: usize,
    first: Option<(R, K)>,
}

fn first_to_go<K, R: Ord>(holders: impl Iterator<Item = Holder<K, R>>) -> Option<K> {
    let mut owners: HashMap<Owner, Held<K, R>> = HashMap::new();
    for Holder { key, owner, rank } in holders {
        let nothing = || Held {
            number: 0,
            first: None,
        };
        let held = owners.entry(owner.group()).or_insert_with(nothing);
        held.number += 1;
        if let Some(rank) = rank
            && held.first.as_ref().is_none_or(|(least, _)| rank < *least)
        {
            held.first = Some((rank, key));
        }
    }
    let free = owners.into_values().filter(|held| held.first.is_some());
    let most = free.max_by_key(|held| held.number)?;
    most.first.map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use toolpact_core::Principal;

    use super::{Holder, Network, NoRoom, Owner, Room};
    use crate::token::OneToken;

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
        let owner = |network| Owner::new(network, &Principal::anonymous());
        let holder = |key, network, rank| Holder {
            key,
            owner: owner(network),
            rank,
        };
        let all = [
            holder('a', one, Some(1)),
            holder('b', many, Some(5)),
            holder('c', many, Some(3)),
            holder('d', many, None),
        ];
        let goes = |most, per_address, holders: [Holder<char, i32>; 4], network| {
            let room = Room {
                most,
                per_address,
                per_principal: 0,
            };
            room.make(&owner(network), || holders.iter().cloned())
        };
        assert_eq!(goes(5, 4, all.clone(), many), Ok(None));
        assert_eq!(goes(4, 4, all.clone(), one), Ok(Some('c')));
        assert_eq!(goes(5, 1, all.clone(), one), Ok(Some('a')));
        // This machine has no limit of its own.
        assert_eq!(goes(5, 1, all.clone(), None), Ok(None));
        let busy = all.clone().map(|one| Holder {
            rank: one.rank.filter(|rank| *rank == 1),
            ..one
        });
        assert_eq!(goes(4, 4, busy.clone(), one), Ok(Some('a')));
        assert_eq!(goes(4, 3, busy, many), Err(NoRoom::Address));
        let none = all.map(|one| Holder { rank: None, ..one });
        assert_eq!(goes(4, 4, none, None), Err(NoRoom::Server));
    }

    /// Also behind a proxy on this machine, where addresses say nothing.
    #[test]
    fn a_principal_has_so_many_wherever_it_comes_from() {
        let (here, there) = (None, network("192.0.2.1"));
        let (ada, bob) = (Principal::new("ada"), Principal::new("bob"));
        let room = Room {
            most: 9,
            per_address: 9,
            per_principal: 2,
        };
        let goes = |room: Room, busy: usize, new: &Owner| {
            let held = [(here, &bob), (here, &ada), (there, &ada)];
            let holders = held.into_iter().enumerate();
            let holders = holders.map(|(at, (network, principal))| Holder {
                key: at,
                owner: Owner::new(network, principal),
                rank: (at >= busy).then_some(at),
            });
            let holders: Vec<_> = holders.collect();
            room.make(new, || holders.iter().cloned())
        };
        let anonymous = Principal::anonymous();
        assert_eq!(goes(room, 0, &Owner::new(here, &ada)), Ok(Some(1)));
        assert_eq!(
            goes(room, 3, &Owner::new(here, &ada)),
            Err(NoRoom::Principal)
        );
        assert_eq!(goes(room, 3, &Owner::new(here, &bob)), Ok(None));
        assert_eq!(goes(room, 3, &Owner::new(here, &anonymous)), Ok(None));
        // The same name of another issuer is another.
        let other = ada.clone().issued_by("https://login.example.com");
        assert_eq!(goes(room, 3, &Owner::new(here, &other)), Ok(None));
        // Where all are taken, it is who has most and not the address that has.
        let full = Room { most: 3, ..room };
        assert_eq!(goes(full, 0, &Owner::new(here, &bob)), Ok(Some(1)));
        // A token that is everybody's is nobody's name.
        let shared = Principal::new(OneToken::NAME);
        assert_eq!(Owner::new(here, &shared), Owner::new(here, &anonymous));
    }
}
