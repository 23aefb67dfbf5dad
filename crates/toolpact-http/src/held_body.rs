use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

pin_project! {
    /// A body that holds something until it is sent, or its client is gone: shares of a
    /// [budget](toolpact_core::memory::MemoryBudget), as a rule. Each frame has a clone of it.
    #[derive(Debug)]
    pub struct HeldBody<B, H> {
        #[pin]
        body: B,
        held: H,
    }
}

impl<B, H> HeldBody<B, H> {
    /// The same body, which holds this.
    pub fn new(body: B, held: H) -> Self {
        Self { body, held }
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
/// hold it, too.
impl<B, H> Body for HeldBody<B, H>
where
    B: Body<Data = Bytes>,
    H: Clone + Send + Sync + 'static,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        let hold = |bytes| held_bytes(bytes, this.held.clone());
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
