//! Time and memory of reading and checking large documents, as a table.
//!
//! `cargo run --release -p toolpact-core --example measure` measures all cases;
//! `… -- <case> <size>` measures one of them in this process. Each is measured at a quarter, a
//! half and the whole of its size: what is linear takes twice the time for twice the size.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::fmt::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Format, Limits};
use toolpact_core::model::ToolDocument;

/// Makes an input of about the given size.
type Make = fn(usize) -> Input;

struct Input {
    text: String,
    /// For a call, the tool that it is a call of.
    tool: Option<String>,
    format: Format,
}

/// Name, what the size counts, the whole size, and how it is made.
const CASES: &[(&str, &str, usize, Make)] = &[
    ("tool-of-100-mb", "functions", 400_000, tool_of_many),
    (
        "array-of-small-numbers",
        "elements",
        50_000_000,
        small_numbers,
    ),
    ("deep-schema", "levels", 100_000, deep_schema),
    ("deep-call", "levels", 100_000, deep_call),
    ("wide-schema", "properties", 100_000, wide_schema),
    ("wide-call", "arguments", 100_000, wide_call),
    ("unknown-arguments", "arguments", 100_000, unknown_arguments),
    ("missing-arguments", "arguments", 100_000, missing_arguments),
    ("long-string", "bytes", 10_000_000, long_string),
    ("duplicate-keys", "keys", 100_000, duplicate_keys),
    ("wrong-everywhere", "levels", 100_000, wrong_everywhere),
    ("yaml-tool", "functions", 40_000, yaml_tool),
    ("yaml-keys", "keys", 100_000, yaml_keys),
    ("yaml-nested", "levels", 100_000, yaml_nested),
    ("yaml-aliases", "aliases", 100_000, yaml_aliases),
    ("yaml-long-scalar", "bytes", 10_000_000, yaml_long_scalar),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [name, size] => {
            let size = size.parse().expect("a size");
            let case = CASES.iter().find(|case| case.0 == name).expect("a case");
            println!("{}", measure(case.3(size)));
        }
        _ => table(),
    }
}

fn table() {
    println!(
        "| case | size | input | time | CPU time | memory beside the input | memory / input | outcome |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---|");
    let program = std::env::current_exe().expect("this program");
    for (name, unit, whole, _) in CASES {
        for size in [whole / 4, whole / 2, *whole] {
            let run = Command::new(&program)
                .args([name, size.to_string().as_str()])
                // Large blocks go back to the system at once. Otherwise what was freed while the
                // input was made is used again, and reading seems to need less than it does.
                .env("MALLOC_MMAP_THRESHOLD_", "65536")
                .output();
            let run = run.expect("the program runs again");
            let row = String::from_utf8_lossy(&run.stdout);
            let row = match run.status.success() {
                true => row.trim_end(),
                false => "failed | | | | |",
            };
            println!("| {name} | {size} {unit} | {row} |");
        }
    }
}

fn measure(input: Input) -> String {
    let limits = Limits::default().depth(usize::MAX);
    let tool = input
        .tool
        .map(|text| ToolDocument::from_json_within(text, &limits).expect("a tool"));
    let bytes = input.text.len();
    // The peak so far was building the input and the tool; from here on it is reading the input.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS:");
    let (start, cpu) = (Instant::now(), cpu_time());
    let document = Document::parse(input.text.as_bytes(), input.format, &limits);
    let (call, model);
    let violations = match &tool {
        Some(tool) => {
            call = tool.check_call_document(&document);
            &call.violations
        }
        None => {
            model = AnyDocument::check(&document, Some(DocumentKind::Tool));
            &model.violations
        }
    };
    let (time, cpu) = (start.elapsed(), cpu_time().saturating_sub(cpu));
    let grown = memory("VmHWM:").saturating_sub(before);
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
    let multiple = grown as f64 / bytes as f64;
    let outcome = match violations.errors() {
        0 => "valid".to_owned(),
        errors => format!(
            "{errors} errors, {} shown in {} bytes",
            violations.len(),
            violations.to_string().len()
        ),
    };
    format!(
        "{} kB | {} ms | {} ms | {} kB | {multiple:.1} | {outcome}",
        bytes / 1_000,
        time.as_millis(),
        cpu.as_millis(),
        grown / 1_000,
    )
}

/// The time this process has had a processor: on a busy machine, what the work really takes.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in parentheses: user and system time are the 12th and 13th, in 1/100 s.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    Duration::from_millis(ticks.filter_map(|t| t.parse::<u64>().ok()).sum::<u64>() * 10)
}

/// A line of what the kernel says about this process, in bytes.
fn memory(line: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|text| text.strip_prefix(line));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<usize>().ok());
    kilobytes.unwrap_or(0) * 1_024
}

fn json(text: String) -> Input {
    Input {
        text,
        tool: None,
        format: Format::Json,
    }
}

fn yaml(text: String) -> Input {
    Input {
        text,
        tool: None,
        format: Format::Yaml,
    }
}

