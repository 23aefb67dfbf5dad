//! `tools/list`.

use std::sync::Arc;

use toolpact::core::memory::MemoryBudget;

use super::caller::Caller;
use super::catalog::Catalog;
use super::dispatch::{Answer, Origin};
use super::{Shared, list};
use crate::View;
use crate::rpc::{Id, Message, Response, RpcError};
use crate::version::Version;

/// Most tools that are written for the first time on the thread that answers requests.
const AT_ONCE: usize = 16;

/// A page of tools.
struct Page {
    catalog: Arc<Catalog>,
    from: usize,
    size: usize,
    version: Version,
    view: View,
    /// For answers that are not read yet.
    memory: Arc<MemoryBudget>,
}

pub(super) fn answer(
    shared: &Shared,
    id: Id,
    message: &Message,
    caller: &Caller<'_>,
    origin: &Origin,
    view: View,
) -> Result<Answer, RpcError> {
    let cursor = list::cursor(message)?;
    let cursor = cursor.as_deref();
    let principal = &origin.principal;
    let catalog = match &origin.client {
        Some(client) => {
            if cursor.is_none() {
                client.refresh(principal);
            }
            client.snapshot(principal).catalog
        }
        None => shared
            .catalog_of(principal, cursor.and_then(list::generation))
            .map_err(|_| RpcError::internal("The tools are not available."))?,
    };
    let (generation, length) = (catalog.generation, catalog.session.len());
    let page = Page {
        from: list::start(cursor, "tools", generation, length)?,
        catalog,
        size: shared.page,
        version: caller.version,
        view,
        memory: Arc::clone(&shared.streams),
    };
    if page.unmade() <= AT_ONCE {
        return Ok(Answer::Ready(page.write(&id)));
    }
    let made = toolpact::background::spawn(move || {
        page.make();
        page
    });
    Ok(Answer::Page(Box::pin(async move {
        Some(match made.await {
            Ok(page) => page.write(&id),
            Err(_) => {
                let error = RpcError::internal("The tools could not be listed.");
                Response::error(Some(&id), &error)
            }
        })
    })))
}

impl Page {
    fn unmade(&self) -> usize {
        let listing = self.catalog.listing(self.version);
        listing.unmade(self.from, self.size)
    }

    /// Makes what is written of its tools.
    fn make(&self) {
        self.catalog
            .listing(self.version)
            .page(self.from, self.size);
    }

    fn write(&self, id: &Id) -> Response {
        let listing = self.catalog.listing(self.version);
        let (tools, next) = listing.page(self.from, self.size);
        let tools = tools.iter().map(|tool| match self.view {
            // A client that is sent no structure is shown no schema of it.
            View::Text => &*tool.json_without_output,
            View::Structure | View::Both => &*tool.json,
        });
        let next = next.map(|next| list::write(next, self.catalog.generation));
        let page = list::written(id, self.version, "tools", tools, next.as_deref());
        page.within(&self.memory, id)
    }
}
