use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

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
        shares: Vec<Arc<MemoryShare>>,
    }
}

impl<B> HeldBody<B> {
    /// The same body, which holds these.
    pub fn new(body: B, shares: Vec<Arc<MemoryShare>>) -> Self {
        Self { body, shares }
    }
}

impl<B: Body> Body for HeldBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        self.project().body.poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