fn call(parameters: &str, args: &str) -> Input {
    Input {
        text: format!(r#"{{"name":"f","args":{args}}}"#),
        tool: Some(tool(parameters)),
        format: Format::Json,
    }
}

fn tool(parameters: &str) -> String {
    format!(
        r#"{{"function_declarations":[{{"name":"f","description":"Does it.","parameters":{parameters}}}]}}"#
    )
}

fn repeat(count: usize, mut one: impl FnMut(&mut String, usize)) -> String {
    let mut out = String::new();
    for i in 0..count {
        if i > 0 {
            out.push(',');
        }
        one(&mut out, i);
    }
    out
}

fn tool_of_many(size: usize) -> Input {
    let functions = repeat(size, |out, i| {
        let _ = write!(
            out,
            r#"{{"name":"function_{i}","description":"Looks up one of many things, the one with the given id.","parameters":{{"type":"OBJECT","properties":{{"id":{{"type":"STRING","description":"Which one"}},"limit":{{"type":"INTEGER"}}}},"required":["id"]}}}}"#
        );
    });
    json(format!(r#"{{"function_declarations":[{functions}]}}"#))
}

fn small_numbers(size: usize) -> Input {
    let parameters =
        r#"{"type":"OBJECT","properties":{"v":{"type":"ARRAY","items":{"type":"INTEGER"}}}}"#;
    call(
        parameters,
        &format!(r#"{{"v":[{}]}}"#, repeat(size, |out, _| out.push('7'))),
    )
}

fn deep_schema(size: usize) -> Input {
    let (open, close) = (r#"{"type":"ARRAY","items":"#.repeat(size), "}".repeat(size));
    json(tool(&format!(r#"{open}{{"type":"STRING"}}{close}"#)))
}

fn deep_call(size: usize) -> Input {
    let (open, close) = (r#"{"type":"ARRAY","items":"#.repeat(size), "}".repeat(size));
    let items = format!(r#"{open}{{"type":"STRING"}}{close}"#);
    let parameters = format!(r#"{{"type":"OBJECT","properties":{{"v":{items}}}}}"#);
    call(
        &parameters,
        &format!(r#"{{"v":{}"x"{}}}"#, "[".repeat(size), "]".repeat(size)),
    )
}

fn properties(size: usize) -> String {
    repeat(size, |out, i| {
        let _ = write!(out, r#""property_{i}":{{"type":"INTEGER"}}"#);
    })
}

fn names(size: usize) -> String {
    repeat(size, |out, i| {
        let _ = write!(out, r#""property_{i}""#);
    })
}

fn wide_schema(size: usize) -> Input {
    let (properties, required) = (properties(size), names(size));
    json(tool(&format!(
        r#"{{"type":"OBJECT","properties":{{{properties}}},"required":[{required}]}}"#
    )))
}

fn wide(size: usize, args: &str) -> Input {
    let (properties, required) = (properties(size), names(size));
    let parameters =
        format!(r#"{{"type":"OBJECT","properties":{{{properties}}},"required":[{required}]}}"#);
    call(&parameters, args)
}

fn wide_call(size: usize) -> Input {
    let args = repeat(size, |out, i| {
        let _ = write!(out, r#""property_{i}":1.0"#);
    });
    wide(size, &format!("{{{args}}}"))
}

fn unknown_arguments(size: usize) -> Input {
    let parameters = format!(
        r#"{{"type":"OBJECT","properties":{{{}}}}}"#,
        properties(size)
    );
    let args = repeat(size, |out, i| {
        let _ = write!(out, r#""porperty_{i}":1"#);
    });
    call(&parameters, &format!("{{{args}}}"))
}

fn missing_arguments(size: usize) -> Input {
    // As long as it would be with the arguments, so that the ratio means something.
    let space = " ".repeat(size * 10);
    wide(size, &format!("{{{space}}}"))
}

fn long_string(size: usize) -> Input {
    call(
        r#"{"type":"OBJECT","properties":{"v":{"type":"STRING","enum":["x"]}}}"#,
        &format!(r#"{{"v":"{}"}}"#, "\\u0041bcdé".repeat(size / 11)),
    )
}

fn duplicate_keys(size: usize) -> Input {
    json(format!(
        "{{{}}}",
        repeat(size, |out, _| out.push_str(r#""key":1"#))
    ))
}

fn wrong_everywhere(size: usize) -> Input {
    let (open, close) = (r#"{"type":"list","items":"#.repeat(size), "}".repeat(size));
    json(tool(&format!("{open}null{close}")))
}

fn yaml_tool(size: usize) -> Input {
    let mut text = "function_declarations:\n".to_owned();
    for i in 0..size {
        let _ = writeln!(
            text,
            "  - name: function_{i}\n    description: >-\n      Looks up one of many things,\n      the one with the given id.\n    parameters:\n      type: OBJECT\n      properties:\n        id: {{type: STRING, description: Wéich öne}}\n        limit:\n          type: INTEGER\n      required: [id]"
        );
    }
    yaml(text)
}

fn yaml_keys(size: usize) -> Input {
    let mut text = String::new();
    for i in 0..size {
        let _ = writeln!(text, "key_{i}: 1");
    }
    yaml(text)
}

fn yaml_nested(size: usize) -> Input {
    yaml("- ".repeat(size) + "x\n")
}

fn yaml_aliases(size: usize) -> Input {
    yaml("a: &a x\nb:\n".to_owned() + &"  - *a\n".repeat(size))
}

fn yaml_long_scalar(size: usize) -> Input {
    yaml(format!("a: \"{}\"\n", "bcdé ".repeat(size / 6)))
}
