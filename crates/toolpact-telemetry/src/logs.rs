//! Lines of the log.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::InstrumentationScope;
use opentelemetry_proto::tonic::collector::logs::v1::{
    ExportLogsServiceRequest, ExportLogsServiceResponse,
};
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::logs::tonic::group_logs_by_resource_and_scope;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::logs::{LogBatch, LogProcessor, SdkLogRecord};
use prost::Message as _;

use crate::batcher::Encode;
use crate::queue::Queue;
use crate::signal::Signal;

/// A line, and who wrote it.
pub(crate) type Line = Box<(SdkLogRecord, InstrumentationScope)>;

/// Puts lines into the queue.
#[derive(Debug)]
pub(crate) struct LineQueue(pub(crate) Arc<Queue<Line>>);

impl LogProcessor for LineQueue {
    fn emit(&self, record: &mut SdkLogRecord, scope: &InstrumentationScope) {
        self.0.push(Box::new((record.clone(), scope.clone())));
    }

    // The queue is emptied by who made it.
    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Writes lines.
pub(crate) struct Lines(pub(crate) ResourceAttributesWithSchema);

impl Encode for Lines {
    type Item = Line;

    const SIGNAL: Signal = Signal::Logs;

    fn encode(&self, batch: Vec<Line>) -> Vec<u8> {
        let lines: Vec<_> = batch.iter().map(|line| (&line.0, &line.1)).collect();
        let resource_logs = group_logs_by_resource_and_scope(&LogBatch::new(&lines), &self.0);
        ExportLogsServiceRequest { resource_logs }.encode_to_vec()
    }

    fn rejected(&self, answer: &[u8]) -> u64 {
        let answer = ExportLogsServiceResponse::decode(answer).ok();
        let rejected = answer.and_then(|answer| Some(answer.partial_success?.rejected_log_records));
        rejected
            .and_then(|rejected| u64::try_from(rejected).ok())
            .unwrap_or(0)
    }

    /// None: the log is on standard error already.
    fn lines(&self, _: Vec<Line>) -> Vec<String> {
        Vec::new()
    }
}
