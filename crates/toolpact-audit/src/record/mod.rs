//! Records: audits with everything in them, so that calls can be made again, or answered without their tools.

mod answers;
mod compare;
mod playback;
mod read;
mod recorder;
mod verdict;

pub use compare::{Compared, Comparison, Difference};
pub use playback::{Match, Playback};
pub use read::{Problem, Record, RecordedCall, RecordedTool};
pub use recorder::Recorder;
pub use verdict::{Answered, ContractChange, Judged, Verdict, answer_of, error_of, judge};
