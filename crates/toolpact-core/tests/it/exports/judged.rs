//! An export without losses takes the same calls as its contract. One with losses differs in the
//! directions that they name, and in no other. The fuzz target `export` uses this as well.

use crate::differential::{Choices, make};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Effect, Export, ExportedTool, Loss};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::returns::Level;
use toolpact_core::toolset::Function;

/// Makes a contract of bytes, and holds its exports to what they say of themselves.
pub(super) fn judge(bytes: &[u8], dialects: &[Dialect]) {
    let choices = &mut Choices(bytes);
    let Some(schema) = parameters(choices) else {
        return;
    };
    let Some(contract) = contract(&schema) else {
        return;
    };
    let calls: Vec<Value> = (0..4).filter_map(|_| arguments(&schema, choices)).collect();
    for dialect in dialects {
        let export = dialect.export([&contract]);
        if let Some(tool) = export.tools().first() {
            let seen = Seen::new(&export, tool);
            for call in &calls {
                seen.holds_for(call);
            }
            for _ in 0..3 {
                seen.holds_for_sent(arguments(&seen.accepted.schema, choices));
            }
        }
    }
}

/// The schema of arguments: one that is an object, and now and then any.
fn parameters(choices: &mut Choices<'_>) -> Option<serde_json::Value> {
    let mut schema: serde_json::Value = serde_json::from_str(&make::schema(choices)).ok()?;
    if choices.0.first().is_none_or(|byte| byte % 4 != 0) {
        let mut definitions = schema["$defs"].take();
        let inner = definitions["d1"].take();
        definitions["d1"] = inner.clone();
        schema.as_object_mut().unwrap().remove("$defs");
        schema = serde_json::json!({
            "type": "object",
            "properties": {"p": schema, "q": inner},
            "$defs": definitions,
        });
        match choices.0.first().unwrap_or(&0) % 3 {
            0 => schema["required"] = serde_json::json!(["p"]),
            1 => schema["additionalProperties"] = false.into(),
            _ => {}
        }
    }
    Some(schema)
}

fn contract(schema: &serde_json::Value) -> Option<Contract> {
    let contract = serde_json::json!({
        "name": "try_it",
        "description": "Tries it.",
        "parameters": schema,
    });
    Contract::from_json(contract.to_string()).ok()
}

fn arguments(schema: &serde_json::Value, choices: &mut Choices<'_>) -> Option<Value> {
    let text = make::value_for(schema, schema, choices, 5);
    Value::from_json(text)
        .ok()
        .filter(|value| value.text().starts_with('{'))
}

/// What takes the calls of an export.
struct Accepted {
    function: Function,
    schema: serde_json::Value,
}

impl Accepted {
    /// The schema is read as the dialect means it, which is what the import knows.
    fn by(export: &Export) -> Self {
        let dialect = export.dialect();
        let text = match dialect {
            Dialect::OpenApi3_0 => return Self::by_openapi_3_0(export),
            _ => export.document(),
        };
        let document = Document::json(text.text().as_bytes(), &Limits::default());
        let import = dialect.import(&document);
        let import = import.unwrap_or_else(|v| panic!("{dialect} {text}: {v}"));
        let tool = import.tools().first();
        let tool = tool.unwrap_or_else(|| {
            panic!(
                "{dialect} cannot be read {}: {:?}",
                document.text(),
                import.left_out()
            )
        });
        Self {
            function: Function::of_contract(&tool.contract, Level::Meaning),
            schema: tool
                .contract
                .parameters()
                .to_json_schema()
                .deserialize()
                .unwrap(),
        }
    }
}

