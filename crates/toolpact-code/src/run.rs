//! Runs a script, and has the host make its calls.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

use monty::{FunctionCall, NameLookup, OsCall, ResolveFutures, RunProgress};
use monty_types::{
    ExcType, ExtFunctionResult, LIVE_MEMORY, MontyException, MontyObject, NameLookupResult,
    PrintWriter, ResourceLimits, ResourceTracker,
};
use serde_json::value::RawValue;
use toolpact::code::LimitKind;
use toolpact::code::wire::{CallResult, Failure, Frame, Outcome, Reply, Request, ScriptBudget};

use crate::check::Program;
use crate::error::Error;
use crate::guard::STOP;
use crate::lines::Lines;
use crate::prelude::{self, ERROR, TASK};
use crate::prints::Prints;
use crate::saved::{self, Loaded};
use crate::serve::Pipe;
use crate::tool_call::{not_json, request, result};
use crate::value::to_json;

/// A script that runs.
pub(crate) struct Run<'a> {
    tools: HashSet<String>,
    budget: ScriptBudget,
    calls: usize,
    prints: Prints<'a>,
    lines: Lines,
    /// Results of calls that the script does not wait for yet.
    answered: HashMap<u32, Outcome>,
    /// How many results were received.
    answers: usize,
}

type Resumed = Result<RunProgress, MontyException>;

