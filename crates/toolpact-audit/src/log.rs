//! The log that a registry writes its calls to.

use std::cell::RefCell;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::task::Poll;
use std::thread::JoinHandle;

use toolpact::ToolError;
use toolpact::observe::{CallLog, CallRecord, Committing};

use crate::shared::Shared;
use crate::writer::Writer;
use crate::{AuditConfig, AuditError, AuditEvents, Fsync, WhenFull};

/// The code of the error of calls that could not be recorded.
pub const NOT_RECORDED: &str = "INTERNAL_AUDIT";

/// Of so many calls that run, some may be about to end together.
const MANY: usize = 4;

/// Records calls, each before its answer leaves.
///
/// Nobody has a thread of their own for it: of the calls that end at the same time one writes the lines of all.
pub struct AuditLog {
    shared: Arc<Shared>,
    /// What need not be done before an answer leaves.
    thread: Option<JoinHandle<()>>,
}

/// What has been counted. Cloning is cheap.
#[derive(Debug, Clone, Default)]
pub struct AuditMetrics(pub(crate) Arc<Counters>);

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) lines: AtomicU64,
    pub(crate) writes: AtomicU64,
    pub(crate) lost: AtomicU64,
    pub(crate) failing: AtomicBool,
}

thread_local! {
    /// The logs that refused the call that is being logged. It is logged and committed without a pause in between,
    /// so no other call of this thread comes between the two.
    static REFUSED_BY: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl AuditLog {
    /// Opens an audit, or begins one. What the last server left behind is put in order first.
    pub fn open(config: &AuditConfig) -> Result<Self, AuditError> {
        let tools = config.tools.iter();
        let tools = tools.map(|(name, tool)| (name.clone(), config.details_of(tool)));
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            writer: Mutex::new(Writer::open(config)?),
            changed: Condvar::new(),
            running: AtomicUsize::new(0),
            unsaid: AtomicU64::new(0),
            unsynced: AtomicBool::new(true),
            metrics: AuditMetrics::default(),
            details: config.details(),
            tools: tools.collect(),
            when_full: config.when_full,
            fsync: config.fsync,
        });
        let keeping = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("toolpact-audit".to_owned());
        let thread = thread.spawn(move || keeping.keep());
        let thread = thread.map_err(AuditError::io("start a thread for", &config.directory))?;
        let thread = Some(thread);
        Ok(Self { shared, thread })
    }

    /// For lines about what is no call.
    #[must_use]
    pub fn events(&self) -> AuditEvents {
        AuditEvents::new(&self.shared)
    }

    /// Writes an object that is no call. What cannot be written now is written before the next call.
    pub(crate) fn note(&self, object: &[u8]) {
        let mut writer = self.shared.writer();
        writer.add(object, &[object.len()]);
        if let Err(error) = writer.write() {
            tracing::error!(target: "toolpact::audit", %error, "a line has to wait until it can be written");
        }
    }

    /// What has been counted, to be read while the log is in use.
    #[must_use]
    pub fn metrics(&self) -> AuditMetrics {
        self.shared.metrics.clone()
    }
}

impl AuditLog {
    /// Distinguishes it from others of this process.
    fn id(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }
}

impl CallLog for AuditLog {
    fn begin(&self) -> Result<(), ToolError> {
        let shared = &self.shared;
        shared.running.fetch_add(1, Ordering::Relaxed);
        if !shared.metrics.is_failing() || shared.when_full == WhenFull::Continue {
            return Ok(());
        }
        shared.try_again();
        match shared.metrics.is_failing() {
            true => Err(not_recorded(false)),
            false => Ok(()),
        }
    }

    fn write(&self, record: &CallRecord<'_>) {
        let shared = &self.shared;
        shared.running.fetch_sub(1, Ordering::Relaxed);
        // There is no room for a line about a call that was refused because there is no room.
        if record.error == Some(NOT_RECORDED) && shared.metrics.is_failing() {
            REFUSED_BY.with_borrow_mut(|logs| logs.push(self.id()));
            return shared.lose(1);
        }
        let details = shared.tools.get(record.tool).unwrap_or(&shared.details);
        let mut line = Vec::with_capacity(1024);
        record.write_json(details, &mut line);
        shared.queue().add(&line);
    }

    fn commit(&self) -> Option<Committing<'_>> {
        // It has no line, and its caller is told that nothing was done.
        let is_refused = REFUSED_BY.with_borrow_mut(|logs| {
            let before = logs.len();
            logs.retain(|log| *log != self.id());
            logs.len() < before
        });
        if is_refused {
            return None;
        }
        let shared = &*self.shared;
        let (line, mut lead) = {
            let mut queue = shared.queue();
            (queue.queued, shared.lead(&mut queue))
        };
        match shared.fsync {
            Fsync::Each => shared.changed.notify_one(),
            // Most often it is written now, and nothing has to be waited for.
            _ if shared.running.load(Ordering::Relaxed) < MANY => {
                drop(lead.take());
                if shared.queue().is_safe(line) {
                    return None;
                }
            }
            _ => {}
        }
        Some(Box::pin(async move {
            if let Some(lead) = lead {
                let_others_end().await;
                drop(lead);
            }
            poll_fn(|context| shared.poll_written(line, context)).await
        }))
    }
}

/// Lets the tasks that are ready run before this one, so that what they write is written together with its line. Unlike
/// `yield_now` it does not ask the system first whether there is more to do.
async fn let_others_end() {
    let mut is_turn = false;
    poll_fn(|context| {
        if std::mem::replace(&mut is_turn, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl AuditMetrics {
    /// Lines that were written for calls.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.0.lines.load(Ordering::Relaxed)
    }

    /// How often lines were written: several at a time, if several calls ended.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.0.writes.load(Ordering::Relaxed)
    }

    /// Calls that have no line, because none could be written.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.0.lost.load(Ordering::Relaxed)
    }

    /// Whether no line can be written now.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.0.failing.load(Ordering::Relaxed)
    }
}

impl Drop for AuditLog {
    fn drop(&mut self) {
        self.shared.queue().is_closed = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
        let lead = self.shared.lead(&mut self.shared.queue());
        drop(lead);
        self.shared.write_head();
    }
}

impl std::fmt::Debug for AuditLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuditLog").finish_non_exhaustive()
    }
}

/// What a caller reads whose call could not be recorded.
#[cold]
pub(crate) fn not_recorded(is_made: bool) -> ToolError {
    let message = match is_made {
        true => {
            "The call was made, but it could not be recorded, so its result is withheld. Do not repeat it; tell \
             the user."
        }
        false => {
            "Calls are recorded here, and this one could not be, so nothing was done. Tell the user."
        }
    };
    ToolError::with_code(NOT_RECORDED, message).with_detail("call_made", is_made)
}
