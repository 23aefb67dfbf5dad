mod assemble;
mod chunk;
mod chunk_table;
mod message;
mod sse;
mod sse_table;
