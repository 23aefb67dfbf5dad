//! The request loop.

use std::io::{self, BufReader, BufWriter, Stdin, Stdout};
use std::process::ExitCode;

use monty_types::{BASELINE_MEMORY, LIVE_MEMORY};
use std::sync::atomic::Ordering;
use toolpact::code::wire::{
    Begin, Failure, PROTOCOL, Reply, Request, Resume, read_frame, write_frame,
};

use crate::check::Checker;
use crate::run::Run;
use crate::saved;

/// What the type checker may use for one script.
const CHECK_MEMORY: usize = 512 << 20;

/// The host.
pub(crate) struct Pipe {
    input: BufReader<Stdin>,
    output: BufWriter<Stdout>,
}

impl Pipe {
    pub(crate) fn send(&mut self, reply: &Reply) -> io::Result<()> {
        write_frame(&mut self.output, reply)
    }

    /// The next request; `None` when the host is gone.
    pub(crate) fn receive(&mut self) -> io::Result<Option<Request>> {
        read_frame(&mut self.input)
    }
}

/// Tells the host that no scripts are run, since this process cannot be confined.
pub(crate) fn refuse(reason: &str) -> ExitCode {
    let reply = Reply::Unconfined(reason.to_owned());
    // A host that is gone hears nothing.
    let _ = write_frame(&mut io::stdout(), &reply);
    ExitCode::FAILURE
}

pub(crate) fn serve() -> io::Result<()> {
    let mut pipe = Pipe {
        input: BufReader::new(io::stdin()),
        output: BufWriter::new(io::stdout()),
    };
    let mut checker = Checker::default();
    pipe.send(&Reply::Ready { protocol: PROTOCOL })?;
    while let Some(request) = pipe.receive()? {
        let reply = match request {
            Request::Begin(begin) => self::begin(begin, &mut checker, &mut pipe)?,
            Request::Resume(resume) => self::resume(resume, &mut pipe)?,
            Request::Answer(_) | Request::Save => {
                let what = "there is no run that could be answered or saved";
                Reply::Failed(Failure::Protocol(what.to_owned()))
            }
        };
        pipe.send(&reply)?;
    }
    Ok(())
}

fn begin(begin: Begin, checker: &mut Checker, pipe: &mut Pipe) -> io::Result<Reply> {
    limit_memory(CHECK_MEMORY, true);
    let script = match checker.check(&begin.script, &begin.file, &begin.stubs) {
        Ok(script) => script,
        Err(failure) => return Ok(Reply::Failed(failure)),
    };
    let reply = Reply::Checked {
        ignores: script.ignores,
    };
    if begin.only_check {
        return Ok(reply);
    }
    pipe.send(&reply)?;
    limit_memory(begin.budget.memory, false);
    let run = Run::new(begin.tools, begin.budget, 0, 0, pipe);
    run.start(script.program)
}

fn resume(resume: Resume, pipe: &mut Pipe) -> io::Result<Reply> {
    let Resume {
        state,
        tools,
        budget,
        calls,
        printed,
        ..
    } = resume;
    limit_memory(budget.memory, false);
    match saved::load(&state) {
        Ok(loaded) => Run::new(tools, budget, calls, printed, pipe).resume(loaded),
        Err(error) => Ok(Reply::Failed(error.into())),
    }
}

/// Counts memory from now on. What the type checker caches does not count.
fn limit_memory(most: usize, is_check: bool) {
    BASELINE_MEMORY.store(LIVE_MEMORY.load(Ordering::Relaxed), Ordering::Relaxed);
    // Fails only without the allocator of this program.
    let _ = monty_alloc::set_limit(Some(most), is_check);
}
