//! User payloads where the specification requires an object.

use serde::ser::{Error as _, Impossible};
use serde::{Serialize, Serializer};

/// A payload that fails to serialize if it is not an object.
pub(super) struct AsObject<'a, T>(pub(super) &'a T);

impl<T: Serialize> Serialize for AsObject<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(Objects(serializer))
    }
}

/// A serializer that accepts only objects.
struct Objects<S>(S);

fn refuse<T, E: serde::ser::Error>(found: &str) -> Result<T, E> {
    Err(E::custom(format!(
        "expected an object as the payload, found {found}"
    )))
}

macro_rules! refuse {
    ($($method:ident($($argument:ty),*) $found:literal;)*) => {
        $(fn $method(self, $(_: $argument),*) -> Result<S::Ok, S::Error> {
            refuse($found)
        })*
    };
}

impl<S: Serializer> Serializer for Objects<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = S::SerializeTupleVariant;
    type SerializeMap = S::SerializeMap;
    type SerializeStruct = S::SerializeStruct;
    type SerializeStructVariant = S::SerializeStructVariant;

    refuse! {
        serialize_bool(bool) "a boolean";
        serialize_i8(i8) "a number";
        serialize_i16(i16) "a number";
        serialize_i32(i32) "a number";
        serialize_i64(i64) "a number";
        serialize_i128(i128) "a number";
        serialize_u8(u8) "a number";
        serialize_u16(u16) "a number";
        serialize_u32(u32) "a number";
        serialize_u64(u64) "a number";
        serialize_u128(u128) "a number";
        serialize_f32(f32) "a number";
        serialize_f64(f64) "a number";
        serialize_char(char) "a string";
        serialize_str(&str) "a string";
        serialize_bytes(&[u8]) "bytes";
        serialize_none() "null";
        serialize_unit() "null";
        serialize_unit_struct(&'static str) "null";
        serialize_unit_variant(&'static str, u32, &'static str) "a string";
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0
            .serialize_newtype_variant(name, index, variant, value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Err(S::Error::custom(
            "expected an object as the payload, found an array",
        ))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, S::Error> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<S::SerializeTupleVariant, S::Error> {
        self.0.serialize_tuple_variant(name, index, variant, length)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<S::SerializeMap, S::Error> {
        self.0.serialize_map(length)
    }

    fn serialize_struct(
        self,
        name: &'static str,
        length: usize,
    ) -> Result<S::SerializeStruct, S::Error> {
        self.0.serialize_struct(name, length)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<S::SerializeStructVariant, S::Error> {
        self.0
            .serialize_struct_variant(name, index, variant, length)
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}
