//! From text to a config.

use std::path::Path;
use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde_json::Value as Json;
use toolpact::core::json::{Document, Format, Limits as ReadLimits, Value};
use toolpact::core::returns::{Enforcer, Level, Returns};
use toolpact::core::schema::JsonSchema;

use super::hints::Hints;
use super::{Config, ConfigError, Source};

impl Config {
    /// Reads a config in YAML.
    pub fn from_yaml(text: &[u8]) -> Result<Self, ConfigError> {
        Self::parse(text, Format::Yaml)
    }

    /// Reads a config in JSON.
    pub fn from_json(text: &[u8]) -> Result<Self, ConfigError> {
        Self::parse(text, Format::Json)
    }

    /// Reads a file: JSON if its name ends so, else YAML. Relative paths in it begin at its folder.
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read(path).map_err(|error| ConfigError::unreadable(path, &error))?;
        Self::from_file_text(path, &text)
    }

    pub(crate) fn from_file_text(path: &Path, text: &[u8]) -> Result<Self, ConfigError> {
        let config = Self::parse(text, format(path)).map_err(|error| error.in_file(path))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(config.based_on(folder).with_data_of(path))
    }

    /// Looks at a config that was not read, or was changed since: every mistake is told.
    pub fn validated(self) -> Result<Self, ConfigError> {
        match crate::sources::findings(&self) {
            findings if findings.is_empty() => Ok(self),
            findings => Err(ConfigError::without_places(findings)),
        }
    }

    /// With paths that begin at a folder.
    fn based_on(mut self, folder: &Path) -> Self {
        self.data = self.data.map(|data| folder.join(data));
        self.lock = self.lock.map(|lock| folder.join(lock));
        self.identity.base_on(folder);
        if let Some(tls) = &mut self.tls {
            tls.base_on(folder);
        }
        for path in self.policy.iter_mut().flat_map(|policy| &mut policy.files) {
            *path = folder.join(&*path);
        }
        if let Some(audit) = &mut self.audit {
            audit.directory = folder.join(&audit.directory);
        }
        for source in &mut self.sources {
            let paths = match source {
                Source::Shop(_) => continue,
                Source::Grid(grid) => {
                    grid.base_on(folder);
                    continue;
                }
                Source::Files(files) => &mut files.paths,
                Source::Mcp(mcp) => &mut mcp.contracts,
            };
            for path in paths {
                *path = folder.join(&*path);
            }
        }
        self.with_data_beside(folder).with_lock_beside(folder)
    }

    fn parse(text: &[u8], format: Format) -> Result<Self, ConfigError> {
        let document = Document::parse(text, format, &ReadLimits::default());
        let enforcer = (*ENFORCER)
            .as_ref()
            .map_err(|why| ConfigError::of_message(why.clone()))?;
        let checked = enforcer.check_document(&document).into_result();
        let value = checked.map_err(|violations| {
            let schema = json_schema();
            let hints = Hints::new(&schema, &document, &violations);
            ConfigError::of_violations(&violations, &hints)
        })?;
        let config: Self = value
            .deserialize()
            .map_err(|error| ConfigError::of_message(error.to_string()))?;
        match crate::sources::findings(&config) {
            findings if findings.is_empty() => Ok(config),
            findings => Err(ConfigError::of_findings(&document, findings)),
        }
    }
}

/// The format of a file: JSON if its name ends so, else YAML.
pub(crate) fn format(path: &Path) -> Format {
    let json = path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("json"));
    if json { Format::Json } else { Format::Yaml }
}

/// What a config has to look like.
static ENFORCER: LazyLock<Result<Enforcer, String>> = LazyLock::new(|| {
    let schema = Value::try_from(&json_schema()).map_err(|wrong| wrong.to_string())?;
    let schema = JsonSchema::from_value(&schema).map_err(|wrong| wrong.to_string())?;
    Ok(Returns::Custom(schema).enforcer(Level::Shape))
});

/// The JSON Schema of a config.
#[must_use]
pub fn json_schema() -> Json {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<Config>().to_value()
}

/// A small config with a tool that works, and the file `tools.yaml` that it names.
#[must_use]
pub fn starter() -> (&'static str, &'static str) {
    (include_str!("starter.yaml"), include_str!("tools.yaml"))
}
