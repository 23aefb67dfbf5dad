//! A future that cannot change threads.

#![allow(unused)]

use std::rc::Rc;

use toolpact::tool;

/// Waits with something that stays on its thread.
#[tool]
async fn waits() {
    let count = Rc::new(5);
    std::future::ready(()).await;
    drop(count);
}

struct Shop {
    count: Rc<u32>,
}

impl Shop {
    /// Belongs to something that stays on its thread.
    #[tool]
    async fn owned(&self) {
        let _ = &self.count;
    }
}

fn main() {}
