//! What takes part, by name.

use std::error::Error;
use std::hint::black_box;

use toolpact_core::json::{Document, Limits};
use toolpact_core::returns::Level;

use crate::cases::ours::enforcer;
use crate::cases::{Case, Ours, Subject};
use crate::peers;

/// Whether a text is valid, as far as the engine can tell.
pub(crate) type Check<'a> = Box<dyn Fn(&[u8]) -> bool + 'a>;

pub(crate) struct Engine<'a> {
    pub(crate) kind: Kind,
    pub(crate) check: Check<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    SerdeIgnored,
    SerdeValue,
    SonicValue,
    SerdeStruct,
    Jsonschema,
    JsonschemaShape,
    Boon,
    Ours,
    OursShape,
    OursStruct,
    OursCheck,
    OursExplain,
}

impl Kind {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Kind::SerdeIgnored => "serde_json to IgnoredAny",
            Kind::SerdeValue => "serde_json to Value",
            Kind::SonicValue => "sonic-rs to Value",
            Kind::SerdeStruct => "serde_json to the struct",
            Kind::Jsonschema => "serde_json + jsonschema",
            Kind::JsonschemaShape => "serde_json + jsonschema, no formats",
            Kind::Boon => "serde_json + boon",
            Kind::Ours => "toolpact: verdict",
            Kind::OursShape => "toolpact: verdict, shape only",
            Kind::OursStruct => "toolpact: verdict, then the struct",
            Kind::OursCheck => "toolpact: verdict, reasons if invalid",
            Kind::OursExplain => "toolpact: document and all reasons",
        }
    }

    /// Whether it looks at more than the syntax.
    pub(crate) fn judges(self) -> bool {
        !matches!(
            self,
            Kind::SerdeIgnored | Kind::SerdeValue | Kind::SonicValue
        )
    }
}

pub(crate) fn all(case: &Case) -> Result<Vec<Engine<'_>>, Box<dyn Error>> {
    let mut all = vec![
        engine(Kind::SerdeIgnored, peers::serde_ignored),
        engine(Kind::SerdeValue, peers::serde_value),
        engine(Kind::SonicValue, peers::sonic_value),
        engine(Kind::SerdeStruct, case.decode),
        engine(Kind::Jsonschema, peers::jsonschema(case, true)?),
        engine(Kind::Boon, peers::boon(case)?),
    ];
    // Elsewhere the two would be the same.
    if case.schema.to_string().contains(r#""format":"#) {
        let shape = peers::jsonschema(case, false)?;
        all.push(engine(Kind::JsonschemaShape, shape));
    }
    all.extend(verdict(case)?);
    all.extend(more_of_ours(case)?);
    Ok(all)
}

/// Ours as one would use it: yes or no.
pub(crate) fn verdict(case: &Case) -> Result<Vec<Engine<'_>>, Box<dyn Error>> {
    let mut all = vec![ours(case, Kind::Ours, Level::Meaning, Ours::is_valid)?];
    if matches!(case.subject, Subject::Result(_)) {
        all.push(ours(case, Kind::OursShape, Level::Shape, Ours::is_valid)?);
    }
    Ok(all)
}

fn more_of_ours(case: &Case) -> Result<[Engine<'_>; 3], Box<dyn Error>> {
    let checker = Ours::new(case, Level::Meaning)?;
    let then_struct = move |json: &[u8]| checker.is_valid(json) && (case.decode)(json);
    Ok([
        engine(Kind::OursStruct, then_struct),
        ours(case, Kind::OursCheck, Level::Meaning, Ours::check)?,
        engine(Kind::OursExplain, explain(case)),
    ])
}

/// Reads a document and looks for everything that is wrong with it, valid or not.
fn explain(case: &Case) -> Check<'_> {
    let read = |json: &[u8]| Document::json(json, &Limits::default());
    match &case.subject {
        Subject::Call { tool, .. } => {
            Box::new(move |json| tool.check_call_document(&read(json)).into_result().is_ok())
        }
        Subject::Result(standard) => {
            let enforcer = enforcer(*standard, Level::Meaning);
            Box::new(move |json| enforcer.check_document(&read(json)).into_result().is_ok())
        }
    }
}

fn ours<'a>(
    case: &Case,
    kind: Kind,
    level: Level,
    check: fn(&Ours, &[u8]) -> bool,
) -> Result<Engine<'a>, Box<dyn Error>> {
    let checker = Ours::new(case, level)?;
    Ok(engine(kind, move |json| check(&checker, json)))
}

fn engine<'a>(kind: Kind, check: impl Fn(&[u8]) -> bool + 'a) -> Engine<'a> {
    let check = Box::new(move |json: &[u8]| check(black_box(json)));
    Engine { kind, check }
}
