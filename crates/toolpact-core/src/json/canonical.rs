//! RFC 8785 (JSON Canonicalization Scheme), except that integers within 64 bits keep all digits.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::{Kind, Node, Number, Whole, Writer};

pub(crate) fn canonical(root: Node<'_>) -> String {
    let mut writer = Writer::default();
    let mut open = Vec::new();
    begin(&mut writer, &mut open, root);
    while let Some(frame) = open.last_mut() {
        let child = match frame {
            Frame::Array(items) => items.next(),
            Frame::Object(members) => members.next().map(|(key, value)| {
                writer.key(&key);
                value
            }),
        };
        match (child, &frame) {
            (Some(child), _) => begin(&mut writer, &mut open, child),
            (None, Frame::Array(_)) => {
                writer.end_array();
                open.pop();
            }
            (None, Frame::Object(_)) => {
                writer.end_object();
                open.pop();
            }
        }
    }
    writer.finish()
}

/// The order of keys in a canonical object: by UTF-16 code units.
pub(crate) fn utf16_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// An open container and its remaining children.
enum Frame<'a> {
    Array(Box<dyn Iterator<Item = Node<'a>> + 'a>),
    Object(std::vec::IntoIter<(Cow<'a, str>, Node<'a>)>),
}

fn begin<'a>(writer: &mut Writer, open: &mut Vec<Frame<'a>>, node: Node<'a>) {
    match node.kind() {
        Kind::Null | Kind::Bool => {
            writer.raw(node.text());
        }
        Kind::Number => {
            writer.raw(&number(Number::new(node.text())));
        }
        Kind::String => {
            writer.string(&node.as_str().unwrap_or_default());
        }
        Kind::Array => {
            writer.begin_array();
            open.push(Frame::Array(Box::new(node.items())));
        }
        Kind::Object => {
            writer.begin_object();
            let mut members: Vec<_> = node.members().collect();
            members.sort_by(|(a, _), (b, _)| utf16_order(a, b));
            open.push(Frame::Object(members.into_iter()));
        }
    }
}

fn number(number: Number<'_>) -> String {
    match number.whole() {
        Whole::Integer(integer) => integer.to_string(),
        // RFC 8785 writes numbers as ECMAScript does.
        Whole::TooLarge | Whole::Fraction => {
            ryu_js::Buffer::new().format(number.as_f64()).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::json::Value;

    fn canonical(text: &str) -> String {
        Value::from_json(text).unwrap().to_canonical()
    }

    /// The examples of RFC 8785, sections 3.2.2 and 3.2.3.
    #[test]
    fn rfc_8785_examples() {
        let text = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        assert_eq!(
            canonical(text),
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
        );
        let sorted =
            r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#;
        assert_eq!(
            canonical(sorted),
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}"
        );
    }

    /// The numbers of RFC 8785, appendix B, in decimal.
    #[test]
    fn rfc_8785_numbers() {
        let cases = [
            ("-0.0", "0"),
            ("5e-324", "5e-324"),
            ("-5e-324", "-5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("295147905179352830000", "295147905179352830000"),
            ("9.999999999999997e22", "9.999999999999997e+22"),
            ("1e23", "1e+23"),
            ("1.0000000000000001e23", "1.0000000000000001e+23"),
            ("999999999999999700000", "999999999999999700000"),
            ("999999999999999900000", "999999999999999900000"),
            ("1e21", "1e+21"),
            ("9.999999999999997e-7", "9.999999999999997e-7"),
            ("0.000001", "0.000001"),
            ("333333333.33333325", "333333333.33333325"),
        ];
        for (text, expected) in cases {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    #[test]
    fn integers_keep_their_digits() {
        assert_eq!(canonical("9223372036854775807"), "9223372036854775807");
        assert_eq!(canonical("9007199254740993.0"), "9007199254740993");
        assert_eq!(canonical("1e3"), "1000");
        assert_eq!(canonical("9223372036854775808"), "9223372036854776000");
    }
}
