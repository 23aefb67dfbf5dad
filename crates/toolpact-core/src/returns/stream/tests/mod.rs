mod message;
mod sse;
mod sse_table;
