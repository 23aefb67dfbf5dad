//! Standard input and output of the process, without a thread in between where the system allows it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, Stdin, Stdout};

/// Standard input and output, for [`Server::serve`](crate::Server::serve).
///
/// Tokio reads standard input on a thread of its own, because it may be a file or a terminal. Clients
/// start servers with pipes or sockets, which need no thread; they are set to be non-blocking, so the
/// process should not write to standard output by other means.
///
/// Call this in a Tokio runtime.
#[must_use]
pub fn stdio() -> (Input, Output) {
    #[cfg(unix)]
    {
        let input = direct::open(&io::stdin(), direct::Pipe::reader);
        let output = direct::open(&io::stdout(), direct::Pipe::writer);
        (
            input.map_or_else(|| Input(Source::Tokio(tokio::io::stdin())), Input::direct),
            output.map_or_else(
                || Output(Target::Tokio(tokio::io::stdout())),
                Output::direct,
            ),
        )
    }
    #[cfg(not(unix))]
    (
        Input(Source::Tokio(tokio::io::stdin())),
        Output(Target::Tokio(tokio::io::stdout())),
    )
}

/// Standard input.
#[derive(Debug)]
pub struct Input(Source);

/// Standard output.
#[derive(Debug)]
pub struct Output(Target);

#[derive(Debug)]
enum Source {
    Tokio(Stdin),
    #[cfg(unix)]
    Direct(direct::Pipe),
}

#[derive(Debug)]
enum Target {
    Tokio(Stdout),
    #[cfg(unix)]
    Direct(direct::Pipe),
}

#[cfg(unix)]
impl Input {
    fn direct(pipe: direct::Pipe) -> Self {
        Self(Source::Direct(pipe))
    }
}

#[cfg(unix)]
impl Output {
    fn direct(pipe: direct::Pipe) -> Self {
        Self(Target::Direct(pipe))
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Source::Tokio(stdin) => Pin::new(stdin).poll_read(context, into),
            #[cfg(unix)]
            Source::Direct(pipe) => pipe.poll_read(context, into),
        }
    }
}

impl AsyncWrite for Output {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.0 {
            Target::Tokio(stdout) => Pin::new(stdout).poll_write(context, bytes),
            #[cfg(unix)]
            Target::Direct(pipe) => pipe.poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Target::Tokio(stdout) => Pin::new(stdout).poll_flush(context),
            #[cfg(unix)]
            Target::Direct(_) => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Target::Tokio(stdout) => Pin::new(stdout).poll_shutdown(context),
            #[cfg(unix)]
            Target::Direct(_) => Poll::Ready(Ok(())),
        }
    }
}

#[cfg(unix)]
mod direct {
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::fs::FileTypeExt as _;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use tokio::io::{AsyncRead as _, AsyncWrite as _, ReadBuf};
    use tokio::net::UnixStream;
    use tokio::net::unix::pipe::{Receiver, Sender};

    #[derive(Debug)]
    pub(super) enum Pipe {
        Reader(Receiver),
        Writer(Sender),
        /// As Node starts its children.
        Socket(UnixStream),
    }

    /// The standard stream itself, if it is a pipe or a socket.
    pub(super) fn open(stream: &impl AsFd, pipe: fn(OwnedFd) -> io::Result<Pipe>) -> Option<Pipe> {
        let own = || stream.as_fd().try_clone_to_owned();
        let kind = File::from(own().ok()?).metadata().ok()?.file_type();
        if kind.is_fifo() {
            return pipe(own().ok()?).ok();
        }
        if !kind.is_socket() {
            return None;
        }
        let socket = std::os::unix::net::UnixStream::from(own().ok()?);
        socket.set_nonblocking(true).ok()?;
        UnixStream::from_std(socket).ok().map(Pipe::Socket)
    }

    impl Pipe {
        pub(super) fn reader(fd: OwnedFd) -> io::Result<Self> {
            Receiver::from_owned_fd(fd).map(Self::Reader)
        }

        pub(super) fn writer(fd: OwnedFd) -> io::Result<Self> {
            Sender::from_owned_fd(fd).map(Self::Writer)
        }

        pub(super) fn poll_read(
            &mut self,
            context: &mut Context<'_>,
            into: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            match self {
                Self::Reader(pipe) => Pin::new(pipe).poll_read(context, into),
                Self::Socket(socket) => Pin::new(socket).poll_read(context, into),
                Self::Writer(_) => Poll::Ready(Err(io::ErrorKind::Unsupported.into())),
            }
        }

        pub(super) fn poll_write(
            &mut self,
            context: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            match self {
                Self::Writer(pipe) => Pin::new(pipe).poll_write(context, bytes),
                Self::Socket(socket) => Pin::new(socket).poll_write(context, bytes),
                Self::Reader(_) => Poll::Ready(Err(io::ErrorKind::Unsupported.into())),
            }
        }
    }
}
