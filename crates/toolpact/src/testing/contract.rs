use std::fmt;

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;

use super::Calls;
use crate::Error;
use crate::{
    Context, Definition, ToolError,
    define::{IntoDefinition, UntypedOutput},
};

/// A tool with this contract, of which the closure is the body. How the contract says it is run
/// does not matter.
///
/// ```
/// use toolpact::core::contract::Contract;
/// use toolpact::core::json::Value;
/// use toolpact::{Call, Registry, testing};
///
/// let contract = Contract::from_json(r#"{
///     "name": "count_words",
///     "description": "Counts the words of a text.",
///     "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
///     "returns": "NumberValue",
///     "run": {"command": ["wc", "-w"]}
/// }"#)?;
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let registry = Registry::new();
/// registry.add(testing::fake_contract(contract, |_| Ok(Value::from("many"))))?;
/// let session = registry.session().open()?;
/// let call = Call::from_json(r#"{"name": "count_words", "args": {"text": "a b"}}"#)?;
/// // The contract holds for fakes as well.
/// let completed = session.call(call).await;
/// assert_eq!(completed.error().unwrap().code(), "INTERNAL_CONTRACT");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fake_contract<F, P>(contract: Contract, answer: F) -> FakeContract
where
    F: Fn(Value) -> Result<P, ToolError> + Send + Sync + 'static,
    P: Into<UntypedOutput> + Send + 'static,
{
    let calls = Calls::new();
    let heard = calls.clone();
    let body = move |args: Value, _: Context| {
        heard.add(args.clone());
        std::future::ready(answer(args))
    };
    FakeContract {
        definition: Definition::new(contract, body),
        calls,
    }
}

/// A tool with this contract that always returns the same.
///
/// ```
/// use toolpact::core::contract::Contract;
/// use toolpact::core::json::Value;
/// use toolpact::testing;
///
/// # let contract = Contract::from_json(r#"{
/// #     "name": "now",
/// #     "description": "Tells the time.",
/// #     "parameters": {"type": "object"},
/// #     "returns": "StringValue"
/// # }"#)?;
/// let clock = testing::fake_value(contract, Value::from("five to twelve"));
/// # Ok::<(), toolpact::core::Violations>(())
/// ```
#[must_use]
pub fn fake_value(contract: Contract, value: Value) -> FakeContract {
    fake_contract(contract, move |_| Ok(value.clone()))
}

/// A tool made by [`fake_contract`].
#[derive(Clone)]
pub struct FakeContract {
    definition: Definition,
    calls: Calls<Value>,
}

impl FakeContract {
    /// Its calls, now and later.
    #[must_use]
    pub fn calls(&self) -> Calls<Value> {
        self.calls.clone()
    }
}

impl IntoDefinition for FakeContract {
    fn into_definition(self) -> Result<Definition, Error> {
        Ok(self.definition)
    }
}

impl fmt::Debug for FakeContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FakeContract({})", self.definition.contract().name())
    }
}
