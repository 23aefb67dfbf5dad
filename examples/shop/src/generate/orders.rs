//! Two years of orders: more before Christmas, fewer in summer, hardly any at night.

use jiff::civil::{Date, DateTime, date};
use jiff::{Span, ToSpan as _};
use rusqlite::{Transaction, params};

use super::people;
use super::products::Product;
use super::random::Random;
use crate::values::Status;

/// The number of the first order.
pub(super) const FIRST: i64 = 1001;

/// The first day of orders, and how many days there are. They do not depend on today, so that the
/// same seed makes the same shop.
const BEGIN: Date = date(2024, 10, 1);
const DAYS: i64 = 730;

/// How busy each month is, in percent of the busiest.
const SEASON: [i64; 12] = [55, 50, 55, 60, 55, 45, 40, 40, 60, 70, 90, 100];

const NOTES: [&str; 8] = [
    "Please leave it with the neighbour.",
    "It is a present: no invoice in the parcel, please.",
    "Ring twice, the bell is quiet.",
    "Please send together with my last order.",
    "Deliver after 5 pm if you can.",
    "The last parcel was perfectly packed, thank you!",
    "Zweiter Hinterhof, links.",
    "Code de la porte : 27B4",
];

/// An order that was made, as reviews need it.
pub(super) struct Made {
    pub(super) customer: i64,
    pub(super) product: i64,
    pub(super) day: Date,
    pub(super) delivered: bool,
}

pub(super) struct Orders<'a> {
    pub(super) products: &'a [Product],
    pub(super) customers: i64,
    pub(super) count: i64,
}

/// An order before it is written.
struct Order<'a> {
    id: i64,
    customer: i64,
    status: Status,
    placed: DateTime,
    past: Past,
    note: &'static str,
    lines: Vec<(&'a Product, i64)>,
}

impl Orders<'_> {
    /// Writes the orders, the oldest first.
    pub(super) fn write(
        &self,
        to: &Transaction<'_>,
        random: &mut Random,
    ) -> rusqlite::Result<Vec<Made>> {
        let mut times: Vec<DateTime> = (0..self.count).map(|_| time(random)).collect();
        times.sort_unstable();
        let mut made = Vec::new();
        for (id, placed) in (FIRST..).zip(times) {
            let order = self.order(random, id, placed);
            order.write(to)?;
            made.extend(order.made());
        }
        Ok(made)
    }

    fn order(&self, random: &mut Random, id: i64, placed: DateTime) -> Order<'_> {
        let lines = self.lines(random);
        // Some come more often than others.
        let (one, other) = (random.below(self.customers), random.below(self.customers));
        let status = status(random, placed.date());
        let past = Past::of(random, placed, status);
        let note = random.chance(12).then(|| random.pick(&NOTES)).flatten();
        Order {
            id,
            customer: people::FIRST + one.min(other),
            status,
            placed,
            past,
            note: note.copied().unwrap_or_default(),
            lines,
        }
    }

    /// Each product at most once.
    fn lines(&self, random: &mut Random) -> Vec<(&Product, i64)> {
        let mut lines: Vec<(&Product, i64)> = Vec::new();
        for _ in 0..random.between(1, 4) {
            let Some(product) = random.favour(self.products) else {
                continue;
            };
            if lines.iter().all(|(other, _)| other.id != product.id) {
                lines.push((product, random.between(1, 3)));
            }
        }
        lines
    }
}

impl Order<'_> {
    fn write(&self, to: &Transaction<'_>) -> rusqlite::Result<()> {
        let total = self.lines.iter().map(|(product, n)| product.cents * n);
        to.prepare_cached(
            "INSERT INTO orders (id, customer_id, status, note, total_cents, placed_at, updated_at,
             archived_at, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            self.id,
            self.customer,
            self.status,
            self.note,
            total.sum::<i64>(),
            utc(self.placed),
            self.past.updated,
            self.past.archived,
            self.past.version,
        ])?;
        let mut insert = to.prepare_cached("INSERT INTO order_lines VALUES (?, ?, ?, ?, ?)")?;
        for (position, (product, quantity)) in (1i64..).zip(&self.lines) {
            insert.execute((self.id, position, product.id, quantity, product.cents))?;
        }
        Ok(())
    }

    fn made(&self) -> impl Iterator<Item = Made> {
        self.lines.iter().map(|(product, _)| Made {
            customer: self.customer,
            product: product.id,
            day: self.placed.date(),
            delivered: self.status == Status::Delivered,
        })
    }
}

/// What happened to an order after it was placed.
struct Past {
    updated: String,
    archived: Option<String>,
    version: i64,
}

impl Past {
    fn of(random: &mut Random, placed: DateTime, status: Status) -> Self {
        let version = match status {
            Status::Open => 1,
            Status::Paid | Status::Cancelled => 2,
            Status::Sent => 3,
            Status::Delivered => 4,
        };
        let updated = later(placed, (version - 1).days().hours(random.below(9)));
        let old = placed.date() < date(2025, 4, 1);
        Self {
            archived: (old && status.is_final()).then(|| utc(later(updated, 90.days()))),
            updated: utc(updated),
            version,
        }
    }
}

fn time(random: &mut Random) -> DateTime {
    loop {
        let day = BEGIN
            .checked_add(random.below(DAYS).days())
            .unwrap_or(BEGIN);
        let month = usize::from(day.month().unsigned_abs()) - 1;
        if random.chance(SEASON.get(month).copied().unwrap_or(100)) {
            // The mean of two is more often in the middle of the day.
            let minute = random
                .between(360, 1380)
                .midpoint(random.between(360, 1380));
            let start = day.at(0, 0, 0, 0);
            return later(start, minute.minutes().seconds(random.below(60)));
        }
    }
}

/// What is old is done; what is new is on its way.
fn status(random: &mut Random, day: Date) -> Status {
    let age = (BEGIN.saturating_add(DAYS.days()) - day).get_days();
    match age {
        _ if random.chance(6) => Status::Cancelled,
        0..=2 if random.chance(60) => Status::Open,
        0..=4 => Status::Paid,
        5..=9 => Status::Sent,
        _ => Status::Delivered,
    }
}

fn later(time: DateTime, span: Span) -> DateTime {
    time.checked_add(span).unwrap_or(time)
}

fn utc(time: DateTime) -> String {
    format!("{time}Z")
}
