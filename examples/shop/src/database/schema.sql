-- Amounts are whole cents. Times are UTC to the second, as text that sorts by time.

CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  since TEXT NOT NULL
) STRICT;

CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  category TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  stock INTEGER NOT NULL CHECK (stock >= 0)
) STRICT;

-- The version goes up with every change, so that nobody overwrites what they have not seen.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers,
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'sent', 'delivered', 'cancelled')),
  reference TEXT UNIQUE,
  note TEXT NOT NULL,
  total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
  placed_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  archived_at TEXT,
  version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX orders_by_time ON orders (placed_at, id);
CREATE INDEX orders_of_customer ON orders (customer_id, placed_at);

CREATE TABLE order_lines (
  order_id INTEGER NOT NULL REFERENCES orders,
  position INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products,
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_cents INTEGER NOT NULL CHECK (unit_cents > 0),
  PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX lines_of_product ON order_lines (product_id);

CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products,
  customer_id INTEGER NOT NULL REFERENCES customers,
  stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
  text TEXT NOT NULL,
  written_at TEXT NOT NULL
) STRICT;
CREATE INDEX reviews_of_product ON reviews (product_id, written_at);

-- What happened to orders, for those who watch. Written together with the change itself.
CREATE TABLE order_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL REFERENCES orders,
  event TEXT NOT NULL,
  status TEXT NOT NULL,
  total_cents INTEGER NOT NULL,
  at TEXT NOT NULL
) STRICT;

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL
) STRICT;

-- Jobs that run for a while. Kept, so that they can be asked about after they ended.
CREATE TABLE operations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  state TEXT NOT NULL CHECK (state IN ('running', 'completed', 'failed', 'cancelled')),
  done INTEGER NOT NULL,
  total INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- What can be found in an order: `search_orders` looks here. The row is the order's.
CREATE VIRTUAL TABLE order_words USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2');
