use std::io::Read;

use indicatif::{ProgressBar, ProgressStyle};

/// The progress of all streams, in one bar, because two would overwrite each other. It is drawn on
/// standard error, and only if that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    names: Vec<String>,
    length: Option<u64>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self {
            bar: ProgressBar::no_length(),
            names: Vec::new(),
            length: Some(0),
        }
    }

    /// Counts what is read from a stream. The length of a pipe is unknown.
    pub(crate) fn add(
        &mut self,
        input: Box<dyn Read + Send>,
        name: &str,
        length: Option<u64>,
    ) -> impl Read + Send + use<> {
        self.names.push(name.to_owned());
        self.length = self.length.zip(length).map(|(all, one)| all + one);
        self.bar.set_message(self.names.join(" and "));
        self.bar.wrap_read(input)
    }

    pub(crate) fn begin(&self) {
        let template = match self.length {
            Some(length) => {
                self.bar.set_length(length);
                "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} to go"
            }
            None => "{spinner} {msg} {bytes} in {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }

    /// Writes something while the bar is hidden.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
