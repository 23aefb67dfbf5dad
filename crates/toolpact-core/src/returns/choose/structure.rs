use super::outline::Outline;
use super::signatures::{SIGNATURES, Signature};
use super::{Choice, Confidence};
use crate::json::{Kind, Value};
use crate::returns::{StandardError, StandardType};

/// The type for a sample result. Its structure decides.
#[must_use]
pub fn for_sample(sample: &Value) -> Choice {
    let root = sample.root();
    if StandardError::of_failure(root).is_some() {
        let reason = "a failure does not say what a success would look like";
        return Choice::new(StandardType::ObjectResult, Confidence::Unsure, reason);
    }
    if let Some(text) = root.as_str().filter(|text| is_uuid(text)) {
        let reason = format!("the string `{text}` is a UUID");
        return Choice::new(StandardType::IdentifierValue, Confidence::Likely, reason);
    }
    let mut choice = of_outline(&Outline::of_sample(root));
    if choice.confidence == Confidence::Certain {
        let checker = choice.standard.schema().shape_checker();
        if checker.check(sample).is_err() {
            choice.confidence = Confidence::Likely;
            choice
                .reasons
                .push("but its shape is not right yet".to_owned());
        }
    }
    choice
}

pub(super) fn of_outline(outline: &Outline) -> Choice {
    use Confidence::{Certain, Likely, Unsure};
    use StandardType as T;
    match outline.kind {
        Some(Kind::String) => Choice::new(T::StringValue, Certain, "it is a string"),
        Some(Kind::Number) => Choice::new(T::NumberValue, Certain, "it is a number"),
        Some(Kind::Bool) => Choice::new(T::BooleanValue, Certain, "it is true or false"),
        Some(Kind::Null) => Choice::new(T::VoidResult, Likely, "it is null"),
        Some(Kind::Array) if outline.items == Some(Kind::Object) => {
            Choice::new(T::ListResult, Likely, "it is an array of objects")
        }
        Some(Kind::Array) => {
            let reason = "it is an array, but not of objects, as a list must be";
            Choice::new(T::ListResult, Unsure, reason).or([T::ObjectResult])
        }
        Some(Kind::Object) => of_object(outline),
        None => Choice::new(T::ObjectResult, Unsure, "nothing says what it is"),
    }
}

fn of_object(outline: &Outline) -> Choice {
    let mut matching = SIGNATURES.iter().filter(|s| s.matches(outline));
    if let Some(best) = matching.next() {
        let reason = format!("it has {}", best.names(outline));
        let confidence = best.confidence_for(outline);
        return Choice::new(best.standard, confidence, reason).or(matching.map(standard));
    }
    let reason = match outline.has("id") {
        true => "it is an object with an `id`, which is of no standard shape",
        false => "it is an object of no standard shape",
    };
    Choice::new(StandardType::ObjectResult, Confidence::Likely, reason)
}

fn standard(signature: &Signature) -> StandardType {
    signature.standard
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12] && groups.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}
