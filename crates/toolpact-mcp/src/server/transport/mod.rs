//! Messages, one a line.

pub(crate) mod message;

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

/// A client that sends a message a line. What is no message is answered with an error, so that who
/// sent it learns what was wrong; the library would pass over most of it.
pub(crate) struct Lines<R, W> {
    input: BufReader<R>,
    /// What there is of the current line. It stays here when a read is dropped halfway.
    line: Vec<u8>,
    /// Whether the rest of the line is passed over.
    too_long: bool,
    most: usize,
    output: Arc<Mutex<W>>,
    /// An answer that is being written. It is here so that it is written to its end even if a read is
    /// dropped halfway.
    answering: Option<Answering>,
}

type Answering = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(input: R, output: W, most: usize) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            too_long: false,
            most,
            output: Arc::new(Mutex::new(output)),
            answering: None,
        }
    }

    /// Reads to the end of a line; `false` at the end of the input.
    async fn fill(&mut self) -> io::Result<bool> {
        loop {
            let ready = self.input.fill_buf().await?;
            if ready.is_empty() {
                return Ok(false);
            }
            let end = ready.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(ready.len(), |end| end + 1);
            self.too_long |= self.line.len() + taken > self.most.saturating_add(1);
            match self.too_long {
                true => self.line.clear(),
                false => self.line.extend_from_slice(&ready[..taken]),
            }
            self.input.consume(taken);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// The message of the line that was just read. `None` for a line with nothing in it.
    fn take(&mut self) -> Option<Result<ClientJsonRpcMessage, Refused>> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            let message = format!("expected a message of at most {} bytes", self.most);
            return Some(Err((None, ErrorData::invalid_request(message, None))));
        }
        let line = line.trim_ascii();
        (!line.is_empty()).then(|| message::read(line))
    }

    fn answer(&mut self, (id, error): Refused) {
        let message = ServerJsonRpcMessage::error(error, id);
        let output = Arc::clone(&self.output);
        self.answering = Some(Box::pin(async move { write(&output, &message).await }));
    }

    /// Until everything that is to be written is on its way: a client that does not read is not
    /// listened to either, or what it is to be told would pile up.
    async fn written(&mut self) -> io::Result<()> {
        if let Some(answering) = &mut self.answering {
            let answered = answering.await;
            self.answering = None;
            answered?;
        }
        drop(self.output.lock().await);
        Ok(())
    }
}

/// Whose request was refused, and why.
pub(crate) type Refused = (Option<RequestId>, ErrorData);

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write(&output, &item).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.written().await.ok()?;
            match self.fill().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::warn!(target: "toolpact::mcp", %error, "the client cannot be read");
                    return None;
                }
            }
            match self.take() {
                None => {}
                Some(Ok(message)) => return Some(message),
                Some(Err(refused)) => self.answer(refused),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}

async fn write<W>(output: &Mutex<W>, message: &TxJsonRpcMessage<RoleServer>) -> io::Result<()>
where
    W: AsyncWrite + Unpin,
{
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}
