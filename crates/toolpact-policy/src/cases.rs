//! Cases that policies are tested with.

use std::path::PathBuf;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use toolpact::session::ClientInfo;
use toolpact_core::json::{Document, Format, Limits, Value};
use toolpact_core::returns::{Level, Returns};
use toolpact_core::schema::JsonSchema as Schema;
use toolpact_core::{Principal, Severity};

/// A file with cases.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cases {
    /// The config with the policies, relative to this file. Without it, it is that of the folder of this file.
    pub config: Option<PathBuf>,
    /// The cases.
    #[schemars(length(min = 1))]
    pub cases: Vec<Case>,
}

/// A call, and what the policies should say about it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it is about. Without this, it is the caller and the tool.
    pub name: Option<String>,
    /// Who calls. Without this, it is the anonymous principal.
    pub principal: Option<CaseCaller>,
    /// The tool, by the name that clients use.
    pub tool: String,
    /// The arguments.
    #[serde(default)]
    #[schemars(extend("type" = "object"))]
    pub arguments: Option<serde_json::Value>,
    /// What the client says about itself. Without this, it says nothing.
    pub client: Option<CaseClient>,
    /// What is expected.
    pub expect: Expected,
}

/// What a client says about itself in a case.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseClient {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
}

/// Who calls in a case.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseCaller {
    /// Its name.
    pub name: String,
    /// Who says so.
    pub issuer: Option<String>,
    /// The customer or the team it belongs to.
    pub tenant: Option<String>,
    /// The groups it is in.
    #[serde(default)]
    pub groups: Vec<String>,
    /// What else its issuer says about it.
    #[schemars(extend("type" = "object"))]
    pub claims: Option<serde_json::Value>,
}

/// What is expected of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// The call may run.
    Allow,
    /// It may not.
    Deny,
    /// Someone has to be asked.
    Ask,
}

impl Cases {
    /// Reads a file in YAML, or in JSON, which is YAML, too. What is wrong is told with its line and column.
    pub fn read(text: &[u8]) -> Result<Self, Vec<String>> {
        let document = Document::parse(text, Format::Yaml, &Limits::default());
        let schema = SchemaSettings::draft2020_12().into_generator();
        let schema = schema.into_root_schema_for::<Self>().to_value();
        let one = |error: &dyn std::fmt::Display| vec![error.to_string()];
        let schema = Value::try_from(&schema).map_err(|error| one(&error))?;
        let schema = Schema::from_value(&schema).map_err(|error| one(&error))?;
        let checked = Returns::Custom(schema)
            .enforcer(Level::Shape)
            .check_document(&document);
        let value = checked.into_result().map_err(|violations| {
            let errors = violations
                .iter()
                .filter(|one| one.severity() == Severity::Error);
            let told = errors.map(|one| match one.location() {
                Some(place) => format!(
                    "{}:{}: at {}: {}",
                    place.line,
                    place.column,
                    one.pointer(),
                    one.message()
                ),
                None => format!("at {}: {}", one.pointer(), one.message()),
            });
            told.collect::<Vec<_>>()
        })?;
        value.deserialize().map_err(|error| one(&error))
    }
}

impl Case {
    /// Who calls.
    #[must_use]
    pub fn caller(&self) -> Principal {
        self.principal
            .as_ref()
            .map_or_else(Principal::anonymous, CaseCaller::principal)
    }

    /// What the client says about itself.
    #[must_use]
    pub fn client(&self) -> Option<ClientInfo> {
        let said = self.client.as_ref()?;
        let client = ClientInfo::new(&said.name);
        Some(match &said.version {
            Some(version) => client.with_version(version),
            None => client,
        })
    }

    /// What it is about.
    #[must_use]
    pub fn title(&self) -> String {
        let usual = || format!("{} calls {}", self.caller(), self.tool);
        self.name.clone().unwrap_or_else(usual)
    }

    /// The arguments, an object.
    #[must_use]
    pub fn args(&self) -> Value {
        let text = self
            .arguments
            .as_ref()
            .map_or_else(|| "{}".to_owned(), ToString::to_string);
        Value::from_json(text).unwrap_or_else(|_| Value::from(""))
    }
}

impl CaseCaller {
    /// The same as a principal.
    #[must_use]
    pub fn principal(&self) -> Principal {
        let mut principal =
            Principal::new(&*self.name).groups(self.groups.iter().map(|one| &**one));
        if let Some(issuer) = &self.issuer {
            principal = principal.issued_by(&**issuer);
        }
        if let Some(tenant) = &self.tenant {
            principal = principal.with_tenant(&**tenant);
        }
        let claims = self
            .claims
            .as_ref()
            .and_then(|claims| Value::try_from(claims).ok());
        match claims {
            Some(claims) => principal.with_claims(claims),
            None => principal,
        }
    }
}

impl Expected {
    /// `allow`, `deny` or `ask`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Expected::Allow => "allow",
            Expected::Deny => "deny",
            Expected::Ask => "ask",
        }
    }
}
