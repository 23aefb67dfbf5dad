//! The blocks of a page: files, whose name is the `title` of the block, and what a terminal shows.

/// What a reader of a page does, in order.
pub(super) struct Page<'a>(Vec<Step<'a>>);

/// One thing that a reader does.
pub(super) enum Step<'a> {
    /// Writes a file.
    File { name: &'a str, content: String },
    /// Types a command, and sees its output.
    Command {
        line: &'a str,
        status: i32,
        output: Vec<&'a str>,
    },
}

impl<'a> Page<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let mut steps = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(info) = line.strip_prefix("```") else {
                continue;
            };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if info == "console" {
                steps.extend(commands(&block));
            } else if let Some((_, name)) = info.split_once("title=") {
                steps.push(Step::File {
                    name,
                    content: block.join("\n") + "\n",
                });
            }
        }
        assert!(!steps.is_empty());
        Self(steps)
    }

    pub(super) fn steps(&self) -> &[Step<'a>] {
        &self.0
    }
}

/// The commands of a block. A line `? 1` after one is its exit status.
fn commands<'a>(block: &[&'a str]) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for shown in block {
        if let Some(line) = shown.strip_prefix("$ ") {
            steps.push(Step::Command {
                line,
                status: 0,
                output: Vec::new(),
            });
            continue;
        }
        assert!(!steps.is_empty(), "expected a command before {shown}");
        let Some(Step::Command { status, output, .. }) = steps.last_mut() else {
            continue;
        };
        match shown.strip_prefix("? ") {
            Some(number) if output.is_empty() => *status = number.parse().unwrap(),
            _ => output.push(*shown),
        }
    }
    for step in &mut steps {
        if let Step::Command { output, .. } = step {
            while output.last().is_some_and(|line| line.is_empty()) {
                output.pop();
            }
        }
    }
    steps
}
