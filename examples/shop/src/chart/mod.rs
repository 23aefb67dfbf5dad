//! A picture of what was sold: bars, months, amounts.

mod axis;
mod canvas;
mod font;

use toolpact::ToolError;

use crate::values::{CURRENCY, Cents, Month};
use axis::Axis;
use canvas::{Canvas, Colour};

const WIDTH: i64 = 960;
const HEIGHT: i64 = 480;
/// Where the bars are: left, right, top and bottom.
const LEFT: i64 = 96;
const RIGHT: i64 = WIDTH - 24;
const TOP: i64 = 64;
const BOTTOM: i64 = HEIGHT - 64;

/// More months than this stand close together.
const CROWDED: i64 = 14;

const PAPER: Colour = [255, 255, 255];
const INK: Colour = [40, 44, 52];
const FAINT: Colour = [222, 226, 230];
const BAR: Colour = [38, 110, 150];

/// The picture as a PNG.
pub(crate) fn draw(sales: &[(Month, Cents)]) -> Result<Vec<u8>, ToolError> {
    let most = sales.iter().map(|(_, cents)| cents.0).max().unwrap_or(0);
    let axis = Axis::up_to(most);
    let mut canvas = Canvas::new(WIDTH, HEIGHT, PAPER);
    canvas.text(LEFT, 22, 3, INK, &title(sales));
    draw_axis(&mut canvas, &axis);
    draw_bars(&mut canvas, &axis, sales);
    canvas.fill(LEFT, BOTTOM, RIGHT, BOTTOM + 2, INK);
    Ok(canvas.to_png()?)
}

/// The same for those who do not see it.
pub(crate) fn in_words(sales: &[(Month, Cents)]) -> String {
    let bars: Vec<String> = sales
        .iter()
        .map(|(month, cents)| format!("{month}: {cents}"))
        .collect();
    format!(
        "Bar chart of sales per month in {CURRENCY}. {}.",
        bars.join(", ")
    )
}

fn title(sales: &[(Month, Cents)]) -> String {
    match (sales.first(), sales.last()) {
        (Some((first, _)), Some((last, _))) if first != last => {
            format!("Sales in {CURRENCY}, {first} to {last}")
        }
        (Some((month, _)), _) => format!("Sales in {CURRENCY}, {month}"),
        _ => format!("Sales in {CURRENCY}"),
    }
}

fn draw_axis(canvas: &mut Canvas, axis: &Axis) {
    for step in axis.steps() {
        let y = height_of(axis, step);
        canvas.fill(LEFT, y, RIGHT, y + 1, FAINT);
        let label = axis.label(step);
        canvas.text(
            LEFT - 10 - Canvas::width_of(&label, 2),
            y - 7,
            2,
            INK,
            &label,
        );
    }
}

fn draw_bars(canvas: &mut Canvas, axis: &Axis, sales: &[(Month, Cents)]) {
    let count = i64::try_from(sales.len()).unwrap_or(1).max(1);
    for (place, (month, cents)) in (0i64..).zip(sales) {
        let begin = LEFT + (RIGHT - LEFT) * place / count;
        let end = LEFT + (RIGHT - LEFT) * (place + 1) / count;
        let gap = ((end - begin) / 6).min(20);
        canvas.fill(
            begin + gap,
            height_of(axis, cents.0),
            end - gap,
            BOTTOM,
            BAR,
        );
        let middle = begin.midpoint(end);
        // Where there are many, there is room for every other name.
        if count <= CROWDED || place % 2 == 0 {
            canvas.centred(middle, BOTTOM + 12, 2, INK, month.name());
        }
        let next_is_january = sales.get(1).is_some_and(|(next, _)| next.is_january());
        if month.is_january() || place == 0 && !(next_is_january && count > CROWDED) {
            canvas.centred(middle, BOTTOM + 34, 2, INK, &month.year().to_string());
        }
    }
}

fn height_of(axis: &Axis, cents: i64) -> i64 {
    let part = i128::from(BOTTOM - TOP) * i128::from(cents.max(0)) / i128::from(axis.top());
    BOTTOM - i64::try_from(part).unwrap_or(0)
}
