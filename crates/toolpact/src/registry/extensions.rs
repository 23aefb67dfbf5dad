//! What others keep with a tool.

use std::any::Any;
use std::sync::OnceLock;

/// One value of each type. There are few types, and most tools have none.
#[derive(Default)]
pub(super) struct Extensions(OnceLock<Box<Extension>>);

struct Extension {
    value: Box<dyn Any + Send + Sync>,
    rest: Extensions,
}

impl Extensions {
    pub(super) fn get<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let mut make = Some(make);
        let mut place = self;
        loop {
            let extension = place.0.get_or_init(|| {
                let value: Box<dyn Any + Send + Sync> = match make.take() {
                    Some(make) => Box::new(make()),
                    None => Box::new(()),
                };
                Box::new(Extension {
                    value,
                    rest: Extensions::default(),
                })
            });
            match extension.value.downcast_ref() {
                Some(value) => return value,
                None => place = &extension.rest,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Extensions;

    #[test]
    fn each_type_has_its_place() {
        let extensions = Extensions::default();
        assert_eq!(*extensions.get(|| 1_u8), 1);
        assert_eq!(*extensions.get(|| "one"), "one");
        assert_eq!(*extensions.get(|| 2_u8), 1);
        assert_eq!(*extensions.get(|| "two"), "one");
    }
}
