//! Hearing of orders as they come.

use std::time::Duration;

use tokio::time::Instant;
use toolpact::returns::EventStream;
use toolpact::{Context, ToolError, tool};

use super::examples;
use crate::Shop;
use crate::database::written_before;
use crate::store::events::{self, Event, OrderEvent};

impl Shop {
    /// Waits for things to happen to orders: `order.created`, `order.updated`, `order.archived`. The
    /// events come one by one, and the last of them is the result. If the time is over before there
    /// were enough, the result is the event `quiet`, without data. To miss nothing, go on with the
    /// `id` of the last event as `after`.
    #[tool(read_only, timeout_ms = 65_000, example = examples::event)]
    pub(crate) async fn watch_orders(
        &self,
        /// How many events to wait for.
        #[tool(default = 1)]
        #[schemars(range(min = 1, max = 1000))]
        most: u32,
        /// How long to wait, in seconds.
        #[tool(default = 10)]
        #[schemars(range(min = 1, max = 60))]
        seconds: u32,
        /// Begin after this event. If it is left out, with what happens from now on.
        after: Option<u32>,
        context: &Context,
    ) -> Result<EventStream<OrderEvent>, ToolError> {
        let end = Instant::now() + Duration::from_secs(seconds.into());
        // Before the first look, so that nothing comes in between.
        let mut written = self.database.written();
        let mut last = match after {
            Some(after) => after.into(),
            None => self.database.read_aside(events::last).await?,
        };
        let mut left = most;
        loop {
            let found = self
                .database
                .read_aside(move |from| events::after(from, last, left));
            for event in found.await? {
                last = event.id;
                left -= 1;
                match left {
                    0 => return event.told(),
                    _ => context.emit(&event.told()?).await?,
                }
            }
            if !written_before(end, &mut written).await {
                return Ok(EventStream::new("quiet")?.with_id(&last.to_string())?);
            }
        }
    }
}

impl Event {
    fn told(self) -> Result<EventStream<OrderEvent>, ToolError> {
        let event = EventStream::new(&self.name)?.with_id(&self.id.to_string())?;
        Ok(event.with_data(self.data))
    }
}
