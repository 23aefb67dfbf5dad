use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use toolpact_core::memory::MemoryShare;

pin_project! {
    /// A body that takes a part of a [budget](toolpact_core::memory::MemoryBudget) until it is sent, or its client
    /// is gone.
    #[derive(Debug)]
    pub struct HeldBody<B> {
        #[pin]
        body: B,
        shares: Arc<Vec<Arc<MemoryShare>>>,
    }
}

impl<B> HeldBody<B> {
    /// The same body, which holds these.
    pub fn new(body: B, shares: Vec<Arc<MemoryShare>>) -> Self {
        let shares = Arc::new(shares);
        Self { body, shares }
    }
}

/// The same bytes, which hold something until the last of them is written.
pub fn held_bytes<T: Send + Sync + 'static>(bytes: Bytes, held: T) -> Bytes {
    Bytes::from_owner(HeldBytes { bytes, _held: held })
}

struct HeldBytes<T> {
    bytes: Bytes,
    _held: T,
}

impl<T> AsRef<[u8]> for HeldBytes<T> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// hyper drops a body as soon as it has its last frame, which may be long before the client has read that. So the frames
/// hold the shares, too.
impl<B: Body<Data = Bytes>> Body for HeldBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        let hold = |bytes| held_bytes(bytes, Arc::clone(this.shares));
        let frame = this.body.poll_frame(context);
        frame.map(|frame| frame.map(|frame| frame.map(|frame| frame.map_data(hold))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
