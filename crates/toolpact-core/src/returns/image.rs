//! The format and dimensions of an image, by its first bytes.
//!
//! Shared by the types that hold images and the rules that check them. Of the `imagesize` crate,
//! only readers that were reviewed for panics and endless loops are used.

use imagesize::{Compression, ImageType};

/// The supported formats, for messages.
pub(super) const FORMATS: &str = "an avif, bmp, gif, heic, jpeg, png, tiff or webp image";

/// The supported formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Avif,
    Bmp,
    Gif,
    Heic,
    Jpeg,
    Png,
    Tiff,
    Webp,
}

impl Format {
    /// By name, ending or media type: `jpg`, `.JPEG`, `image/jpeg`.
    pub(super) fn named(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let bare = lower.strip_prefix("image/").unwrap_or(&lower);
        Some(match bare.trim_start_matches('.') {
            "avif" => Self::Avif,
            "bmp" => Self::Bmp,
            "gif" => Self::Gif,
            "heic" | "heif" => Self::Heic,
            "jpeg" | "jpg" => Self::Jpeg,
            "png" => Self::Png,
            "tiff" | "tif" => Self::Tiff,
            "webp" => Self::Webp,
            _ => return None,
        })
    }

    /// By the first bytes.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        Some(match imagesize::image_type(bytes).ok()? {
            ImageType::Bmp => Self::Bmp,
            ImageType::Gif => Self::Gif,
            ImageType::Heif(Compression::Av1) => Self::Avif,
            ImageType::Heif(Compression::Hevc) => Self::Heic,
            ImageType::Jpeg => Self::Jpeg,
            ImageType::Png => Self::Png,
            ImageType::Tiff => Self::Tiff,
            ImageType::Webp => Self::Webp,
            _ => return None,
        })
    }
}

/// Width and height, if the first bytes are unambiguous.
pub(super) fn dimensions(bytes: &[u8]) -> Option<(u64, u64)> {
    match Format::of(bytes)? {
        // Images in these containers may be cropped when they are shown.
        Format::Avif | Format::Heic => return None,
        Format::Bmp => return bmp(bytes),
        _ => {}
    }
    let size = imagesize::blob_size(bytes).ok()?;
    Some((
        u64::try_from(size.width).ok()?,
        u64::try_from(size.height).ok()?,
    ))
}

/// Bitmaps stored from the top have a negative height, which `imagesize` does not handle.
fn bmp(bytes: &[u8]) -> Option<(u64, u64)> {
    let number = |at: usize| {
        let four = bytes.get(at..)?.first_chunk()?;
        Some(u64::from(i32::from_le_bytes(*four).unsigned_abs()))
    };
    // Smaller headers predate Windows and have other offsets.
    (number(14)? >= 40).then_some((number(18)?, number(22)?))
}

impl Format {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Avif => "avif",
            Self::Bmp => "bmp",
            Self::Gif => "gif",
            Self::Heic => "heic",
            Self::Jpeg => "jpeg",
            Self::Png => "png",
            Self::Tiff => "tiff",
            Self::Webp => "webp",
        }
    }
}

crate::text::display!(Format: as_str);

#[cfg(test)]
mod tests {
    use super::dimensions;
    use proptest::prelude::*;

    /// The magic bytes of all readers, so that hostile bytes reach each of them.
    const BEGINNINGS: [&[u8]; 11] = [
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xd8\x00\x02\xff\xc0",
        b"GIF8",
        b"BM",
        b"II*\0\x08\0\0\0",
        b"MM\0*\0\0\0\x08",
        b"MM\0+\0\x08\0\0\0\0\0\0\0\0\0\x10",
        b"RIFF\0\0\0\0WEBPVP8X",
        b"\0\0\0\x20ftypavif",
        b"\0\0\0\x10ftypmif1\0\0\0\0\0\0\0\x20meta\0\0\0\0\0\0\0\x18iprp\0\0\0\x10ipco",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn hostile_bytes_do_not_panic(
            beginning in 0..BEGINNINGS.len(),
            rest in proptest::collection::vec(any::<u8>(), 0..80),
        ) {
            let bytes = [BEGINNINGS[beginning], &rest[..]].concat();
            let _ = dimensions(&bytes);
            let _ = imagesize::blob_size(&bytes);
        }
    }
}
