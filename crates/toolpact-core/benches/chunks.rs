//! A gigabyte through ChunkedData and back within 64 MB of memory, beside plain base64.
//!
//! `cargo bench -p toolpact-core --bench chunks`

#![expect(clippy::print_stdout, reason = "printing figures is what it is for")]

use std::error::Error;
use std::hint::black_box;
use std::io::{self, Read};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};
use toolpact_core::json::Value;
use toolpact_core::returns::stream::{Assembler, Chunk, Splitter};

const CHUNK: usize = 256 << 10;
const MOST_MEMORY: u64 = 64 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    // Without `--bench` it is only to be seen that it works: that is how tests run it.
    let measured = std::env::args().any(|arg| arg == "--bench");
    let length: u64 = if measured { 1 << 30 } else { 16 << 20 };

    let times = run(length)?;
    println!("{} MiB in chunks of {} KiB", length >> 20, CHUNK >> 10);
    print_rate("split, write, read, assemble", length, times.chunked);
    print_rate("base64 there and back", length, times.plain);
    print_rate("SHA-256, once of three times", length, times.sha256);
    let ratio = times.chunked.as_secs_f64() / times.plain.as_secs_f64();
    println!("time, relative to plain base64: {ratio:.2}");
    check_memory()
}

#[derive(Default)]
struct Times {
    chunked: Duration,
    plain: Duration,
    sha256: Duration,
}

/// All of them chunk by chunk in turn, so that whatever else the machine does slows all alike.
fn run(length: u64) -> Result<Times, Box<dyn Error>> {
    let mut times = Times::default();
    let mut chunks = Splitter::new(random(length), length, "bench", CHUNK)?;
    let mut assembler = Assembler::new(io::sink()).transfer("bench");
    let mut source = random(length);
    let mut sha256 = Sha256::new();
    while !assembler.is_complete() {
        times.chunked += timed(|| transfer(&mut chunks, &mut assembler))?.1;
        let (block, time) = timed(|| plain(&mut source))?;
        times.plain += time;
        times.sha256 += timed(|| {
            sha256.update(&block);
            Ok(())
        })?
        .1;
    }
    let payload = assembler.finish()?;
    let expected: [u8; 32] = sha256.finalize().into();
    match (payload.bytes, payload.sha256) == (length, expected) {
        true => Ok(times),
        false => Err("expected the payload that was sent, found another".into()),
    }
}

/// A chunk of the source to JSON text, and back.
fn transfer(
    chunks: &mut Splitter<impl Read>,
    assembler: &mut Assembler<io::Sink>,
) -> Result<(), Box<dyn Error>> {
    let chunk = chunks.next().ok_or("no more chunks")??;
    let message = chunk.to_json();
    drop(chunk);
    let chunk = Chunk::from_value(&Value::from_json(black_box(message))?)?;
    Ok(assembler.add(chunk)?)
}

/// The least that could be done with the same bytes.
fn plain(source: &mut impl Read) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut block = Vec::with_capacity(CHUNK);
    source.take(CHUNK as u64).read_to_end(&mut block)?;
    let text = BASE64.encode(&block);
    Ok(BASE64.decode(black_box(text)).map_err(|e| e.to_string())?)
}

fn check_memory() -> Result<(), Box<dyn Error>> {
    // Only Linux says.
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        println!("peak memory: unknown");
        return Ok(());
    };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    let peak = kilobytes.unwrap_or_default().parse::<u64>()? << 10;
    println!("peak memory (VmHWM): {:.1} MiB", mebibytes(peak));
    match peak > MOST_MEMORY {
        true => Err("expected a peak of at most 64 MiB of memory, found more".into()),
        false => Ok(()),
    }
}

fn timed<T>(
    run: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Result<(T, Duration), Box<dyn Error>> {
    let start = Instant::now();
    let value = run()?;
    Ok((value, start.elapsed()))
}

fn print_rate(what: &str, length: u64, time: Duration) {
    let rate = mebibytes(length) / time.as_secs_f64();
    println!("{what:<30} {rate:>8.0} MiB/s");
}

#[expect(clippy::cast_precision_loss, reason = "for figures that people read")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The same bytes each time, and none that repeat.
fn random(length: u64) -> io::Take<Random> {
    Random(0x9E37_79B9_7F4A_7C15).take(length)
}

/// xorshift64.
struct Random(u64);

impl Read for Random {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for piece in buffer.chunks_mut(8) {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            piece.copy_from_slice(&self.0.to_le_bytes()[..piece.len()]);
        }
        Ok(buffer.len())
    }
}
