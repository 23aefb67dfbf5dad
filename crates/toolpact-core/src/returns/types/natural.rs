//! The natural value of each type, such as a `Vec<T>` for a `ListResult<T>`, becomes a success of it.

use serde_json::Number;

use super::{
    BooleanValue, File, FileResult, Identifier, IdentifierValue, ListResult, Media, MediaResult,
    NumberValue, ObjectResult, StringValue, VoidResult,
};
use crate::Error;

macro_rules! from_natural {
    ($($natural:ty => $result:ident $(<$of:ident>)?),* $(,)?) => {$(
        impl $(<$of>)? From<$natural> for $result $(<$of>)? {
            fn from(value: $natural) -> Self {
                Self::success(value)
            }
        }
    )*};
}

from_natural! {
    T => ObjectResult<T>,
    Vec<T> => ListResult<T>,
    String => StringValue,
    Box<str> => StringValue,
    &str => StringValue,
    bool => BooleanValue,
    Number => NumberValue,
    i8 => NumberValue,
    i16 => NumberValue,
    i32 => NumberValue,
    i64 => NumberValue,
    isize => NumberValue,
    u8 => NumberValue,
    u16 => NumberValue,
    u32 => NumberValue,
    u64 => NumberValue,
    usize => NumberValue,
    Identifier => IdentifierValue,
    File => FileResult,
    Media => MediaResult,
}

impl From<()> for VoidResult {
    fn from((): ()) -> Self {
        Self::success()
    }
}

/// JSON has no infinite numbers, and no NaN.
impl TryFrom<f64> for NumberValue {
    type Error = Error;

    fn try_from(value: f64) -> Result<Self, Error> {
        Self::float(value)
    }
}
