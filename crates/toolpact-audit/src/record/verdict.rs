//! What is said of a call that was made again.

use serde::Serialize;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::returns::{ErrorKind, Level, Outcome};
use toolpact::observe::LoggedCall;

use super::compare::{Compared, Comparison};

/// What became of a call that was recorded, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// The answer is the same.
    Same,
    /// It is the same but for what changes from call to call.
    Volatile,
    /// The call was not made again.
    NotReplayed,
    /// The answer has another value.
    ValueChanged,
    /// The contract is another one, whatever the answer is.
    ContractChanged,
    /// It failed, and had not failed.
    Failed,
    /// The result breaks the contract that the tool has now.
    BrokenContract,
    /// There is no such tool any more.
    Gone,
}

/// The answer to a call: its result, or the error with `code`, `message` and `details`.
pub type Answered = Result<Value, Value>;

/// A call that was made again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judged {
    /// What is said of it.
    pub verdict: Verdict,
    /// Where the answers differ.
    pub compared: Compared,
    /// What there is to say besides: the error, and rules of the recorded contract that the result breaks.
    pub reasons: Vec<String>,
}

impl Verdict {
    /// All of them, from the best to the worst.
    pub const ALL: [Self; 8] = [
        Self::Same,
        Self::Volatile,
        Self::NotReplayed,
        Self::ValueChanged,
        Self::ContractChanged,
        Self::Failed,
        Self::BrokenContract,
        Self::Gone,
    ];

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Volatile => "same but volatile",
            Self::NotReplayed => "not replayed",
            Self::ValueChanged => "value changed",
            Self::ContractChanged => "contract changed",
            Self::Failed => "failed",
            Self::BrokenContract => "broken contract",
            Self::Gone => "gone",
        }
    }

    /// Whether something is not as it was recorded.
    #[must_use]
    pub fn is_change(self) -> bool {
        self > Self::NotReplayed
    }
}

/// What a line says the answer was, if it says it.
#[must_use]
pub fn answer_of(line: &LoggedCall) -> Option<Answered> {
    let result = line.result.clone()?;
    Some(match is_success(&line.outcome) {
        true => Ok(result),
        false => Err(error_of(&result)),
    })
}

pub(super) fn is_success(outcome: &str) -> bool {
    Outcome::ALL.iter().any(|one| one.as_str() == outcome)
}

/// The part of an error that all forms of it have.
#[must_use]
pub fn error_of(error: &Value) -> Value {
    let members = ["code", "message", "details"].into_iter();
    let members =
        members.filter_map(|key| Some(format!("\"{key}\":{}", error.root().get(key)?.text())));
    let members: Vec<String> = members.collect();
    Value::from_json(format!("{{{}}}", members.join(","))).unwrap_or_else(|_| error.clone())
}

/// Whether a tool has the contract that it was recorded with.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else to know")]
pub enum ContractChange<'a> {
    /// It has.
    None,
    /// It has another than this.
    From(&'a Contract),
    /// It has another, and what it was is not known: an audit has digests only.
    FromUnknown,
}

/// Holds an answer against the one that was recorded.
#[must_use]
pub fn judge(
    then: &Answered,
    now: &Answered,
    comparison: &Comparison,
    change: ContractChange<'_>,
) -> Judged {
    let compared = match (then, now) {
        (Ok(then), Ok(now)) | (Err(then), Err(now)) => comparison.compare(then, now),
        // A result and an error have nothing in common; the reasons say what there is to say.
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => Compared::default(),
    };
    let is_broken = |answer: &Answered| {
        let code = answer.as_ref().err().and_then(|error| text(error, "code"));
        code.as_deref() == Some(ErrorKind::ContractViolation.code())
    };
    let verdict = match (then, now) {
        _ if is_broken(now) && !is_broken(then) => Verdict::BrokenContract,
        _ if !matches!(change, ContractChange::None) => Verdict::ContractChanged,
        (Ok(_), Err(_)) => Verdict::Failed,
        (Err(_), Ok(_)) => Verdict::ValueChanged,
        _ if !compared.is_same() => Verdict::ValueChanged,
        _ if !compared.volatile.is_empty() => Verdict::Volatile,
        _ => Verdict::Same,
    };
    Judged {
        verdict,
        compared,
        reasons: reasons(then, now, change),
    }
}

