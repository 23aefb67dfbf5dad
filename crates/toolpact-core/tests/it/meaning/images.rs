//! Images in `MediaResult`.

use super::{breaks, holds, says};

fn image(members: &str) -> String {
    format!(r#"{{"success": true, "media": {{"type": "image", {members}}}}}"#)
}

/// A picture, and what it is.
const PICTURES: [(&str, &str, u32, u32); 6] = [
    ("png", "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFN", 3, 2),
    ("gif", "R0lGODlhAwACAAAAACw=", 3, 2),
    ("jpg", "/9j/wAARCAACAAMDASIAAhEBAxEB", 3, 2),
    ("webp", "UklGRiIAAABXRUJQVlA4TA0AAAAvAkAAAA==", 3, 2),
    ("bmp", "Qk1GAAAAAAAAADYAAAAoAAAAAwAAAP7///8BABgA", 3, 2),
    (
        "tiff",
        "SUkqAAgAAAACAAABAwABAAAAAwAAAAEBAwABAAAAAgAAAA==",
        3,
        2,
    ),
];

#[test]
fn images_are_what_they_are_said_to_be() {
    let with = |data: &str, format: &str, width: u32, height: u32| {
        let dimensions = format!(r#"{{"width": {width}, "height": {height}}}"#);
        image(&format!(
            r#""data": "{data}", "format": "{format}", "dimensions": {dimensions}"#
        ))
    };
    for (format, data, width, height) in PICTURES {
        holds("MediaResult", &with(data, format, width, height));
        holds(
            "MediaResult",
            &with(
                data,
                &format!("image/{}", format.to_uppercase()),
                width,
                height,
            ),
        );
        let rule = "returns-image-dimensions";
        breaks(rule, "MediaResult", &with(data, format, width + 1, height));
        breaks(rule, "MediaResult", &with(data, format, width, height + 1));
        let other = if format == "png" { "gif" } else { "png" };
        breaks(
            "returns-image-format",
            "MediaResult",
            &with(data, other, width, height),
        );
        // A format that is not known here may be anything.
        holds("MediaResult", &with(data, "raw", width, height));
    }
    holds("MediaResult", &with(PICTURES[2].1, "jpeg", 3, 2));
    holds("MediaResult", &with(PICTURES[5].1, ".tif", 3, 2));
}

#[test]
fn formats_that_have_no_dimensions_here() {
    let avif =
        r#""data": "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYx", "dimensions": {"width": 9, "height": 9}"#;
    holds(
        "MediaResult",
        &image(&format!(r#"{avif}, "format": "avif""#)),
    );
    breaks(
        "returns-image-format",
        "MediaResult",
        &image(&format!(r#"{avif}, "format": "heic""#)),
    );
    // A header of OS/2.
    let old = r#""data": "Qk0AAAAAAAAAAAAAAAAMAAAAAwACAAEAGAAAAA==", "format": "bmp""#;
    holds(
        "MediaResult",
        &image(&format!(
            r#"{old}, "dimensions": {{"width": 3, "height": 2}}"#
        )),
    );
    // Not an image at all.
    let hello = r#""data": "SGVsbG8=", "dimensions": {"width": 9, "height": 9}"#;
    holds("MediaResult", &image(hello));
    holds(
        "MediaResult",
        &image(&format!(r#"{hello}, "format": "svg""#)),
    );
    says(
        "MediaResult",
        &image(&format!(r#"{hello}, "format": "JPG""#)),
        "expected the format of the data, which is not jpeg",
    );
    // What is no image may look like one.
    let sound = PICTURES[1].1;
    let media = format!(r#"{{"type": "audio", "format": "png", "data": "{sound}"}}"#);
    holds(
        "MediaResult",
        &format!(r#"{{"success": true, "media": {media}}}"#),
    );
}

#[test]
fn dimensions_are_positive() {
    for key in ["width", "height"] {
        let with = |number: &str| image(&format!(r#""dimensions": {{"{key}": {number}}}"#));
        holds("MediaResult", &with("1"));
        holds("MediaResult", &with("1e300"));
        for number in ["0", "-1", "-1e300"] {
            breaks("returns-dimensions", "MediaResult", &with(number));
        }
    }
    let data = PICTURES[1].1;
    let zero = format!(r#""data": "{data}", "dimensions": {{"width": 0, "height": 2}}"#);
    breaks("returns-dimensions", "MediaResult", &image(&zero));
}
