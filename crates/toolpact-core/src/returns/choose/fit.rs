use crate::Violations;
use crate::json::Value;
use crate::returns::{Level, Lift, RawOutput, Returns, StandardType};

/// How a sample result relates to a type.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SampleFit {
    /// It is of the type.
    AsItIs,
    /// It becomes this result of the type, by the [natural](Lift::Natural) way.
    Lifted(Value),
    /// It breaks the type, and has no natural way to become of it.
    Neither(Violations),
}

impl SampleFit {
    /// How the sample relates to this type.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::returns::StandardType;
    /// use toolpact_core::returns::choose::SampleFit;
    ///
    /// let sample = Value::from_json(r#"[{"id": 1}]"#)?;
    /// let SampleFit::Lifted(result) = SampleFit::of(&sample, StandardType::ListResult) else {
    ///     panic!("a bare list is natural output");
    /// };
    /// assert_eq!(result.text(), r#"{"success":true,"data":[{"id": 1}]}"#);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn of(sample: &Value, standard: StandardType) -> Self {
        let Err(violations) = standard.check_value(Level::Meaning, sample) else {
            return Self::AsItIs;
        };
        let returns = Returns::Standard {
            standard,
            refinement: None,
        };
        let lifted = Lift::Natural.apply(&returns, &RawOutput::Json(sample.clone()));
        match standard.check_value(Level::Meaning, lifted.value()) {
            Ok(()) => Self::Lifted(lifted.value().clone()),
            Err(_) => Self::Neither(violations),
        }
    }
}
