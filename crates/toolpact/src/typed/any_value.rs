//! Values with their type erased.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use serde::Serialize;
use toolpact_core::json::Value;
use toolpact_core::returns::Enforcer;

/// A value of any type that serde can write.
///
/// A panic in the destructor of the value is caught.
pub(crate) struct AnyValue(Option<Box<dyn ErasedValue>>);

trait ErasedValue: Any + Send + Sync {
    /// Writes it, checked against a promise if there is one.
    fn write(&self, promise: Option<&Enforcer>) -> Option<Vec<u8>>;
    fn type_name(&self) -> &'static str;
    fn as_any(&self) -> &dyn Any;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: Serialize + Any + Send + Sync> ErasedValue for T {
    fn write(&self, promise: Option<&Enforcer>) -> Option<Vec<u8>> {
        match promise {
            Some(promise) => promise.to_vec(self).ok(),
            None => serde_json::to_vec(self).ok(),
        }
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<T>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

struct OnDemand<T> {
    json: Box<[u8]>,
    decode: fn(&[u8]) -> Option<T>,
    /// `None` if it could not be decoded.
    decoded: OnceLock<Option<T>>,
}

impl<T: Send + Sync + 'static> ErasedValue for OnDemand<T> {
    /// With every integer spelled as one, as the tool got it. Arguments have no promise.
    fn write(&self, _: Option<&Enforcer>) -> Option<Vec<u8>> {
        let value = Value::from_json(&*self.json).ok()?;
        Some(value.with_integers().text().into())
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<T>()
    }

    fn as_any(&self) -> &dyn Any {
        let decode = || catch_unwind(AssertUnwindSafe(|| (self.decode)(&self.json)));
        let decoded = self.decoded.get_or_init(|| decode().ok().flatten());
        decoded.as_ref().map_or(self as &dyn Any, |value| value)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        match self.decoded.into_inner().flatten() {
            Some(value) => Box::new(value),
            None => Box::new(()),
        }
    }
}

impl AnyValue {
    pub(crate) fn new<T: Serialize + Send + Sync + 'static>(value: T) -> Self {
        Self(Some(Box::new(value)))
    }

    /// A value that is kept as the JSON it is read from until somebody asks for it.
    pub(crate) fn decoded_on_demand<T: Send + Sync + 'static>(
        json: &[u8],
        decode: fn(&[u8]) -> Option<T>,
    ) -> Self {
        Self(Some(Box::new(OnDemand {
            json: json.into(),
            decode,
            decoded: OnceLock::new(),
        })))
    }

    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.kept()?.as_any().downcast_ref()
    }

    /// The value itself, if this is its type.
    pub(crate) fn take<T: 'static>(mut self) -> Option<T> {
        self.get::<T>()?;
        let any = self.0.take()?.into_any();
        any.downcast().ok().map(|value| *value)
    }

    /// `None` if it cannot be written, or breaks the promise.
    pub(crate) fn to_json(&self, promise: Option<&Enforcer>) -> Option<Vec<u8>> {
        let kept = self.kept()?;
        let write = || kept.write(promise);
        catch_unwind(AssertUnwindSafe(write)).ok().flatten()
    }

    pub(crate) fn type_name(&self) -> &'static str {
        self.kept().map_or("", ErasedValue::type_name)
    }

    fn kept(&self) -> Option<&dyn ErasedValue> {
        self.0.as_deref()
    }
}

impl Drop for AnyValue {
    fn drop(&mut self) {
        let kept = self.0.take();
        drop_catching(kept);
    }
}

impl std::fmt::Debug for AnyValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AnyValue<{}>", self.type_name())
    }
}

/// Drops a value of a tool. A panic in its destructor is caught and logged.
pub(crate) fn drop_catching<T>(value: T) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        let message = panic_text(&*panic);
        tracing::error!(target: "toolpact", panic = message, "a destructor of a tool panicked");
        // Dropping the payload of the panic may panic too.
        std::mem::forget(panic);
    }
}

/// The message of a panic, for the logs.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    text.or(owned).unwrap_or("no message")
}
