//! What the shop sells.

use rusqlite::{Transaction, params};

use super::random::Random;
use crate::slug::slug;

/// A shelf: the letters of its products, its name, and what is on it with its price in cents.
type Shelf = (&'static str, &'static str, &'static [(&'static str, i64)]);

const SHELVES: [Shelf; 6] = [
    (
        "TEA",
        "Tea",
        &[
            ("Assam Breakfast, 250 g", 890),
            ("Darjeeling First Flush, 100 g", 1490),
            ("Earl Grey Blue, 100 g", 690),
            ("Sencha Kagoshima, 100 g", 1250),
            ("Genmaicha, 100 g", 750),
            ("Jasmine Pearls, 50 g", 1190),
            ("Oolong Dong Ding, 50 g", 1390),
            ("Lapsang Souchong, 100 g", 820),
            ("Rooibos Vanilla, 200 g", 640),
            ("Peppermint, 100 g", 450),
            ("Verbena, 50 g", 520),
            ("Chai Masala, 200 g", 790),
        ],
    ),
    (
        "COF",
        "Coffee",
        &[
            ("Ethiopia Yirgacheffe, 500 g", 1790),
            ("Colombia Huila, 500 g", 1590),
            ("Brazil Cerrado, 1 kg", 2290),
            ("Kenya AA, 250 g", 1290),
            ("Espresso House Blend, 1 kg", 2190),
            ("Decaf Sumatra, 500 g", 1690),
            ("Cold Brew Bags, 6 pieces", 1150),
        ],
    ),
    (
        "CUP",
        "Cups and pots",
        &[
            ("Stoneware Mug, grey", 1450),
            ("Porcelain Cup with Saucer", 1990),
            ("Glass Teapot, 1.2 l", 3490),
            ("Cast Iron Teapot, 0.8 l", 5990),
            ("Espresso Cups, set of 4", 2790),
            ("Enamel Mug, blue", 990),
            ("Matcha Bowl", 2490),
            ("Travel Mug, 0.4 l", 2690),
        ],
    ),
    (
        "GEA",
        "Brewing gear",
        &[
            ("Hand Grinder, steel", 8900),
            ("Pour-over Dripper", 1890),
            ("Paper Filters, 100 pieces", 490),
            ("Gooseneck Kettle, 1 l", 6490),
            ("French Press, 1 l", 3290),
            ("Digital Scale with Timer", 4490),
            ("Milk Frother", 2190),
            ("Bamboo Whisk", 1690),
            ("Tea Strainer, fine", 790),
            ("Storage Tin, 500 g", 1190),
        ],
    ),
    (
        "SWE",
        "Sweets",
        &[
            ("Butter Shortbread, 200 g", 590),
            ("Dark Chocolate 72 %, 100 g", 420),
            ("Salted Caramels, 150 g", 690),
            ("Almond Cantuccini, 250 g", 750),
            ("Orange Marmalade, 340 g", 620),
            ("Acacia Honey, 500 g", 980),
            ("Candied Ginger, 200 g", 540),
        ],
    ),
    (
        "GIF",
        "Gifts",
        &[
            ("Tasting Box \"Five Teas\"", 2490),
            ("Tasting Box \"Three Roasts\"", 2690),
            ("Gift Card", 2500),
            ("Tea Advent Calendar", 3990),
            ("Linen Tea Towel", 1290),
            ("Book: The Slow Cup", 2200),
        ],
    ),
];

/// A product, as orders need it.
pub(super) struct Product {
    pub(super) id: i64,
    pub(super) cents: i64,
}

/// Writes all products.
pub(super) fn write(to: &Transaction<'_>, random: &mut Random) -> rusqlite::Result<Vec<Product>> {
    let mut insert = to.prepare(
        "INSERT INTO products (id, sku, name, slug, category, price_cents, stock)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?;
    let mut products = Vec::new();
    for (letters, category, shelf) in SHELVES {
        for (place, &(name, cents)) in shelf.iter().enumerate() {
            let id = i64::try_from(products.len()).unwrap_or(i64::MAX) + 1;
            let sku = format!("{letters}-{:03}", place + 1);
            let stock = random.between(40, 400);
            insert.execute(params![id, sku, name, slug(name), category, cents, stock])?;
            products.push(Product { id, cents });
        }
    }
    Ok(products)
}
