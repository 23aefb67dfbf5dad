//! Tokens that were verified, so that the next request with one is not slower than with any other.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use toolpact::Principal;

/// Most tokens of each of two generations.
const MOST: usize = 5000;

/// A token that was verified.
#[derive(Debug, Clone)]
pub(super) struct Verified {
    pub(super) principal: Principal,
    /// Which issuer has verified it, and with the keys of which epoch.
    pub(super) issuer: usize,
    pub(super) epoch: u64,
    /// Until when it may be taken, in seconds since 1970.
    pub(super) until: f64,
}

/// By the SHA-256 of the token. Those that are used move on to the next generation; the others are forgotten.
#[derive(Debug, Default)]
pub(super) struct VerifiedTokens(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<[u8; 32], Verified>,
    old: HashMap<[u8; 32], Verified>,
}

impl VerifiedTokens {
    pub(super) fn get(&self, digest: &[u8; 32]) -> Option<Verified> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(verified) = all.young.get(digest) {
            return Some(verified.clone());
        }
        let verified = all.old.remove(digest)?;
        all.add(*digest, verified.clone());
        Some(verified)
    }

    pub(super) fn add(&self, digest: [u8; 32], verified: Verified) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.add(digest, verified);
    }

    pub(super) fn remove(&self, digest: &[u8; 32]) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.young.remove(digest);
    }
}

impl Generations {
    fn add(&mut self, digest: [u8; 32], verified: Verified) {
        if self.young.len() >= MOST {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(digest, verified);
    }
}
