//! The errors that are specific to one tool. The table of all errors is the same for every tool, so
//! it is shown once.

use toolpact_core::contract::Contract;
use toolpact_core::returns::{ErrorKind, Retry, Returns};

use super::{Phrase, effects};

/// What a reader of one tool needs to know about errors, one sentence each.
pub(super) fn notes(contract: &Contract) -> Vec<Phrase> {
    let mut notes = vec![retry(contract)];
    if let Some(timeout) = contract.timeout() {
        let time = effects::in_words(timeout);
        let begin = format!("A call that takes longer than {time} ends as ");
        let code = ErrorKind::TimedOut.code();
        notes.push(Phrase::words(begin).then_code(code).then("."));
    }
    if matches!(
        contract.returns(),
        Returns::Standard { .. } | Returns::Custom(_)
    ) {
        let begin = Phrase::words("A result other than promised here is withheld, and ends as ");
        let code = ErrorKind::ContractViolation.code();
        notes.push(begin.then_code(code).then("."));
    }
    notes
}

/// Whether to try again, where that depends on the tool. A read-only tool is always idempotent.
fn retry(contract: &Contract) -> Phrase {
    let effects = contract.effects();
    let because = match (effects.read_only(), effects.idempotent()) {
        (Some(true), _) => Ok("it is read-only"),
        (_, Some(true)) => Ok("it is idempotent"),
        (_, Some(false)) => Err("It is not idempotent"),
        (_, None) => Err("Nothing says that it is idempotent"),
    };
    let kinds = ErrorKind::all().filter(|kind| kind.retry() == Retry::IfIdempotent);
    let codes = and(kinds.map(|kind| Phrase::code(kind.code())).collect());
    match because {
        Ok(because) => Phrase::words("May be called again after ")
            .and(codes)
            .then(format!(", because {because}.")),
        Err(because) => Phrase::words("After ").and(codes).then(format!(
            " it may have been done all the same. {because}, so find out before it is called again."
        )),
    }
}

/// `a`, `b` and `c`.
fn and(mut phrases: Vec<Phrase>) -> Phrase {
    let last = phrases.pop().unwrap_or_default();
    if phrases.is_empty() {
        last
    } else {
        Phrase::join(phrases, ", ").then(" and ").and(last)
    }
}

/// Whether to try again, for the table of all errors.
pub(super) fn retry_in_words(kind: ErrorKind) -> &'static str {
    match kind.retry() {
        Retry::Never => "no",
        Retry::Yes => "yes, after a while",
        Retry::IfIdempotent => "if the tool is read-only or idempotent",
    }
}
