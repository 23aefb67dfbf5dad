//! Converts values between JSON and Python.

use std::fmt::Write as _;

use monty_types::MontyObject;
use num_bigint::BigInt;
use toolpact::core::json::{Kind, Node};

use crate::error::Error;

/// Deeper values are refused.
const DEEPEST: usize = 200;

/// The JSON of a value, or why there is none: where, and what is wrong there.
pub(crate) fn to_json(value: &MontyObject) -> Result<String, Unfit> {
    let mut out = String::new();
    write(value, &mut out, &mut Path::default())?;
    Ok(out)
}

/// A value that is not JSON.
#[derive(Debug)]
pub(crate) struct Unfit {
    /// Where, as Python would write it: `["a"][3]`.
    pub(crate) path: String,
    pub(crate) what: String,
    /// Whether another value of the same type could be.
    pub(crate) is_value: bool,
}

/// Where the writer is.
#[derive(Default)]
struct Path(Vec<String>);

impl Path {
    fn unfit(&self, what: impl Into<String>, is_value: bool) -> Unfit {
        Unfit {
            path: self.0.concat(),
            what: what.into(),
            is_value,
        }
    }

    fn within(
        &mut self,
        step: String,
        write: impl FnOnce(&mut Self) -> Result<(), Unfit>,
    ) -> Result<(), Unfit> {
        self.0.push(step);
        if self.0.len() > DEEPEST {
            return Err(self.unfit(format!("nested more than {DEEPEST} deep"), true));
        }
        write(self)?;
        self.0.pop();
        Ok(())
    }
}

fn write(value: &MontyObject, out: &mut String, path: &mut Path) -> Result<(), Unfit> {
    use MontyObject as M;
    match value {
        M::None => out.push_str("null"),
        M::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        M::Int(value) => write_display(out, value),
        M::BigInt(value) => match u64::try_from(value) {
            Ok(value) => write_display(out, &value),
            Err(_) => return Err(path.unfit("an integer beyond 64 bits", true)),
        },
        M::Float(value) if value.is_finite() => out.push_str(&quoted(value)),
        M::Float(value) => return Err(path.unfit(format!("a float that is {value}"), true)),
        M::String(value) => out.push_str(&quoted(value)),
        M::List(items) | M::Tuple(items) | M::NamedTuple { values: items, .. } => {
            write_items(items, out, path)?;
        }
        M::Dict(pairs) => write_members(pairs.into_iter(), out, path)?,
        M::Cycle(..) => return Err(path.unfit("a value that contains itself", true)),
        other => return Err(path.unfit(foreign(other), false)),
    }
    Ok(())
}

fn write_items(items: &[MontyObject], out: &mut String, path: &mut Path) -> Result<(), Unfit> {
    out.push('[');
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        path.within(format!("[{place}]"), |path| write(item, out, path))?;
    }
    out.push(']');
    Ok(())
}

fn write_members<'a>(
    pairs: impl Iterator<Item = &'a (MontyObject, MontyObject)>,
    out: &mut String,
    path: &mut Path,
) -> Result<(), Unfit> {
    out.push('{');
    for (place, (key, value)) in pairs.enumerate() {
        let MontyObject::String(key) = key else {
            let what = format!("the key {}, which is no str", key.py_repr());
            return Err(path.unfit(what, false));
        };
        if place > 0 {
            out.push(',');
        }
        let key = quoted(key);
        out.push_str(&key);
        out.push(':');
        path.within(format!("[{key}]"), |path| write(value, out, path))?;
    }
    out.push('}');
    Ok(())
}

fn write_display(out: &mut String, value: &impl std::fmt::Display) {
    // Writing to a string does not fail.
    let _ = write!(out, "{value}");
}

/// As serde writes it, which knows all there is to escape.
fn quoted<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What a value without a JSON form is, and what to do.
fn foreign(value: &MontyObject) -> &'static str {
    use MontyObject as M;
    match value {
        M::Set(_) | M::FrozenSet(_) => "a set, which has no order; make it a list with sorted()",
        M::Bytes(_) => "bytes; make them a str with decode() or base64",
        M::Date(_) | M::DateTime(_) | M::Time(_) => {
            "a date or time; make it a str with isoformat()"
        }
        M::TimeDelta(_) => "a timedelta; make it a number with total_seconds()",
        M::ClassInstance(_) => "an object of a class; make it a dict",
        M::Function { .. } | M::BuiltinFunction(_) => "a function; call it",
        M::Exception { .. } => "an exception; make it a str with str()",
        _ => "something that JSON does not have; make it a dict, a list, a str or a number",
    }
}

/// The value of JSON. Integers that are too large have been refused by the host.
pub(crate) fn from_json(node: Node<'_>) -> Result<MontyObject, Error> {
    Ok(match node.kind() {
        Kind::Null => MontyObject::None,
        Kind::Bool => MontyObject::Bool(node.as_bool() == Some(true)),
        Kind::Number => number(node.text())?,
        Kind::String => MontyObject::String(node.as_str().unwrap_or_default().into_owned()),
        Kind::Array => {
            let items = node.items().map(from_json);
            MontyObject::List(items.collect::<Result<_, _>>()?)
        }
        Kind::Object => {
            let members = node.members().map(|(key, value)| {
                let key = MontyObject::String(key.into_owned());
                Ok((key, from_json(value)?))
            });
            MontyObject::dict(members.collect::<Result<Vec<_>, Error>>()?)
        }
    })
}

fn number(text: &str) -> Result<MontyObject, Error> {
    if let Ok(integer) = text.parse() {
        return Ok(MontyObject::Int(integer));
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Ok(MontyObject::BigInt(BigInt::from(integer)));
    }
    let wrong = |_| Error::value(format!("{text} is no number"));
    let float: f64 = text.parse().map_err(wrong)?;
    Ok(MontyObject::Float(float))
}
