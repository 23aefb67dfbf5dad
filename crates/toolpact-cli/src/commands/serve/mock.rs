use clap::Args;
use toolpact::mock::{Delay, Mock, MockedError, Often, WrongSetting};
use toolpact_serve::Config;

const HEADING: &str = "Mock";

/// What is answered in place of what tools do.
#[derive(Debug, Args)]
pub(crate) struct MockArguments {
    /// Run no tool: answer every call with an example of its contract, or with a value made from it
    #[arg(long, help_heading = HEADING)]
    mock: bool,
    /// Make other answers
    #[arg(long, help_heading = HEADING, value_name = "NUMBER")]
    mock_seed: Option<u64>,
    /// Fail calls: `EXTERNAL_TIMEOUT=10%`, `get_order:NOT_FOUND_RESOURCE=1/5`; can be given several times
    #[arg(long, help_heading = HEADING, value_name = "[TOOL:]CODE[=SHARE]", value_parser = of_tool::<MockedError>)]
    mock_error: Vec<OfTool<MockedError>>,
    /// Take so many milliseconds: `200`, `100-400`, `get_order:5000=1/5`; can be given several times
    #[arg(long, help_heading = HEADING, value_name = "[TOOL:]MS[-MS][=SHARE]", value_parser = of_tool::<Delay>)]
    mock_delay: Vec<OfTool<Delay>>,
    /// Return results that break the contract: `10%`, `get_order:1/5`; can be given several times
    #[arg(long, help_heading = HEADING, value_name = "[TOOL:]SHARE", value_parser = of_tool::<Often>)]
    mock_breach: Vec<OfTool<Often>>,
}

/// What is said of one tool, or of all.
#[derive(Debug, Clone)]
struct OfTool<T> {
    tool: Option<String>,
    what: T,
}

fn of_tool<T: std::str::FromStr<Err = WrongSetting>>(
    text: &str,
) -> Result<OfTool<T>, WrongSetting> {
    let (tool, what) = match text.split_once(':') {
        Some((tool, what)) => (Some(tool.to_owned()), what),
        None => (None, text),
    };
    Ok(OfTool {
        tool,
        what: what.parse()?,
    })
}

impl MockArguments {
    /// Whether the flags ask for a mock.
    fn is_wanted(&self) -> bool {
        self.mock
            || self.mock_seed.is_some()
            || !self.mock_error.is_empty()
            || !self.mock_delay.is_empty()
            || !self.mock_breach.is_empty()
    }

    /// Adds what the flags say to what the config says.
    pub(super) fn apply(&self, config: &mut Config) {
        if !self.is_wanted() {
            return;
        }
        let mock = config.mock.get_or_insert_default();
        mock.seed = self.mock_seed.unwrap_or(mock.seed);
        for error in &self.mock_error {
            behaviour(mock, error.tool.as_deref())
                .errors
                .push(error.what);
        }
        for delay in &self.mock_delay {
            behaviour(mock, delay.tool.as_deref())
                .delays
                .push(delay.what);
        }
        for breach in &self.mock_breach {
            behaviour(mock, breach.tool.as_deref()).breaches = Some(breach.what);
        }
    }
}

/// What is said of a tool, in place of what is said of all.
fn behaviour<'m>(mock: &'m mut Mock, tool: Option<&str>) -> &'m mut toolpact::mock::Behaviour {
    match tool {
        Some(tool) => mock.tools.entry(tool.to_owned()).or_default(),
        None => &mut mock.all,
    }
}
