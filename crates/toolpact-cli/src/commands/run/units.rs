//! Times and sizes as people write them.

use std::time::Duration;

/// `500ms`, `5s`, `2m`; a number alone is seconds.
pub(super) fn duration(text: &str) -> anyhow::Result<Duration> {
    let (number, unit) = split(text);
    let number: f64 = number
        .parse()
        .map_err(|_| expected("a time such as 500ms or 5s", text))?;
    let seconds = match unit {
        "ms" => number / 1_000.0,
        "" | "s" => number,
        "m" => number * 60.0,
        _ => return Err(expected("a time such as 500ms or 5s", text)),
    };
    Ok(Duration::try_from_secs_f64(seconds)?)
}

/// `64M`, `100k`; a number alone is bytes.
pub(super) fn size(text: &str) -> anyhow::Result<usize> {
    let (number, unit) = split(text);
    let wrong = || expected("a size such as 500k or 64M", text);
    let number: usize = number.parse().map_err(|_| wrong())?;
    let shift = match unit {
        "" | "B" => 0,
        "k" | "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        _ => return Err(wrong()),
    };
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

fn split(text: &str) -> (&str, &str) {
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.'));
    text.split_at(digits.unwrap_or(text.len()))
}

fn expected(what: &str, found: &str) -> anyhow::Error {
    anyhow::anyhow!("expected {what}, found `{found}`")
}

#[cfg(test)]
mod tests {
    use super::{duration, size};
    use std::time::Duration;

    #[test]
    fn units() {
        assert_eq!(duration("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(duration("1.5").unwrap(), Duration::from_millis(1_500));
        assert_eq!(duration("2m").unwrap(), Duration::from_secs(120));
        assert_eq!(size("64M").unwrap(), 64 << 20);
        assert_eq!(size("17").unwrap(), 17);
        for wrong in ["", "s", "-1s", "5 s", "1e5", "5h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert!(size("99999999999999999999G").is_err());
    }
}
