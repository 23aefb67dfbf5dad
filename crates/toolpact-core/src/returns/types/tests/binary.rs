use super::super::{Checksum, File, FileResult, Media, MediaResult, MediaType};
use super::*;

/// A PNG of one by two pixels, as far as its header goes.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x02\x08\x06\0\0\0";
const PNG_BASE64: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAYAAAA=";

#[test]
fn files() {
    let file = File::from_bytes("a.txt", b"Hello".to_vec()).unwrap();
    assert_eq!(
        (file.size(), file.content()),
        (Some(5), Some(&b"Hello"[..]))
    );
    let same = file.clone().with_remote(9, Checksum::new("md5", "x"));
    assert_eq!(same, file, "what is known stays");
    built(&FileResult::success(
        file.with_url("https://example.com/a.txt").unwrap(),
    ));
    let remote = File::from_url("a.pdf", "https://example.com/a.pdf")
        .unwrap()
        .with_content_type("application/pdf")
        .with_remote(9, Checksum::new("sha256", "a1b2c3d4e5f6..."));
    built(&FileResult::success(remote));
    built(&FileResult::success(
        File::from_bytes("empty", Vec::new()).unwrap(),
    ));
    built(&FileResult::failure(error()));
    assert!(File::from_bytes("", Vec::new()).is_err());
    assert!(File::from_url("a", "a.pdf").is_err());
}

#[test]
fn files_that_are_read() {
    let with = |rest: &str| format!(r#"{{"success": true, "file": {rest}}}"#);
    let good = [
        r#"{"name": "a", "data": "SGVsbG8="}"#,
        r#"{"name": "a", "url": "https://example.com/a", "size": 1}"#,
        r#"{"name": "a", "data": "SGVsbG8=", "checksum": {"algorithm": "SHA-256", "value": "185F8DB32271FE25F561A6FC938B2E264306EC304EDA518007D1764826381969"}}"#,
    ];
    let bad = [
        "null",
        "{}",
        r#"{"name": "a"}"#,
        r#"{"data": "SGVsbG8="}"#,
        r#"{"name": "", "data": "SGVsbG8="}"#,
        r#"{"name": "a", "url": "not a uri"}"#,
        r#"{"name": "a", "data": "SGVsbG8=", "size": -5}"#,
        r#"{"name": "a", "data": "SGVsbG8=", "checksum": {"value": "x"}}"#,
        r#"{"name": "a", "data": ["SGVsbG8="]}"#,
    ];
    let contradicting = [
        r#"{"name": "a", "data": "SGVsbG8"}"#,
        r#"{"name": "a", "data": "SGVsbG8=", "size": 4}"#,
        r#"{"name": "a", "data": "SGVsbG8=", "checksum": {"algorithm": "sha256", "value": "x"}}"#,
    ];
    for text in good.map(with) {
        agree::<FileResult>(&[&text], &[]);
    }
    for text in bad.map(with) {
        agree::<FileResult>(&[], &[&text]);
    }
    for text in contradicting.map(with) {
        contradictions::<FileResult>(&[&text]);
    }
    agree::<FileResult>(&[], &[r#"{"success": true}"#, r#"{"success": false}"#]);
}

#[test]
fn media() {
    let image = Media::image(PNG).unwrap();
    assert_eq!(
        (image.format(), image.dimensions()),
        (Some("png"), Some((1, 2)))
    );
    assert_eq!(image.size(), Some(29));
    assert!(image.clone().with_dimensions(2, 2).is_err());
    assert_eq!(
        image.clone().with_format("gif").with_size(1),
        image,
        "what is known stays"
    );
    let text = built(&MediaResult::success(image.with_alt_text("A line")));
    assert!(text.contains(PNG_BASE64));
    assert!(Media::image(*b"not an image").is_err());

    let sound = Media::audio("mp3", vec![1, 2, 3])
        .with_duration(0.5)
        .unwrap();
    built(&MediaResult::success(sound.clone()));
    assert!(sound.clone().with_dimensions(1, 1).is_err());
    assert!(sound.with_duration(f64::NAN).is_err());
    let video = Media::from_url(MediaType::Video, "https://example.com/a.mp4").unwrap();
    let video = video
        .with_format("mp4")
        .with_dimensions(640, 480)
        .unwrap()
        .with_size(5);
    assert!(video.clone().with_dimensions(0, 480).is_err());
    built(&MediaResult::success(video));
    built(&MediaResult::success(Media::video("mp4", vec![0])));
    built(&MediaResult::failure(error()));
}

#[test]
fn media_that_are_read() {
    let with = |rest: &str| format!(r#"{{"success": true, "media": {{{rest}}}}}"#);
    let good = [
        r#""type": "audio", "data": "", "duration": 0"#,
        r#""type": "image", "url": "data:,", "format": "unheard-of""#,
    ];
    let bad = [
        r#""url": "data:,""#,
        r#""type": "image""#,
        r#""type": "text", "url": "data:,""#,
        r#""type": "image", "url": "data:,", "dimensions": {"width": 1}"#,
        r#""type": "image", "url": "data:,", "dimensions": {"width": 0, "height": 1}"#,
        r#""type": "audio", "url": "data:,", "dimensions": {"width": 1, "height": 1}"#,
        r#""type": "audio", "url": "data:,", "duration": -0.5"#,
        r#""type": "audio", "url": "data:,", "size": -1"#,
    ];
    let image = |rest: &str| {
        with(&format!(
            r#""type": "image", "data": "{PNG_BASE64}", {rest}"#
        ))
    };
    let contradicting = [
        image(r#""size": 28"#),
        image(r#""format": "JPG""#),
        image(r#""dimensions": {"width": 2, "height": 1}"#),
    ];
    for text in good.map(with) {
        agree::<MediaResult>(&[&text], &[]);
    }
    for text in bad.map(with) {
        agree::<MediaResult>(&[], &[&text]);
    }
    for text in contradicting {
        contradictions::<MediaResult>(&[&text]);
    }
    agree::<MediaResult>(
        &[&image(
            r#""format": "image/png", "dimensions": {"width": 1, "height": 2}"#,
        )],
        &[],
    );
}

proptest::proptest! {
    #[test]
    fn hostile_images_do_not_panic(
        start in proptest::sample::select(vec![PNG, b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0\x08\0\0\0", b"RIFF\0\0\0\0WEBPVP8X"]),
        rest in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..80),
    ) {
        if let Ok(image) = Media::image([start, &rest].concat()) {
            let value = MediaResult::success(image).to_value().unwrap();
            MediaResult::from_value(&value).unwrap();
        }
    }
}
