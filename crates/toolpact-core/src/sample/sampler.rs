use crate::check::Checker;
use crate::contract::Contract;
use crate::json::{Limits, Node, Value};
use crate::returns::{Enforcer, Level, Returns, StandardType};
use crate::schema::view::{Part, Sources};
use crate::schema::{JsonSchema, Keyword};
use crate::toolset::Function;

use super::Random;
use super::make::{Attempt, Maker, Variety};

/// Makes values that a schema accepts, or the parameters or the returns of a contract.
#[derive(Debug)]
pub struct Sampler {
    /// What applies to a value. A refinement comes before its type, because it is more exact.
    schemas: Vec<Value>,
    /// What the author gave beside the schema.
    examples: Vec<Value>,
    standard: Option<StandardType>,
    check: Check,
}

#[derive(Debug)]
enum Check {
    Arguments(Box<Function>),
    Result(Box<(Returns, Enforcer)>),
    Schema(Box<Checker>),
}

/// How many random attempts are made for one value.
const ATTEMPTS: u64 = 24;
/// How many parts of values all these attempts may make together.
const WORK: usize = 60_000;
/// Text longer than this is not readable; if it is longer, only what is required is shown.
const LONGEST: usize = 1_200;
/// How many parts one attempt to make a readable value may make.
const SHOWN: usize = 2_000;

impl Sampler {
    /// Makes arguments of a tool.
    #[must_use]
    pub fn of_arguments(contract: &Contract) -> Self {
        Self {
            schemas: vec![contract.parameters().to_json_schema()],
            examples: Vec::new(),
            standard: None,
            check: Check::Arguments(Function::of_contract(contract, Level::Shape).into()),
        }
    }

    /// Makes results of a tool that succeeds, valid in shape and in meaning.
    #[must_use]
    pub fn of_result(contract: &Contract) -> Self {
        let object = contract.return_type();
        Self {
            examples: object.map_or_else(Vec::new, |object| object.examples().to_vec()),
            ..Self::of_returns(contract.returns())
        }
    }

