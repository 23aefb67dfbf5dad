//! One client that sends a message a line: one task reads, answers and writes.
//!
//! Everything that is ready is read before anything is written, and answers that are ready together are
//! written together. No task and no channel is made for a call.

mod lines;
mod queue;

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use super::caller::Described;
use super::client::Client;
use super::dispatch::{self, Answer, Origin, PendingAnswer};
use super::passthrough::notification;
use super::trace::Transport;
use crate::passthrough::Change;
use crate::rpc::{Id, Kind, Message, Method, Response, RpcError};
use lines::{Line, Lines};
use queue::Queue;

/// How many bytes may wait to be written before no more is read: a client that does not read is not
/// listened to either.
const BACKLOG: usize = 1 << 20;

/// How many bytes of answers may wait before running calls are not asked for theirs.
const ANSWERS: usize = 64 << 20;

/// How long nothing is read when requests take all the memory that is set aside for them. Then requests
/// are refused, because those that run may wait for an answer or a cancellation behind them.
const PAUSE: Duration = Duration::from_secs(1);

/// Most requests that run at once.
const AT_ONCE: usize = 4096;

/// How long running calls may take to end after the client has closed its side.
const LINGER: Duration = Duration::from_secs(1);

/// Serves a client until it closes its side.
pub(super) async fn serve<R, W>(client: Arc<Client>, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut changes = client.shared.registry.changes();
    changes.mark_unchanged();
    let upstream_changes = client.shared.passthrough.changes();
    let mut connection = Connection {
        lines: Lines::new(input, client.shared.line_bytes),
        client,
        output,
        written: Vec::new(),
        start: 0,
        is_flushed: true,
        pause: None,
        queue: Arc::new(Queue::default()),
        calls: FuturesUnordered::new(),
        pages: FuturesUnordered::new(),
        subscriptions: FuturesUnordered::new(),
        changes: None,
        waiting_changes: changes,
        upstream_changes,
    };
    let ended = connection.run().await;
    match ended {
        Ok(()) => connection.finish().await,
        Err(error) => {
            tracing::debug!(target: "toolpact::mcp", %error, "the client is gone");
            Ok(())
        }
    }
}

struct Connection<R, W> {
    client: Arc<Client>,
    lines: Lines<R>,
    output: W,
    /// What is to be written, from `start` on.
    written: Vec<u8>,
    start: usize,
    is_flushed: bool,
    /// Until when nothing is read, since requests take too much memory.
    pause: Option<Instant>,
    /// Messages of tools.
    queue: Arc<Queue>,
    calls: FuturesUnordered<PendingAnswer>,
    /// Pages of lists, which are as long as an answer of a call and cost their client nothing to ask for.
    pages: FuturesUnordered<PendingAnswer>,
    subscriptions: FuturesUnordered<PendingAnswer>,
    /// Changes of the tools, once the session is initialized.
    changes: Option<watch::Receiver<u64>>,
    waiting_changes: watch::Receiver<u64>,
    /// Changes of what is passed through.
    upstream_changes: broadcast::Receiver<Change>,
}

