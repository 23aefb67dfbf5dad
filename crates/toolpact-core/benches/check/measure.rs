//! One case: everyone's verdict is seen to be right, and then timed.

use std::error::Error;

use crate::cases::{Case, Writer};
use crate::engines::{Engine, Kind};
use crate::stopwatch::{Effort, Work, race};

pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) bytes: usize,
    pub(crate) rows: Vec<Row>,
    /// The headline ratio of each pass, for how far it can be trusted.
    pub(crate) passes: Vec<f64>,
    pub(crate) written: Written,
}

/// Seconds.
pub(crate) struct Row {
    pub(crate) kind: Kind,
    pub(crate) valid: f64,
    pub(crate) invalid: f64,
}

/// Seconds to write the payload.
pub(crate) struct Written {
    pub(crate) plain: f64,
    pub(crate) checked: f64,
}

impl Measured {
    pub(crate) fn of(
        case: &Case,
        engines: &[Engine<'_>],
        effort: Effort,
    ) -> Result<Self, Box<dyn Error>> {
        judge(case, engines)?;
        let valid = race(&works(engines, &case.valid), effort);
        let invalid = race(&works(engines, &case.invalid), effort);
        let times = valid.into_iter().zip(invalid);
        let rows = engines.iter().zip(times);
        let row = |(engine, (valid, invalid)): (&Engine<'_>, _)| Row {
            kind: engine.kind,
            valid,
            invalid,
        };
        let mut measured = Self {
            name: case.name,
            bytes: case.valid.len(),
            rows: rows.map(row).collect(),
            passes: Vec::new(),
            written: Written::of(case, effort)?,
        };
        measured.passes.extend(measured.headline());
        Ok(measured)
    }

    /// The better of two passes over the same case, engine by engine.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            row.valid = row.valid.min(other.valid);
            row.invalid = row.invalid.min(other.invalid);
        }
        self.written.plain = self.written.plain.min(other.written.plain);
        self.written.checked = self.written.checked.min(other.written.checked);
        self.passes.extend(&other.passes);
    }

    fn headline(&self) -> Option<f64> {
        Some(self.get(Kind::Jsonschema)?.valid / self.get(Kind::Ours)?.valid)
    }

    pub(crate) fn get(&self, kind: Kind) -> Option<&Row> {
        self.rows.iter().find(|row| row.kind == kind)
    }
}

impl Written {
    fn of(case: &Case, effort: Effort) -> Result<Self, Box<dyn Error>> {
        let writer = Writer::new(case)?;
        let (plain, checked) = (case.payload.plain(), case.payload.checked(&writer));
        if plain.is_none() || plain != checked {
            return Err(format!("{}: expected the same text twice", case.name).into());
        }
        let works: [Work<'_>; 2] = [
            Box::new(|| case.payload.plain().is_some()),
            Box::new(|| case.payload.checked(&writer).is_some()),
        ];
        let times = race(&works, effort);
        Ok(Self {
            plain: times[0],
            checked: times[1],
        })
    }
}

fn judge(case: &Case, engines: &[Engine<'_>]) -> Result<(), String> {
    let texts = [(&case.valid, true), (&case.invalid, false)];
    for engine in engines {
        let (name, title) = (case.name, engine.kind.title());
        for (json, valid) in texts {
            // Both are JSON, and that is all that a parser sees.
            let expected = valid || !engine.kind.judges();
            let found = (engine.check)(json);
            if found != expected {
                return Err(format!(
                    "{name}: expected {title} to say {expected}, found {found}"
                ));
            }
        }
    }
    Ok(())
}

fn works<'a>(engines: &'a [Engine<'_>], json: &'a [u8]) -> Vec<Work<'a>> {
    let work = |engine: &'a Engine<'_>| -> Work<'a> { Box::new(|| (engine.check)(json)) };
    engines.iter().map(work).collect()
}