/// The outcome of one step of the interpreter.
enum StepOutcome {
    Next(Box<Resumed>),
    /// The script was stopped, by a limit.
    Stopped(LimitKind, Vec<Frame>),
    End(Reply),
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        tools: Vec<String>,
        budget: ScriptBudget,
        calls: usize,
        printed: usize,
        pipe: &'a mut Pipe,
    ) -> Self {
        Self {
            tools: tools.into_iter().collect(),
            budget,
            calls,
            prints: Prints::new(pipe, printed, budget.output),
            lines: Lines::default(),
            answered: HashMap::new(),
            answers: 0,
        }
    }

    pub(crate) fn start(mut self, program: Program) -> io::Result<Reply> {
        self.lines = program.lines;
        let limits = ResourceLimits::default()
            .max_duration(Duration::from_millis(self.budget.time_ms))
            .max_memory(self.budget.memory)
            .max_recursion_depth(self.budget.recursion);
        let tracker = ResourceTracker::new(limits);
        let progress = program.compiled.start(Vec::new(), tracker, self.print());
        self.drive(progress)
    }

    pub(crate) fn resume(mut self, loaded: Loaded) -> io::Result<Reply> {
        self.lines = loaded.lines;
        let answered = loaded.answered.into_iter();
        self.answered = answered.map(|answer| (answer.id, answer.outcome)).collect();
        let step = match loaded.progress {
            RunProgress::FunctionCall(call) => {
                let id = call.call_id;
                self.wait_for(id, call)?
            }
            other => next(Ok(other)),
        };
        self.drive_from(step)
    }

    fn drive(self, progress: Resumed) -> io::Result<Reply> {
        self.drive_from(next(progress))
    }

    fn drive_from(mut self, mut step: StepOutcome) -> io::Result<Reply> {
        loop {
            step = match step {
                StepOutcome::Next(progress) => self.step(*progress)?,
                StepOutcome::Stopped(limit, frames) => {
                    self.prints.flush();
                    return Ok(Reply::Failed(Failure::Limit { limit, frames }));
                }
                StepOutcome::End(reply) => {
                    self.prints.flush();
                    return Ok(reply);
                }
            }
        }
    }

    fn step(&mut self, progress: Resumed) -> io::Result<StepOutcome> {
        if self.prints.is_too_much() {
            let frames = progress.err().map(|error| self.frames(&error));
            return Ok(StepOutcome::Stopped(
                LimitKind::Output,
                frames.unwrap_or_default(),
            ));
        }
        match progress {
            Err(exception) => Ok(self.raised(&exception)),
            Ok(RunProgress::Complete(value)) => Ok(StepOutcome::End(self.done(&value))),
            Ok(RunProgress::NameLookup(lookup)) => Ok(next(self.lookup(lookup))),
            Ok(RunProgress::OsCall(call)) => Ok(next(self.refuse(call))),
            Ok(RunProgress::FunctionCall(call)) => self.call(call),
            Ok(RunProgress::ResolveFutures(futures)) => self.futures(futures),
        }
    }

    /// The script has ended with a value.
    fn done(&mut self, value: &MontyObject) -> Reply {
        let json = match to_json(value) {
            Ok(json) => json,
            Err(unfit) => return Reply::Failed(Failure::Value(not_json("the result", &unfit))),
        };
        if json.len() > self.prints.left() {
            let (limit, frames) = (LimitKind::Output, Vec::new());
            return Reply::Failed(Failure::Limit { limit, frames });
        }
        match RawValue::from_string(json) {
            Ok(value) => {
                let memory = LIVE_MEMORY.load(Ordering::Relaxed);
                Reply::Done { value, memory }
            }
            Err(error) => Reply::Failed(Failure::Value(error.to_string())),
        }
    }

    /// The script has ended with an exception.
    fn raised(&self, error: &MontyException) -> StepOutcome {
        let frames = self.frames(error);
        let message = error.message().unwrap_or_default();
        match limit_of(error.exc_type(), message) {
            Some(limit) => StepOutcome::Stopped(limit, frames),
            None => {
                let (exception, message) = described(error.exc_type(), message);
                StepOutcome::End(Reply::Failed(Failure::Raised {
                    exception,
                    message,
                    frames,
                }))
            }
        }
    }

    fn lookup(&mut self, lookup: NameLookup) -> Resumed {
        let found = match lookup.object_id() {
            // The objects of the prelude have no attributes.
            Some(_) => None,
            None if self.tools.contains(&lookup.name) => Some(prelude::function(&lookup.name)),
            None => prelude::lookup(&lookup.name),
        };
        lookup.resume(NameLookupResult::from(found), self.print())
    }

    /// Files, the environment and the clock are refused.
    fn refuse(&mut self, call: OsCall) -> Resumed {
        let what = call.function_call.to_string();
        let message = format!("{what}: scripts reach nothing but their tools");
        let error = MontyException::new(ExcType::PermissionError, Some(message));
        call.resume(error, self.print())
    }

    fn call(&mut self, call: FunctionCall) -> io::Result<StepOutcome> {
        let name = &*call.function_name;
        if call.object_id.is_none() && self.tools.contains(name) {
            return self.ask(call, false);
        }
        let result: ExtFunctionResult = match name {
            STOP => return Ok(self.abort(call, LimitKind::Recursion)),
            TASK => return self.ask(call, true),
            ERROR => match prelude::tool_error(&call.args) {
                Ok(value) => value.into(),
                Err(error) => error.into(),
            },
            other => ExtFunctionResult::NotFound(other.to_owned()),
        };
        Ok(next(call.resume(result, self.print())))
    }

    fn abort(&mut self, call: FunctionCall, limit: LimitKind) -> StepOutcome {
        let error = MontyException::new(ExcType::RuntimeError, None);
        match call.abort(error, self.print()) {
            Err(error) => StepOutcome::Stopped(limit, self.frames(&error)),
            Ok(_) => StepOutcome::Stopped(limit, Vec::new()),
        }
    }

    /// Has the host call a tool.
    fn ask(&mut self, call: FunctionCall, is_task: bool) -> io::Result<StepOutcome> {
        if self.calls >= self.budget.calls {
            return Ok(self.abort(call, LimitKind::Calls));
        }
        let request = match request(&call, is_task, &self.tools) {
            Ok(request) => request,
            Err(error) => return Ok(next(call.resume(error, self.print()))),
        };
        self.calls += 1;
        self.prints.flush();
        self.prints.pipe.send(&Reply::Call(request))?;
        match is_task {
            true => Ok(next(call.resume_pending(self.print()))),
            false => {
                let id = call.call_id;
                self.wait_for(id, call)
            }
        }
    }

    /// Waits for the result of one call. Results of others are kept.
    fn wait_for(&mut self, id: u32, call: FunctionCall) -> io::Result<StepOutcome> {
        loop {
            if let Some(outcome) = self.answered.remove(&id) {
                let result = result(outcome);
                return Ok(next(call.resume(result, self.print())));
            }
            if let Err(request) = self.receive()? {
                return Ok(self.save_or_end(&request, &RunProgress::FunctionCall(call)));
            }
        }
    }

    /// Resumes with the results there are, or waits for more.
    fn futures(&mut self, futures: ResolveFutures) -> io::Result<StepOutcome> {
        loop {
            let ids = futures.pending_call_ids().iter();
            let known: Vec<_> = ids
                .filter_map(|id| Some((*id, result(self.answered.remove(id)?))))
                .collect();
            if !known.is_empty() {
                return Ok(next(futures.resume(known, self.print())));
            }
            self.prints.flush();
            let answers = self.answers;
            self.prints.pipe.send(&Reply::Waiting { answers })?;
            if let Err(request) = self.receive()? {
                return Ok(self.save_or_end(&request, &RunProgress::ResolveFutures(futures)));
            }
        }
    }

    /// Keeps a result. Any other request is returned.
    fn receive(&mut self) -> io::Result<Result<(), Request>> {
        match self.prints.pipe.receive()? {
            Some(Request::Answer(answer)) => {
                self.answers += 1;
                self.answered.insert(answer.id, answer.outcome);
                Ok(Ok(()))
            }
            Some(other) => Ok(Err(other)),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn save_or_end(&mut self, request: &Request, progress: &RunProgress) -> StepOutcome {
        let Request::Save = request else {
            let what = "there is a run that has not ended";
            let failure = Failure::Protocol(what.to_owned());
            return StepOutcome::End(Reply::Failed(failure));
        };
        StepOutcome::End(match self.save(progress) {
            Ok(state) => Reply::Saved(state),
            Err(error) => Reply::Failed(error.into()),
        })
    }

    fn save(&mut self, progress: &RunProgress) -> Result<String, Error> {
        let answered = std::mem::take(&mut self.answered).into_iter();
        let answered = answered.map(|(id, outcome)| CallResult { id, outcome });
        let lines = std::mem::take(&mut self.lines);
        saved::save(progress, lines, answered.collect())
    }

    fn frames(&self, error: &MontyException) -> Vec<Frame> {
        let frames = error.traceback().iter();
        let theirs = frames.filter(|frame| !self.lines.is_ours(frame.start.line));
        let frames = theirs.map(|frame| Frame {
            place: self.lines.place(frame.start),
            function: frame.frame_name.clone().filter(|name| name != "<module>"),
        });
        frames.collect()
    }

    fn print(&mut self) -> PrintWriter<'_> {
        PrintWriter::Callback(&mut self.prints)
    }
}

fn next(progress: Resumed) -> StepOutcome {
    StepOutcome::Next(Box::new(progress))
}

/// The interpreter names the limit only in the message.
fn limit_of(exception: ExcType, message: &str) -> Option<LimitKind> {
    match exception {
        ExcType::TimeoutError if message.starts_with("time limit exceeded") => {
            Some(LimitKind::Time)
        }
        ExcType::MemoryError => Some(LimitKind::Memory),
        ExcType::RecursionError => Some(LimitKind::Recursion),
        _ => None,
    }
}

/// What the interpreter does not support is not the error of a tool.
fn described(exception: ExcType, message: &str) -> (String, String) {
    match message.strip_prefix("Internal error in monty: ") {
        Some(what) => ("NotImplementedError".to_owned(), what.to_owned()),
        None => (exception.to_string(), message.to_owned()),
    }
}
