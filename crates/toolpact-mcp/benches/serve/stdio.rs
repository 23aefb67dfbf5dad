//! Calls over pipes, several of which may be under way.

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::load::{Turn, is_right};
use crate::measure::{Figures, Pipes, Process};
use crate::servers::Kind;
use crate::tool::ARGUMENTS;
use crate::{Result, WARM_UP};

/// All servers take turns.
pub(crate) fn compare(in_flight: usize, rounds: usize, turn: Duration) -> Result<()> {
    let mut sides = Vec::new();
    for kind in Kind::ALL {
        let (process, pipes) = Process::start_with_pipes(kind)?;
        let mut client = Client::begin(pipes, !matches!(kind, Kind::Echo))?;
        client.warm_up(WARM_UP)?;
        sides.push((process, client, Figures::default()));
    }
    for round in 0..rounds {
        for place in 0..sides.len() {
            let place = (round + place) % Kind::ALL.len();
            let (process, client, figures) = &mut sides[place];
            let before = process.used();
            let turn = client.turn(in_flight, turn)?;
            figures.add(turn, process.used().since(before));
        }
    }
    let title = format!("MCP 2025-11-25 over pipes: {in_flight} calls under way");
    let figures = sides.iter().map(|(_, _, figures)| figures);
    let all: Vec<_> = Kind::ALL.into_iter().zip(figures).collect();
    Figures::print(title, &all);
    Ok(())
}

pub(crate) struct Client {
    pipes: Pipes,
    sent: u32,
    buffer: Vec<u8>,
    line: Vec<u8>,
}

impl Client {
    pub(crate) fn begin(pipes: Pipes, initializes: bool) -> Result<Self> {
        let buffer = vec![0; 1 << 16];
        let mut client = Self {
            pipes,
            sent: 0,
            buffer,
            line: Vec::new(),
        };
        if initializes {
            let about = json!({"name": "bench", "version": "1"});
            let params =
                json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
            client.line =
                json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
                    .to_string()
                    .into_bytes();
            client.line.push(b'\n');
            client.pipes.input.write_all(&client.line)?;
            while client.read()? == 0 {}
            let said = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            writeln!(client.pipes.input, "{said}")?;
        }
        Ok(client)
    }

    /// Calls whose answers are read and compared with what the tool was told.
    pub(crate) fn warm_up(&mut self, calls: usize) -> Result<()> {
        let expected: Json = serde_json::from_str(ARGUMENTS)?;
        for _ in 0..calls {
            self.send(1)?;
            let mut answer = Vec::new();
            while !answer.ends_with(b"\n") {
                let count = self.pipes.output.read(&mut self.buffer)?;
                answer.extend_from_slice(&self.buffer[..count]);
            }
            let answer: Json = serde_json::from_slice(&answer)?;
            if !is_right(&answer, self.sent, &expected) {
                return Err(format!("expected {expected}, got {answer}").into());
            }
        }
        Ok(())
    }

    /// Keeps so many calls under way for some time. Each answer lets another call be sent.
    fn turn(&mut self, in_flight: usize, time: Duration) -> Result<Turn> {
        let start = Instant::now();
        let mut done = 0;
        self.send(in_flight)?;
        let mut open = in_flight;
        while open > 0 {
            let answered = self.read()?;
            done += answered;
            open -= answered;
            if start.elapsed() < time && answered > 0 {
                self.send(answered)?;
                open += answered;
            }
        }
        let took = start.elapsed();
        let each = took * u32::try_from(in_flight)? / u32::try_from(done)?;
        Ok(Turn {
            took,
            calls: vec![each; done],
        })
    }

    fn send(&mut self, calls: usize) -> Result<()> {
        self.line.clear();
        for _ in 0..calls {
            self.sent += 1;
            writeln!(
                self.line,
                r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"echo","arguments":{ARGUMENTS}}}}}"#,
                1_000_000 + self.sent
            )?;
        }
        self.pipes.input.write_all(&self.line)?;
        Ok(())
    }

    /// How many answers ended in what was read.
    fn read(&mut self) -> Result<usize> {
        let count = self.pipes.output.read(&mut self.buffer)?;
        if count == 0 {
            return Err("the server hung up".into());
        }
        let bytes = &self.buffer[..count];
        Ok(memchr::memchr_iter(b'\n', bytes).count())
    }
}
