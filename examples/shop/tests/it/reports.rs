//! Sums, the CSV file and the chart.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};
use toolpact::core::returns::ErrorKind;

use crate::support::{ORDERS, sha256, shop, text};

fn bytes(data: &Json) -> Vec<u8> {
    STANDARD.decode(data.as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn sums_are_exact() {
    let shop = shop();
    let filter = json!({"archived": true});
    let mut cents = 0;
    for page in 1..=3 {
        let found = shop
            .ok(
                "search_orders",
                json!({"filter": filter, "page": page, "per_page": 100}),
            )
            .await;
        let orders = found["data"].as_array().unwrap().iter();
        cents += orders
            .filter(|order| order["status"] != "cancelled")
            .map(|order| {
                text(&order["total"])
                    .replace('.', "")
                    .parse::<i64>()
                    .unwrap()
            })
            .sum::<i64>();
    }
    let sum = shop.ok("sum_sales", json!({"filter": filter})).await;
    assert_eq!(sum["unit"], "EUR");
    let written = sum["value"].to_string();
    let (whole, part) = written.split_once('.').unwrap();
    assert_eq!(format!("{whole}{part:0<2}").parse(), Ok(cents), "{written}");
}

#[tokio::test]
async fn the_file_is_what_its_checksum_says() {
    let shop = shop();
    let note = "=HYPERLINK(\"http://evil\"), or \"so\"\nnext line";
    let lines = json!([{"product": "TEA-001", "quantity": 1}]);
    shop.ok(
        "create_order",
        json!({"customer": "C-101", "lines": lines, "note": note}),
    )
    .await;
    let result = shop
        .ok("export_orders", json!({"filter": {"archived": true}}))
        .await;
    let file = &result["file"];
    let content = bytes(&file["data"]);
    assert_eq!(file["content_type"], "text/csv");
    assert_eq!(file["size"], content.len());
    assert_eq!(
        file["checksum"],
        json!({"algorithm": "sha256", "value": sha256(&content)})
    );
    let mut reader = csv::Reader::from_reader(&*content);
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len() as u64, ORDERS + 1);
    assert_eq!(
        &rows[0][8],
        format!("'{note}"),
        "no formula for who opens it"
    );
    let first = shop.ok("search_orders", json!({"per_page": 1})).await;
    assert_eq!(rows[0][0], first["data"][0]["order"]);
    assert_eq!(rows[0][6], first["data"][0]["total"]);
}

#[tokio::test]
async fn the_chart_is_a_picture_of_the_sums() {
    let shop = shop();
    let result = shop
        .ok("sales_chart", json!({"months": 12, "until": "2025-12"}))
        .await;
    let media = &result["media"];
    assert_eq!(
        (&media["type"], &media["format"]),
        (&json!("image"), &json!("png"))
    );
    assert_eq!(media["dimensions"], json!({"width": 960, "height": 480}));
    let image = Image::decode(&bytes(&media["data"]));
    // Bars have the heights of the sums in words.
    let alt = text(&media["alt_text"]);
    let filter = json!({"from": "2025-11-01", "to": "2025-11-30", "archived": true});
    let november = shop.ok("sum_sales", json!({"filter": filter})).await;
    let november = november["value"].as_f64().unwrap();
    assert!(alt.contains(&format!("2025-11: {november:.2}")), "{alt}");
    let bars = image.bars();
    assert_eq!(bars.len(), 12);
    let sums: Vec<f64> = alt
        .split(": ")
        .skip(1)
        .map(|part| {
            let number: String = part
                .chars()
                .take_while(|c| c.is_ascii_digit() || *c == '.')
                .collect();
            number.trim_end_matches('.').parse().unwrap()
        })
        .collect();
    let most = sums.iter().copied().fold(0.0, f64::max);
    let highest = f64::from(*bars.iter().max().unwrap());
    for (bar, sum) in bars.iter().zip(&sums) {
        let expected = sum / most * highest;
        assert!(
            (f64::from(*bar) - expected).abs() <= 2.0,
            "{bar} for {sum}: {expected}"
        );
    }
}

#[tokio::test]
async fn there_is_a_chart_of_a_time_without_sales() {
    let shop = shop();
    for args in [
        json!({"months": 1, "until": "1999-01"}),
        json!({"months": 24, "until": "0000-01"}),
        json!({"until": "9999-12"}),
    ] {
        let result = shop.ok("sales_chart", args).await;
        let image = Image::decode(&bytes(&result["media"]["data"]));
        assert!(image.bars().is_empty());
    }
    shop.fails(
        "sales_chart",
        json!({"months": 0}),
        ErrorKind::WrongArgument,
    )
    .await;
    shop.fails(
        "sales_chart",
        json!({"until": "2025-13"}),
        ErrorKind::WrongArgument,
    )
    .await;
}

struct Image {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Image {
    fn decode(png: &[u8]) -> Self {
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut buffer).unwrap();
        assert_eq!((info.width, info.height), (960, 480));
        let pixels = buffer.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        Self { width: 960, pixels }
    }

    /// The heights of the bars: runs of columns with their colour.
    fn bars(&self) -> Vec<u32> {
        let height = |x: usize| {
            let column = self.pixels.iter().skip(x).step_by(self.width);
            u32::try_from(column.filter(|pixel| **pixel == [38, 110, 150]).count()).unwrap()
        };
        let heights: Vec<u32> = (0..self.width).map(height).collect();
        let runs = heights.chunk_by(|a, b| (*a > 0) == (*b > 0));
        runs.filter(|run| run[0] > 0).map(|run| run[0]).collect()
    }
}
