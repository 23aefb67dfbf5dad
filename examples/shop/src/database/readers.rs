use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use rusqlite::{Connection, OpenFlags};

/// How many can read at the same time.
const MOST: usize = 4;

/// Connections that read. Who finds none free waits for one.
pub(super) struct Readers {
    connections: [Mutex<Connection>; MOST],
    next: AtomicUsize,
}

impl Readers {
    pub(super) fn open(path: &Path) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(super::open::PATIENCE)?;
            Ok::<_, rusqlite::Error>(Mutex::new(connection))
        };
        Ok(Self {
            connections: [open()?, open()?, open()?, open()?],
            next: AtomicUsize::new(0),
        })
    }

    pub(super) fn get(&self) -> MutexGuard<'_, Connection> {
        let free = self.connections.iter().find_map(free);
        free.unwrap_or_else(|| {
            // They take turns, so that not everybody waits for the same one.
            let turn = self.next.fetch_add(1, Ordering::Relaxed) % MOST;
            let connection = self.connections[turn].lock();
            connection.unwrap_or_else(PoisonError::into_inner)
        })
    }
}

/// A reader that panicked has left nothing behind.
fn free(connection: &Mutex<Connection>) -> Option<MutexGuard<'_, Connection>> {
    match connection.try_lock() {
        Ok(connection) => Some(connection),
        Err(TryLockError::Poisoned(connection)) => Some(connection.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
