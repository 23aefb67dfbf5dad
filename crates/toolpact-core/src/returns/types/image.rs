//! What the first bytes of an image say.

use imagesize::{Compression, ImageType};

/// The formats that are known here, for messages.
pub(super) const FORMATS: &str = "an avif, bmp, gif, heic, jpeg, png, tiff or webp image";

/// The format of an image.
pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    Some(match imagesize::image_type(bytes).ok()? {
        ImageType::Bmp => "bmp",
        ImageType::Gif => "gif",
        ImageType::Heif(Compression::Av1) => "avif",
        ImageType::Heif(Compression::Hevc) => "heic",
        ImageType::Jpeg => "jpeg",
        ImageType::Png => "png",
        ImageType::Tiff => "tiff",
        ImageType::Webp => "webp",
        _ => return None,
    })
}

/// The format that is meant by a name, an ending or a media type, if it is known here.
pub(super) fn named(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix("image/").unwrap_or(&name);
    Some(match name.trim_start_matches('.') {
        "avif" => "avif",
        "bmp" => "bmp",
        "gif" => "gif",
        "heic" | "heif" => "heic",
        "jpeg" | "jpg" => "jpeg",
        "png" => "png",
        "tiff" | "tif" => "tiff",
        "webp" => "webp",
        _ => return None,
    })
}

/// Width and height, if the first bytes say them beyond doubt.
pub(super) fn dimensions(bytes: &[u8]) -> Option<(u64, u64)> {
    let (width, height) = match format(bytes)? {
        // Images in these containers may be cropped when they are shown.
        "avif" | "heic" => return None,
        "bmp" => bitmap(bytes)?,
        _ => {
            let size = imagesize::blob_size(bytes).ok()?;
            (
                u64::try_from(size.width).ok()?,
                u64::try_from(size.height).ok()?,
            )
        }
    };
    (width > 0 && height > 0).then_some((width, height))
}

/// Rows stored from the top make the height negative, which `imagesize` does not expect.
fn bitmap(bytes: &[u8]) -> Option<(u64, u64)> {
    let number = |at: usize| {
        let four = bytes.get(at..)?.first_chunk()?;
        Some(u64::from(i32::from_le_bytes(*four).unsigned_abs()))
    };
    // Smaller headers are from before Windows and have their numbers elsewhere.
    (number(14)? >= 40).then_some((number(18)?, number(22)?))
}
