mod arguments;
mod content;
mod hints;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use toolpact_audit::Recorder;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_serve::View;

use self::arguments::Word;
use self::content::Carrier;
use crate::align::align;
use crate::backend::{Answer, Backend, BackendArguments};
use crate::commands::serve::Log;
use crate::output::{Output, WARNING, count, printable};
use crate::save::Saving;
use crate::signals::unless_asked;
use crate::status::Status;

/// Call a tool of a server or of files
///
/// Arguments are `key=value`: text where the contract says so, else JSON. `key:=value` is JSON
/// whatever the contract says. `key=@file` is the text of a file, and `key:=@file` its JSON; a text
/// that begins with `@` is written `key=@@text`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Tool to call
    tool: String,
    /// Its arguments, or all of them as a JSON object
    #[arg(value_name = "KEY=VALUE")]
    words: Vec<String>,
    /// All arguments as a JSON object
    #[arg(long, value_name = "ARGS", conflicts_with = "words")]
    json: Option<String>,
    /// Output format of the result [default: text]
    #[arg(long, alias = "format", value_parser = views())]
    view: Option<View>,
    /// Write the result to this file: the content of a file, a picture or a chunk, unless --view says
    /// otherwise
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write what the tool does to standard error: its log, with what programs write there. Why a call
    /// of a tool of files fails is always said there
    #[arg(long, short)]
    verbose: bool,
    /// Record the call in this folder, for `toolpact replay` and `serve --replay`. It is then made from here, over MCP
    /// where there is a server
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    #[command(flatten)]
    backend: BackendArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact call search_orders 'filter:={\"status\": \"sent\"}' page=2
  toolpact call get_order '{\"order\": \"O-1001\"}' --view json
  toolpact call sales_chart --output sales.png
  toolpact call import_orders csv=@orders.csv
  toolpact call get-ticket number=5 --tools examples/desk.yaml
  toolpact call get_order order=O-1001 --record records

Exit status:
  0  it worked
  1  the call failed, and the answer says why
  2  it could not run: usage, a server that cannot be reached
  130, 143  it was asked to stop: Ctrl-C, SIGTERM";

fn views() -> impl TypedValueParser<Value = View> {
    let names = View::ALL.map(View::as_str);
    PossibleValuesParser::new(names).try_map(|name| View::from_name(&name).ok_or("no such view"))
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if arguments.verbose {
        Log::Text.start(true, None);
    }
    let recorder = arguments.recorder()?;
    let target = arguments.backend.open_recorded(recorder.clone())?;
    // Before the call, which cannot be undone.
    let saving = arguments.output.as_deref().map(Saving::begin);
    let saving = saving.transpose()?;
    // Before signals are handled: a file may be a pipe that blocks.
    let words = match arguments.json() {
        Some(_) => Vec::new(),
        None => arguments::read(&arguments.words)?,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let called = async {
        let backend = match recorder {
            Some(recorder) => {
                let local = target.connect_here_recorded(Some(Arc::clone(&recorder)));
                let local = local.await?;
                recorder.offer(&local.session);
                Backend::Local(local)
            }
            None => target.connect().await?,
        };
        let called = arguments.call(&backend, &words).await?;
        anyhow::Ok((called, backend.status()))
    };
    let (called, read) = match runtime.block_on(unless_asked(called))? {
        Ok(called) => called,
        Err(asked) => return Ok(asked),
    };
    match (saving, called.answer.worked) {
        (Some(saving), true) => arguments.save(saving, &called)?,
        _ => {
            let text = called.text();
            let text = text.trim_end_matches('\n');
            match out.is_terminal() && arguments.view.is_none_or(|view| view == View::Text) {
                true => out.write_foreign(&align(text)),
                false => out.write_foreign(text),
            }
            writeln!(out)?;
        }
    }
    let mut stderr = Output::stderr();
    for note in &called.answer.notes {
        writeln!(stderr, "{WARNING}note:{WARNING:#} {}", printable(note))?;
    }
    for hint in &called.hints {
        writeln!(stderr, "{WARNING}hint:{WARNING:#} {}", printable(hint))?;
    }
    match called.answer.worked {
        true => Ok(Status::Fine),
        // The tool may be in a file that could not be read.
        false => Ok(read.max(Status::Wrong)),
    }
}

/// The outcome of a call.
struct Called {
    answer: Answer,
    /// What the answer, which then is JSON, carries for a file.
    carrier: Option<Carrier>,
    /// What may have been meant, if it failed.
    hints: Vec<String>,
}

impl Called {
    /// For people.
    fn text(&self) -> String {
        match (self.answer.worked, self.carrier) {
            (false, Some(_)) => content::failure(&self.answer.text),
            _ => self.answer.text.clone(),
        }
    }
}

impl Arguments {
    fn recorder(&self) -> anyhow::Result<Option<Arc<Recorder>>> {
        let recorder = self.record.as_deref();
        let recorder = recorder
            .map(|folder| Recorder::open(folder, None))
            .transpose()?;
        Ok(recorder.map(Arc::new))
    }

    async fn call(&self, backend: &Backend, words: &[Word<'_>]) -> anyhow::Result<Called> {
        let contract = self.contract(backend).await?;
        let args = self.args(words, contract.as_ref())?;
        let wanted = contract.as_ref().filter(|_| self.wants_content());
        let carrier = wanted.and_then(Carrier::of);
        let answer = match carrier {
            Some(_) => backend.call_streaming(&self.tool, args).await?,
            None => {
                let view = self.view.unwrap_or(View::Text);
                backend.call(&self.tool, args, view).await?
            }
        };
        let contract = contract.filter(|_| !answer.worked);
        Ok(Called {
            answer,
            carrier,
            hints: contract.map_or_else(Vec::new, |one| hints::of(words, &one)),
        })
    }

    /// The contract of the tool, if there is one and it is needed.
    async fn contract(&self, backend: &Backend) -> anyhow::Result<Option<Contract>> {
        if (self.words.is_empty() || self.json().is_some()) && !self.wants_content() {
            return Ok(None);
        }
        let contracts = backend.contracts().await?;
        let mut named = contracts.into_iter();
        Ok(named.find(|contract| contract.is_called(&self.tool)))
    }

    /// All arguments as JSON: after --json, or as the only word.
    fn json(&self) -> Option<&str> {
        let word = match &*self.words {
            [word] if word.trim_start().starts_with('{') => Some(word),
            _ => None,
        };
        self.json.as_ref().or(word).map(String::as_str)
    }

    fn wants_content(&self) -> bool {
        self.output.is_some() && self.view.is_none()
    }

    fn args(&self, words: &[Word<'_>], contract: Option<&Contract>) -> anyhow::Result<Value> {
        match self.json() {
            Some(json) => Value::from_json(json).context(match self.json {
                Some(_) => "expected JSON after --json",
                None => "expected the arguments as JSON",
            }),
            None => arguments::object(words, contract),
        }
    }

    fn save(&self, saving: Saving, called: &Called) -> anyhow::Result<()> {
        let (bytes, said) = match called.carrier {
            Some(carrier) => carrier.content(&called.answer.text, &called.answer.items)?,
            None => {
                let text = called.answer.text.trim_end_matches('\n');
                (format!("{text}\n").into_bytes(), String::new())
            }
        };
        saving.finish(&bytes).context("the call was made")?;
        if let Some(file) = &self.output {
            let file = printable(&file.display().to_string());
            let size = count(bytes.len(), "byte");
            writeln!(Output::stderr(), "wrote {file}: {size}{said}")?;
        }
        Ok(())
    }
}
