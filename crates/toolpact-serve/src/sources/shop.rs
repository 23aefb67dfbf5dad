//! The shop to try things with.

use std::path::Path;

use toolpact_shop::Shop;

use super::build::Built;
use crate::config::ShopSource;

pub(super) async fn build(config: &ShopSource, data: &Path) -> Result<Built, String> {
    let folder = data.join(config.name.as_deref().unwrap_or("shop"));
    let mut options = Shop::options();
    if let Some(orders) = config.orders {
        options = options.orders(orders);
    }
    // Nobody has to have named it.
    tracing::info!(folder = %folder.display(), "the shop has its data here");
    // A new one is filled, which takes a second.
    let opened = tokio::task::spawn_blocking(move || {
        toolpact::private_files::create_folder(&folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
        options
            .open(&folder)
            .map_err(|error| format!("the shop in {} does not open: {error}", folder.display()))
    });
    let shop = opened.await.map_err(|error| error.to_string())??;
    let definitions = shop.tools().map_err(|error| error.to_string())?;
    Ok(Built {
        definitions,
        ..Built::default()
    })
}