fn reasons(then: &Answered, now: &Answered, change: ContractChange<'_>) -> Vec<String> {
    let told = |error: &Value| {
        let part = |key| text(error, key).unwrap_or_default();
        format!("{}: {}", part("code"), part("message"))
    };
    let mut reasons = Vec::new();
    match (then, now) {
        (Ok(_), Err(error)) => reasons.push(told(error)),
        (Err(error), Ok(_)) => reasons.push(format!("it had failed: {}", told(error))),
        _ => {}
    }
    if let (ContractChange::From(contract), Ok(result)) = (change, now)
        && let Err(violations) = contract.returns().enforcer(Level::default()).check(result)
    {
        let broken = violations.iter().map(|violation| {
            let place = match violation.pointer().is_root() {
                true => String::new(),
                false => format!(" at {}", violation.pointer()),
            };
            format!(
                "it breaks the recorded contract{place}: {}",
                violation.message()
            )
        });
        reasons.extend(broken.take(5));
    }
    reasons
}

fn text(error: &Value, key: &str) -> Option<String> {
    Some(error.root().get(key)?.as_str()?.into_owned())
}

#[cfg(test)]
mod tests {
    use toolpact::core::contract::Contract;
    use toolpact::core::json::Value;

    use super::{Answered, Comparison, ContractChange, Verdict, judge};

    fn answer(worked: bool, json: &str) -> Answered {
        let value = Value::from_json(json).unwrap();
        match worked {
            true => Ok(value),
            false => Err(value),
        }
    }

    #[test]
    fn each_change_has_its_word() {
        let ok = |json| answer(true, json);
        let error = |code| answer(false, &format!(r#"{{"code":"{code}","message":"No."}}"#));
        let contract = r#"{"name":"a","description":"A.","parameters":{"type":"object"},"returns":"NumberValue"}"#;
        let contract = Contract::from_json(contract).unwrap();
        let (three, four) = (
            ok(r#"{"success":true,"value":3}"#),
            ok(r#"{"success":true,"value":4}"#),
        );
        let text = ok(r#"{"success":true,"value":"3"}"#);
        let (broken, missing) = (error("INTERNAL_CONTRACT"), error("NOT_FOUND_RESOURCE"));
        let comparison = Comparison::default();
        let verdict = |then, now, change| judge(then, now, &comparison, change).verdict;
        assert_eq!(verdict(&three, &three, ContractChange::None), Verdict::Same);
        assert_eq!(
            verdict(&three, &four, ContractChange::None),
            Verdict::ValueChanged
        );
        assert_eq!(
            verdict(&three, &broken, ContractChange::None),
            Verdict::BrokenContract
        );
        assert_eq!(
            verdict(&three, &broken, ContractChange::FromUnknown),
            Verdict::BrokenContract
        );
        assert_eq!(
            verdict(&broken, &broken, ContractChange::None),
            Verdict::Same
        );
        assert_eq!(
            verdict(&three, &missing, ContractChange::None),
            Verdict::Failed
        );
        assert_eq!(
            verdict(&missing, &three, ContractChange::None),
            Verdict::ValueChanged
        );
        assert_eq!(
            verdict(&missing, &missing, ContractChange::None),
            Verdict::Same
        );
        assert_eq!(
            verdict(&three, &three, ContractChange::FromUnknown),
            Verdict::ContractChanged
        );
        let (one, other) = (
            ok(r#"{"at":"2026-11-19T03:00:00Z"}"#),
            ok(r#"{"at":"2026-11-19T03:00:01Z"}"#),
        );
        assert_eq!(
            verdict(&one, &other, ContractChange::None),
            Verdict::Volatile
        );
        let judged = judge(&three, &text, &comparison, ContractChange::From(&contract));
        assert_eq!(judged.verdict, Verdict::ContractChanged);
        assert!(
            judged.reasons[0].starts_with("it breaks the recorded contract at /value: "),
            "{judged:?}"
        );
    }

    #[test]
    fn the_worst_comes_last() {
        assert!(Verdict::ALL.is_sorted());
        assert!(!Verdict::NotReplayed.is_change() && Verdict::ValueChanged.is_change());
    }
}