impl Accepted {
    /// Our extension has the whole contract, so the schema is read without it: as a member of
    /// another body, because a body that is not a plain object is read as an argument `body`.
    fn by_openapi_3_0(export: &Export) -> Self {
        let mut document: serde_json::Value = export.document().deserialize().unwrap();
        let operation = &mut document["paths"]["/tools/try_it"]["post"];
        let operation = match operation.is_null() {
            true => &mut document["paths"]["/tools/t"]["post"],
            false => operation,
        };
        operation.as_object_mut().unwrap().remove("x-toolpact");
        let schema = &mut operation["requestBody"]["content"]["application/json"]["schema"];
        *schema = serde_json::json!({"type": "object", "properties": {"it": schema.take()}});
        let text = document.to_string();
        let document = Document::json(text.as_bytes(), &Limits::default());
        let import = Dialect::OpenApi3_0.import(&document).unwrap();
        let [tool] = import.tools() else {
            panic!("{text}: {:?}", import.left_out());
        };
        let read = tool.contract.parameters().to_json_schema();
        let mut read: serde_json::Value = read.deserialize().unwrap();
        let mut schema = read["properties"]["it"].take();
        if schema.get("$ref").is_some() {
            schema = serde_json::json!({"allOf": [schema]});
        }
        if let Some(definitions) = read.get("$defs") {
            schema["$defs"] = definitions.clone();
        }
        let contract = contract(&schema).unwrap_or_else(|| panic!("{schema}"));
        Self {
            function: Function::of_contract(&contract, Level::Meaning),
            schema,
        }
    }
}

pub(super) struct Seen<'t> {
    dialect: Dialect,
    tool: &'t ExportedTool,
    original: Function,
    accepted: Accepted,
    wider: bool,
    narrower: bool,
}

impl<'t> Seen<'t> {
    pub(super) fn new(export: &'t Export, tool: &'t ExportedTool) -> Self {
        let calls = |loss: &&Loss| loss.changes_calls();
        let effects: Vec<Effect> = tool
            .losses()
            .iter()
            .filter(calls)
            .map(Loss::effect)
            .collect();
        Self {
            dialect: export.dialect(),
            tool,
            original: Function::of_contract(tool.contract(), Level::Meaning),
            accepted: Accepted::by(export),
            wider: effects.contains(&Effect::Wider),
            narrower: effects.contains(&Effect::Narrower),
        }
    }

    /// What the contract takes can be sent.
    pub(super) fn holds_for(&self, args: &Value) {
        // ADM's integers have 64 bits, and those of JSON Schema have no end.
        if self.dialect == Dialect::Adm && beyond(args.text()) {
            return;
        }
        let sent = self.tool.write_args(args);
        let takes = self.original.accepts(args.text().as_bytes());
        let says = self.accepted.function.accepts(sent.text().as_bytes());
        assert!(
            !takes || says || self.narrower,
            "cannot be sent: {}",
            self.tell(args, &sent)
        );
        let back = self.tool.read_args(&sent);
        let accepted = self.original.accepts(back.text().as_bytes());
        assert!(
            !says || accepted || self.wider,
            "is refused: {}",
            self.tell(&back, &sent)
        );
    }

    /// Whether the export lets this be sent.
    pub(super) fn says(&self, sent: &Value) -> bool {
        self.accepted.function.accepts(sent.text().as_bytes())
    }

    /// What can be sent is taken.
    pub(super) fn holds_for_sent(&self, sent: Option<Value>) {
        let Some(sent) = sent else { return };
        let args = self.tool.read_args(&sent);
        let says = self.accepted.function.accepts(sent.text().as_bytes());
        let takes = self.original.accepts(args.text().as_bytes());
        assert!(
            !says || takes || self.wider,
            "is refused: {}",
            self.tell(&args, &sent)
        );
    }

    fn tell(&self, args: &Value, sent: &Value) -> String {
        let Self { dialect, tool, .. } = self;
        let losses: Vec<String> = tool.losses().iter().map(Loss::to_string).collect();
        format!(
            "{dialect}\n{}\n{}\nargs {args}\nsent {sent}\n{}",
            tool.contract().to_json(),
            tool.definition(),
            losses.join("\n")
        )
    }
}

/// Whether a number in a text is beyond 64 bits, or may be.
fn beyond(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() > 18)
        || text.contains(['e', 'E'])
}