impl<R, W> Connection<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    /// Until the end of the input.
    async fn run(&mut self) -> io::Result<()> {
        loop {
            self.collect();
            self.read();
            let may_read = self.may_read();
            let may_answer = self.may_answer();
            let pause = self.pause.filter(|_| !may_read);
            tokio::select! {
                biased;
                written = write(&mut self.output, &self.written[self.start..]),
                    if self.backlog() > 0 || !self.is_flushed => self.advance(written?),
                more = self.lines.fill(), if may_read => if !more? && self.lines.is_empty() {
                    return Ok(());
                },
                answer = self.calls.next(), if may_answer => self.answer(answer.flatten()),
                page = self.pages.next(), if self.may_write_pages() => self.answer(page.flatten()),
                () = resumed(pause), if pause.is_some() => {}
                _ = self.subscriptions.next(), if !self.subscriptions.is_empty() => {}
                () = self.queue.filled() => {}
                () = changed(&mut self.changes) => {
                    self.put(&dispatch::list_changed(None));
                    if self.client.shared.registry.wants_renewal() {
                        self.client.renew();
                    }
                }
                // A client that is too far behind is told the next ones.
                Ok(change) = self.upstream_changes.recv() => {
                    if self.changes.is_some() && self.client.subscriptions.wants(&change) {
                        self.put(&notification(&change, None));
                    }
                }
            }
        }
    }

    /// Waits for running calls, and writes what is left.
    async fn finish(&mut self) -> io::Result<()> {
        let rest = async {
            loop {
                self.collect();
                let is_written = self.backlog() == 0 && self.is_flushed;
                if is_written && self.calls.is_empty() && self.pages.is_empty() {
                    return Ok(());
                }
                tokio::select! {
                    biased;
                    written = write(&mut self.output, &self.written[self.start..]),
                        if !is_written => self.advance(written?),
                    answer = self.calls.next(), if self.may_answer() => self.answer(answer.flatten()),
                    page = self.pages.next(), if self.may_write_pages() => self.answer(page.flatten()),
                }
            }
        };
        let _: Result<io::Result<()>, _> = tokio::time::timeout(LINGER, rest).await;
        Ok(())
    }

    /// Everything that is ready to be written.
    fn collect(&mut self) {
        while self.backlog() < BACKLOG
            && let Some(Some(answer)) = self.calls.next().now_or_never()
        {
            self.answer(answer);
        }
        self.drain();
    }

    fn may_answer(&self) -> bool {
        !self.calls.is_empty() && self.backlog() < ANSWERS
    }

    fn may_write_pages(&self) -> bool {
        !self.pages.is_empty() && self.backlog() < BACKLOG
    }

    fn may_read(&mut self) -> bool {
        self.pause = match self.client.shared.budget.is_spent() {
            true => self.pause.or_else(|| Some(Instant::now() + PAUSE)),
            false => None,
        };
        self.backlog() < BACKLOG && self.pause.is_none_or(|pause| pause <= Instant::now())
    }

    /// Writes the messages of tools. They come before the answers of their calls.
    fn drain(&mut self) {
        while let Some(message) = self.queue.pop(self.backlog()) {
            self.put(&message);
        }
    }

    /// There is no answer to a request that was cancelled.
    fn answer(&mut self, answer: Option<Response>) {
        self.drain();
        if let Some(response) = answer {
            self.put(&response.json);
        }
    }

    fn put(&mut self, message: &[u8]) {
        let from = self.written.len();
        self.written.extend_from_slice(message);
        // A line break between values would end the message.
        for byte in &mut self.written[from..] {
            if matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        self.written.push(b'\n');
        self.is_flushed = false;
    }

    fn backlog(&self) -> usize {
        self.written.len() - self.start
    }

    fn advance(&mut self, bytes: usize) {
        self.start += bytes;
        if self.backlog() == 0 {
            self.is_flushed = bytes == 0;
            self.written.clear();
            self.written.shrink_to(BACKLOG);
            self.start = 0;
        } else if self.start >= BACKLOG.max(self.backlog()) {
            // A client that is always behind does not make this grow for ever.
            self.written.drain(..self.start);
            self.start = 0;
        }
    }

    /// Answers the messages that have been received as a whole.
    fn read(&mut self) {
        while !self.lines.is_empty()
            && self.may_read()
            && let Some(line) = self.lines.next()
        {
            let message = match line {
                Line::Message(line) => Message::read(line),
                Line::TooLong(most) => {
                    let text = format!("expected a message of at most {most} bytes");
                    Err((None, RpcError::invalid_request(text)))
                }
            };
            match message {
                Ok(message) => self.handle(&message),
                Err((id, error)) => self.put(&Response::error(id.as_ref(), &error).json),
            }
        }
    }

    fn handle(&mut self, message: &Message) {
        match &message.kind {
            Kind::Request { id, method } => self.request(id, method, message),
            Kind::Notification(Method::Initialized) => {
                if self.client.negotiated().is_some() && self.changes.is_none() {
                    self.changes = Some(self.waiting_changes.clone());
                }
            }
            Kind::Notification(method) => dispatch::notification(&self.client, method, message),
            Kind::Response(Some(id)) => self.client.questions.answer(id, message),
            Kind::Response(None) => {}
        }
    }

    fn request(&mut self, id: &Id, method: &Method, message: &Message) {
        if *method == Method::Initialize {
            let response = dispatch::initialize(&self.client, id, message, Transport::pipe());
            return self.put(&response.json);
        }
        if self.calls.len() + self.pages.len() + self.subscriptions.len() >= AT_ONCE {
            let text = format!("expected at most {AT_ONCE} requests at once; wait for answers");
            return self.put(&Response::error(Some(id), &RpcError::overloaded(text)).json);
        }
        let origin = Origin {
            client: Some(Arc::clone(&self.client)),
            principal: self.client.principal().clone(),
            view: None,
            outbox: Arc::clone(&self.queue) as Arc<dyn super::Outbox>,
            transport: Transport::pipe(),
            cancel: self.client.gone().child_token(),
            refused: None,
        };
        let shared = Arc::clone(&self.client.shared);
        let described = Described::of(message);
        match dispatch::request(&shared, id.clone(), method, message, &described, origin) {
            Answer::Ready(response) => self.put(&response.json),
            // Most calls of tools that run inline are done at once.
            Answer::Pending(mut answer) => match (&mut answer).now_or_never() {
                Some(answer) => self.answer(answer),
                None => self.calls.push(answer),
            },
            Answer::Page(page) => self.pages.push(page),
            Answer::Subscription(subscription) => self.subscriptions.push(subscription),
        }
    }
}

async fn resumed(pause: Option<Instant>) {
    tokio::time::sleep_until(pause.unwrap_or_else(Instant::now)).await;
}

async fn changed(changes: &mut Option<watch::Receiver<u64>>) {
    let is_over = match changes {
        Some(changes) => changes.changed().await.is_err(),
        None => true,
    };
    if is_over {
        std::future::pending::<()>().await;
    }
}

/// Writes a part of the bytes, and flushes when there are none.
async fn write<W: AsyncWrite + Unpin>(output: &mut W, bytes: &[u8]) -> io::Result<usize> {
    std::future::poll_fn(|context| poll_write(Pin::new(output), context, bytes)).await
}

fn poll_write<W: AsyncWrite>(
    output: Pin<&mut W>,
    context: &mut Context<'_>,
    bytes: &[u8],
) -> Poll<io::Result<usize>> {
    if bytes.is_empty() {
        ready!(output.poll_flush(context))?;
        return Poll::Ready(Ok(0));
    }
    match ready!(output.poll_write(context, bytes))? {
        0 => Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
        count => Poll::Ready(Ok(count)),
    }
}
