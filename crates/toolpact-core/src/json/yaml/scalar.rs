/// What a plain scalar means in the core schema of YAML 1.2.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    /// A number, in JSON syntax.
    Number(String),
    /// `.inf` or `.nan`.
    NotFinite,
    /// A hexadecimal or octal number of more than 128 bits.
    TooLarge,
    String,
}

impl Scalar {
    pub(super) fn resolve(plain: &str) -> Self {
        match plain {
            "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
            "true" | "True" | "TRUE" => Scalar::Bool(true),
            "false" | "False" | "FALSE" => Scalar::Bool(false),
            _ => number(plain).unwrap_or(Scalar::String),
        }
    }
}

fn number(plain: &str) -> Option<Scalar> {
    let radix = |prefix: &str, radix: u32| {
        let digits = plain.strip_prefix(prefix)?;
        let clean = |c: char| c.is_digit(radix);
        (!digits.is_empty() && digits.chars().all(clean)).then(|| {
            u128::from_str_radix(digits, radix)
                .map_or(Scalar::TooLarge, |value| Scalar::Number(value.to_string()))
        })
    };
    if let Some(scalar) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Some(scalar);
    }
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(plain);
    let sign = if plain.starts_with('-') { "-" } else { "" };
    match unsigned {
        ".inf" | ".Inf" | ".INF" => return Some(Scalar::NotFinite),
        ".nan" | ".NaN" | ".NAN" if unsigned == plain => return Some(Scalar::NotFinite),
        _ => {}
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let exponent_digits = exponent.map(|e| e.strip_prefix(['+', '-']).unwrap_or(e));
    let well_formed = digits(integer)
        && digits(fraction)
        && !(integer.is_empty() && fraction.is_empty())
        && exponent_digits.is_none_or(|e| !e.is_empty() && digits(e));
    well_formed.then(|| Scalar::Number(as_json(sign, integer, fraction, exponent)))
}

fn as_json(sign: &str, integer: &str, fraction: &str, exponent: Option<&str>) -> String {
    let integer = match integer.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let mut json = format!("{sign}{integer}");
    if !fraction.is_empty() {
        json.push('.');
        json.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        json.push('e');
        json.push_str(exponent);
    }
    json
}

#[cfg(test)]
mod tests {
    use super::Scalar;

    #[test]
    fn core_schema() {
        let number = |text: &str| Scalar::Number(text.to_owned());
        let cases = [
            ("~", Scalar::Null),
            ("", Scalar::Null),
            ("True", Scalar::Bool(true)),
            ("no", Scalar::String),
            ("12", number("12")),
            ("+12", number("12")),
            ("-012", number("-12")),
            ("0o17", number("15")),
            ("0xFF", number("255")),
            ("0x", Scalar::String),
            ("0xG", Scalar::String),
            ("0o8", Scalar::String),
            ("0xfffffffffffffffffffffffffffffffff", Scalar::TooLarge),
            ("0x+1", Scalar::String),
            (".5", number("0.5")),
            ("5.", number("5")),
            ("1e3", number("1e3")),
            ("1.e+3", number("1e+3")),
            (".", Scalar::String),
            ("1e", Scalar::String),
            ("-", Scalar::String),
            ("1.2.3", Scalar::String),
            ("-.inf", Scalar::NotFinite),
            (".nan", Scalar::NotFinite),
            ("-.nan", Scalar::String),
            ("1_000", Scalar::String),
        ];
        for (plain, expected) in cases {
            assert_eq!(Scalar::resolve(plain), expected, "{plain}");
        }
    }
}
