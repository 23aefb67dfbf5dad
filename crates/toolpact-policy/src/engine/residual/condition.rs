use super::super::context::CedarValue;

/// An expression of Cedar about the context of a call.
#[derive(Debug)]
pub(super) enum Condition {
    Constant(CedarValue<'static>),
    /// What is at these places of the context.
    Attribute(Box<[usize]>),
    /// Whether something is there, in what is at the first `known` places, which fails if that is not there.
    Has {
        places: Box<[usize]>,
        known: usize,
    },
    /// The same about what no call has.
    Lacks(Box<[usize]>),
    Not(Box<Condition>),
    And(Box<[Condition; 2]>),
    Or(Box<[Condition; 2]>),
    If(Box<[Condition; 3]>),
    Compare(Comparison, Box<[Condition; 2]>),
    Calculate(Calculation, Box<[Condition; 2]>),
    IsEmpty(Box<Condition>),
    Like(Box<Condition>, Pattern),
    /// What only Cedar can evaluate.
    AskCedar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    DecimalLess,
    DecimalLessOrEqual,
    Contains,
    ContainsAll,
    ContainsAny,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calculation {
    Add,
    Subtract,
    Multiply,
}

/// The texts between the wildcards of a pattern, of which there is one more than wildcards.
#[derive(Debug)]
pub(super) struct Pattern(pub(super) Vec<String>);

impl Condition {
    pub(super) const ALWAYS: Self = Self::Constant(CedarValue::Bool(true));

    /// Roughly how much memory it takes besides itself.
    pub(super) fn bytes(&self) -> usize {
        let each = |conditions: &[Condition]| -> usize {
            conditions
                .iter()
                .map(|one| size_of::<Self>() + one.bytes())
                .sum()
        };
        match self {
            Self::Constant(value) => value_bytes(value),
            Self::Attribute(places) | Self::Lacks(places) | Self::Has { places, .. } => {
                size_of_val(&**places)
            }
            Self::Not(inner) | Self::IsEmpty(inner) => each(std::slice::from_ref(inner)),
            Self::Like(inner, Pattern(texts)) => {
                let texts = texts
                    .iter()
                    .map(|text| size_of::<String>() + text.capacity());
                each(std::slice::from_ref(inner)) + texts.sum::<usize>()
            }
            Self::And(both)
            | Self::Or(both)
            | Self::Compare(_, both)
            | Self::Calculate(_, both) => each(&**both),
            Self::If(all) => each(&**all),
            Self::AskCedar => 0,
        }
    }
}

fn value_bytes(value: &CedarValue<'_>) -> usize {
    match value {
        CedarValue::Text(text) => text.len(),
        CedarValue::Set(values) => {
            let each = |value| size_of::<CedarValue<'_>>() + value_bytes(value);
            values.iter().map(each).sum()
        }
        _ => 0,
    }
}
