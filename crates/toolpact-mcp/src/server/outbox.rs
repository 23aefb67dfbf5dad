//! Where messages to a client go besides the answers to its requests.

/// A way to a client.
pub(crate) trait Outbox: Send + Sync {
    /// Sends a message that the client can do without. If it has not read the earlier ones, it is
    /// dropped: nobody waits for a client.
    fn offer(&self, message: Vec<u8>);

    /// Sends a message that the client needs.
    fn push(&self, message: Vec<u8>);
}