    /// Makes what a promise promises, valid in shape and in meaning.
    #[must_use]
    pub fn of_returns(returns: &Returns) -> Self {
        let schemas = match returns {
            Returns::Standard {
                standard,
                refinement,
            } => {
                let refinement = refinement.iter().map(JsonSchema::to_bundle);
                refinement.chain([standard.schema().to_bundle()]).collect()
            }
            Returns::Custom(schema) => vec![schema.to_bundle()],
            // Most tools that promise nothing return text.
            Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => {
                vec![Value::embedded(r#"{"type":"string"}"#)]
            }
        };
        Self {
            schemas,
            examples: Vec::new(),
            standard: match returns {
                Returns::Standard { standard, .. } => Some(*standard),
                _ => None,
            },
            check: Check::Result(Box::new((
                returns.clone(),
                returns.enforcer(Level::Meaning),
            ))),
        }
    }

    /// Makes values of a schema. Formats are checked, too.
    #[must_use]
    pub fn of_schema(schema: &JsonSchema) -> Self {
        Self {
            schemas: vec![schema.to_bundle()],
            examples: Vec::new(),
            standard: None,
            check: Check::Schema(schema.checker().into()),
        }
    }

    /// Whether this is a value that it could make.
    #[must_use]
    pub fn accepts(&self, value: &Value) -> bool {
        let json = value.text().as_bytes();
        match &self.check {
            Check::Arguments(function) => function.accepts(json),
            Check::Result(promise) => {
                let (returns, enforcer) = &**promise;
                enforcer.is_valid(json) && returns.outcome(value.root()).is_ok()
            }
            Check::Schema(checker) => checker.is_valid(json),
        }
    }

    /// Whether this is a value that is wrong, and for results not a failure, which is no result.
    pub(super) fn refuses(&self, value: &Value) -> bool {
        let is_result = match &self.check {
            Check::Result(promise) => promise.0.outcome(value.root()).is_ok(),
            Check::Arguments(_) | Check::Schema(_) => true,
        };
        is_result && !self.accepts(value)
    }

    /// The examples and defaults that the author wrote for the whole value, those that are valid.
    #[must_use]
    pub fn examples(&self) -> Vec<Value> {
        let sources = Sources::new(&self.schemas);
        self.given(&sources)
            .filter(|value| self.accepts(value))
            .collect()
    }

    /// The best value to show: an example of the author, or one with every field, or one with the
    /// required ones.
    #[must_use]
    pub fn first(&self) -> Option<Value> {
        let sources = Sources::new(&self.schemas);
        let made = Attempt::all().filter_map(|attempt| self.shown(attempt, &sources));
        // Examples of the type itself know nothing of what refines it.
        let (before, after) = match self.schemas.len() {
            1 => (self.typical(), Vec::new()),
            _ => (Vec::new(), self.typical()),
        };
        let given = self.given(&sources).chain(before);
        let mut candidates = given.chain(made).chain(after);
        candidates.find(|value| self.accepts(value))
    }

    /// The examples of the specification.
    fn typical(&self) -> Vec<Value> {
        self.standard
            .map(StandardType::examples)
            .unwrap_or_default()
    }

    /// The value of a seed. Different seeds make different values, as far as the schema has them: with
    /// and without optional keys, of each alternative, in the middle and at the limits.
    #[must_use]
    pub fn nth(&self, seed: u64) -> Option<Value> {
        self.random(seed, Variety::Usual)
    }

    /// The same with what callers and tools rarely write, but may: keys that the schema does not name,
    /// values of any type where it names none, empty texts, very large numbers.
    #[must_use]
    pub fn unusual(&self, seed: u64) -> Option<Value> {
        self.random(seed, Variety::Unusual)
    }

    fn random(&self, seed: u64, variety: Variety) -> Option<Value> {
        let sources = Sources::new(&self.schemas);
        let mut work = WORK;
        let mut seeds = Random::new(seed);
        (0..ATTEMPTS).find_map(|attempt| {
            let random = Random::new(seeds.number());
            let mut maker = Maker::random(&sources, random, variety, &mut work);
            let value = json(&self.whole(&mut maker, attempt % 2 == 0)?)?;
            self.accepts(&value).then_some(value)
        })
    }

    fn shown(&self, attempt: Attempt, sources: &Sources<'_>) -> Option<Value> {
        let mut work = SHOWN;
        let text = self.whole(
            &mut Maker::shown(sources, attempt, &mut work),
            attempt.trusts,
        )?;
        let is_short = text.len() <= LONGEST || !attempt.fills;
        is_short.then(|| json(&text))?
    }

    /// Arguments are objects, whatever the schema says.
    fn whole(&self, maker: &mut Maker<'_, '_>, prefers_frame: bool) -> Option<String> {
        match (&self.check, self.standard) {
            (Check::Arguments(_), _) => maker.root_object(),
            (_, Some(standard)) => maker.success(standard, prefers_frame),
            (Check::Result(_) | Check::Schema(_), None) => maker.root(),
        }
    }

    /// What the author gave for the whole value. It may be wrong.
    fn given<'v>(&'v self, sources: &Sources<'v>) -> impl Iterator<Item = Value> + use<'v> {
        let root = sources.root();
        let examples = root
            .all(Keyword::Examples)
            .flat_map(|list| list.node().items());
        let defaults = root.all(Keyword::Default).map(Part::node);
        let nodes: Vec<Node<'v>> = examples.chain(defaults).collect();
        let beside = self.examples.iter().cloned();
        beside.chain(nodes.into_iter().map(Node::to_value))
    }
}

/// The value of JSON that was written here, so its depth and size need no limits.
pub(super) fn json(text: &str) -> Option<Value> {
    let limits = Limits::default().depth(usize::MAX).bytes(usize::MAX);
    Value::from_json_within(text, &limits).ok()
}
