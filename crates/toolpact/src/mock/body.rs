use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::ErrorKind;
use toolpact_core::sample::{Random, Sampler};

use super::{Behaviour, Mock};
use crate::call::{Arguments, ResultChecker, decode};
use crate::define::{Body, Work};
use crate::typed::AnyValue;
use crate::{Context, ToolError};

/// A tool that answers from its contract.
pub(crate) struct MockedBody {
    contract: Arc<Contract>,
    seed: u64,
    behaviour: Behaviour,
    /// How many calls there have been.
    calls: AtomicU64,
    answers: OnceLock<Answers>,
}

/// What is answered. Most tools of a server are never called, so this waits for the first call.
struct Answers {
    sampler: Sampler,
    /// Those of the author.
    examples: Vec<Value>,
}

impl MockedBody {
    pub(crate) fn new(contract: Arc<Contract>, name: &str, mock: &Mock) -> Self {
        Self {
            behaviour: mock.of(name).clone(),
            seed: mock.seed,
            calls: AtomicU64::new(0),
            answers: OnceLock::new(),
            contract,
        }
    }

    fn answers(&self) -> &Answers {
        self.answers.get_or_init(|| {
            let sampler = Sampler::of_result(&self.contract);
            let examples = sampler.examples();
            Answers { sampler, examples }
        })
    }

    fn random(&self, what: &str) -> Random {
        Random::of_texts(self.seed, &[self.contract.name().as_str(), what])
    }

    /// What the call of this number comes to.
    fn outcome(&self, args: &Value, number: u64, random: &mut Random) -> Result<Value, ToolError> {
        if let Some(kind) = self.behaviour.error(number, random) {
            let source = "the mock was asked for this error";
            return Err(ToolError::new(kind, kind.text()).with_source(source));
        }
        let answers = self.answers();
        if self.behaviour.breaks(number, random)
            && let Some(broken) = answers.sampler.broken(random.number())
        {
            return Ok(broken);
        }
        let seed = self.random(&args.to_canonical()).number();
        let answer = answers.of(seed);
        answer.ok_or_else(|| {
            let message = "The mock of this tool found no result that the contract allows: give the contract an \
                           example.";
            ToolError::new(ErrorKind::Configuration, message)
        })
    }
}

impl Answers {
    fn of(&self, seed: u64) -> Option<Value> {
        let example = Random::new(seed).pick(&self.examples).cloned();
        let made = || self.sampler.nth(seed).or_else(|| self.sampler.first());
        example.or_else(made)
    }
}

impl Body for MockedBody {
    fn start(
        self: Arc<Self>,
        args: Arguments<'_>,
        _: Context,
        checker: ResultChecker,
    ) -> Result<Work, ToolError> {
        let args = decode::untyped(&args)?;
        Ok(Box::pin(async move {
            let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
            let mut random = self.random(&number.to_string());
            if let Some(delay) = self.behaviour.delay(number, &mut random) {
                tokio::time::sleep(delay).await;
            }
            let output = self.outcome(&args, number, &mut random)?;
            let kept = checker.keeps_input().then(|| AnyValue::new(args));
            // It is the result itself: how output of the tool is lifted does not matter.
            checker.check_result(kept, output)
        }))
    }

    fn decode(&self, json: &[u8]) -> Result<AnyValue, ToolError> {
        Ok(AnyValue::new(Value::from_json(json)?))
    }

    fn text(&self, _: &AnyValue) -> Option<String> {
        None
    }
}
