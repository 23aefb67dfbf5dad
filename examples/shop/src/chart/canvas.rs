use super::font;

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

/// Paper to draw on. What is drawn beside it is lost.
pub(super) struct Canvas {
    width: i64,
    height: i64,
    pixels: Vec<u8>,
}

impl Canvas {
    pub(super) fn new(width: i64, height: i64, paper: Colour) -> Self {
        let count = usize::try_from(width * height).unwrap_or(0);
        Self {
            width,
            height,
            pixels: paper.repeat(count),
        }
    }

    /// A rectangle from a corner to the one that does not belong to it any more.
    pub(super) fn fill(&mut self, left: i64, top: i64, right: i64, bottom: i64, colour: Colour) {
        for y in top.max(0)..bottom.min(self.height) {
            for x in left.max(0)..right.min(self.width) {
                let place = usize::try_from((y * self.width + x) * 3).unwrap_or(usize::MAX);
                if let Some(pixel) = self.pixels.get_mut(place..place.saturating_add(3)) {
                    pixel.copy_from_slice(&colour);
                }
            }
        }
    }

    /// Text with its upper left corner here, each dot of a letter so many pixels wide.
    pub(super) fn text(&mut self, x: i64, y: i64, size: i64, colour: Colour, text: &str) {
        for (place, letter) in (0i64..).zip(text.chars()) {
            let left = x + place * font::ADVANCE * size;
            for (row, dots) in (0i64..).zip(font::glyph(letter)) {
                for column in 0..font::WIDTH {
                    if dots & (1 << (font::WIDTH - 1 - column)) != 0 {
                        let (dot_x, dot_y) = (left + column * size, y + row * size);
                        self.fill(dot_x, dot_y, dot_x + size, dot_y + size, colour);
                    }
                }
            }
        }
    }

    /// Text with its middle here.
    pub(super) fn centred(&mut self, middle: i64, y: i64, size: i64, colour: Colour, text: &str) {
        self.text(
            middle - Self::width_of(text, size) / 2,
            y,
            size,
            colour,
            text,
        );
    }

    pub(super) fn width_of(text: &str, size: i64) -> i64 {
        let letters = i64::try_from(text.chars().count()).unwrap_or(0);
        letters * font::ADVANCE * size
    }

    pub(super) fn to_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let side = |length: i64| u32::try_from(length).unwrap_or(0);
        let mut encoder = png::Encoder::new(&mut bytes, side(self.width), side(self.height));
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }
}
