//! Text that imitates what a model is told by others: system prompts, turns of a conversation, other tools.

use super::Selection;
use super::texts::{Role, Text};
use crate::json::report::Report;
use crate::text::shorten;
use crate::violation::rules::lint as rules;

/// Tags that only speak to a model, whether they are closed or not.
const TAGS: &[&str] = &[
    "important",
    "system",
    "sys",
    "<sys",
    "system_prompt",
    "systemprompt",
    "system-prompt",
    "system_message",
    "system-reminder",
    "system_instruction",
    "system_instructions",
    "system-instructions",
    "instruction",
    "instructions",
    "assistant",
    "function_calls",
    "function_call",
    "tool_call",
    "tool_calls",
    "tool_use",
    "tool_result",
    "tool_results",
    "tool_response",
    "antml",
    "policy_override",
    "very_important",
    "critical_instructions",
    "important_instructions",
    "hidden_instructions",
    "secret_instructions",
    "admin_override",
];

/// Tags that may stand for a value unless they are closed.
const CLOSED: &[&str] = &[
    "tool",
    "tools",
    "user",
    "prompt",
    "function",
    "functions",
    "description",
    "context",
    "rules",
    "critical",
    "mandatory",
    "override",
    "admin",
    "secret",
    "hidden",
    "directive",
    "directives",
    "developer",
    "thinking",
    "human",
];

/// Other marks of conversations.
const MARKS: &[&str] = &[
    "<|",
    "|>",
    "[inst]",
    "[/inst]",
    "[system]",
    "[/system]",
    "[system ",
    "[end of ",
    "[assistant]",
    "<start_of_turn>",
    "<end_of_turn>",
    "### instruction",
    "###instruction",
    "### system",
    "###system",
    "begin system prompt",
    "end of tool description",
    "end of description",
    "end tool description",
    "end system prompt",
    "```system",
    "[important:",
    "[important instruction",
    "[hidden",
    "[system:",
    "{{#system",
    "\\n\\nhuman:",
];

/// Words that begin a turn of a conversation, at the beginning of a line.
const ROLES: &[&str] = &[
    "system:",
    "assistant:",
    "human:",
    "system prompt:",
    "system message:",
    "system note:",
    "system override:",
    "developer:",
    "ai:",
];

/// What a text says that sounds as if the system said it.
const SYSTEM: &[&str] = &[
    "system instruction",
    "system override",
    "system directive",
    "system-level instruction",
    "system notice",
    "system alert",
    "message from the system",
    "note to the assistant",
    "note to assistant",
    "note to the ai",
    "note to ai",
    "note for the assistant",
    "note for ai",
    "instructions for the assistant",
    "instructions for the model",
    "instruction to the model",
    "attention ai",
    "attention assistant",
    "dear assistant",
    "internal instruction",
    "[admin]",
    "admin override",
    "developer mode",
];

/// Looks at one text, as it reads.
pub(super) fn check(text: &Text<'_>, reads: &str, selection: &Selection, report: &mut Report) {
    if !selection.has(&rules::IMITATION) || text.role == Role::Example {
        return;
    }
    let joined = spelled(reads);
    let reads = joined.as_deref().unwrap_or(reads);
    let Some(found) = tag(reads).or_else(|| mark(reads)).or_else(|| role(reads)) else {
        return;
    };
    report.add(&rules::IMITATION, text.place(), |finding| {
        finding.say(format!(
            "{} speaks as somebody else does to a model: `{}`",
            text.describe(),
            shorten(&found)
        ));
    });
}

/// A text without the signs between letters that are apart, if it has some: `S Y S T E M :`.
fn spelled(reads: &str) -> Option<String> {
    /// Fewer letters are a list.
    const LETTERS: usize = 4;
    let chars: Vec<char> = reads.chars().collect();
    let at = |place: Option<usize>| {
        place
            .and_then(|place| chars.get(place))
            .copied()
            .unwrap_or(' ')
    };
    let is_alone = |place: usize| {
        let before = at(place.checked_sub(1));
        at(Some(place)).is_alphanumeric()
            && !before.is_alphanumeric()
            && !at(Some(place + 1)).is_alphanumeric()
    };
    let mut dropped = 0;
    let mut out = String::with_capacity(reads.len());
    for (place, c) in chars.iter().enumerate() {
        let is_between = !c.is_alphanumeric()
            && !">]:<[".contains(*c)
            && place.checked_sub(1).is_some_and(is_alone)
            && (is_alone(place + 1) || ">]:|".contains(at(Some(place + 1))));
        dropped += usize::from(is_between);
        if !is_between {
            out.push(*c);
        }
    }
    (dropped >= LETTERS).then_some(out)
}

/// Longest name of a tag that is looked at.
const LONGEST: usize = 30;

fn tag(reads: &str) -> Option<String> {
    let opens = reads.match_indices('<');
    opens
        .filter_map(|(at, _)| name_of(reads.get(at + 1..)?))
        .find_map(|(name, is_end, rest)| {
            let is_whole = rest.starts_with(['>', ' ', '/', '\n'])
                || rest.bytes().take(LONGEST).any(|b| b == b'>');
            // In documentation it is the box around a paragraph.
            let inside = rest.trim_start_matches('>').trim_start();
            let is_documentation = name == "important"
                && (is_end || ["<p>", "<ul>"].iter().any(|tag| inside.starts_with(tag)));
            let is_known = TAGS.contains(&name) || name.starts_with("antml:");
            let is_ours =
                is_known && is_whole && !is_documentation || is_end && CLOSED.contains(&name);
            is_ours.then(|| format!("<{}{name}>", if is_end { "/" } else { "" }))
        })
}

/// The name of a tag after its `<`, whether it is one that closes, and what follows.
fn name_of(rest: &str) -> Option<(&str, bool, &str)> {
    let rest = rest.trim_start();
    let (rest, is_end) = match rest.strip_prefix('/') {
        Some(rest) => (rest.trim_start(), true),
        None => (rest, false),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-:<".contains(c);
    let length = rest
        .bytes()
        .take(LONGEST)
        .position(|b| !is_name(char::from(b)))?;
    let name = rest.get(..length).filter(|name| !name.is_empty())?;
    Some((name, is_end, rest.get(length..)?.trim_start()))
}

fn mark(reads: &str) -> Option<String> {
    let all = MARKS.iter().chain(SYSTEM);
    let found = all
        .into_iter()
        .find(|mark| memchr::memmem::find(reads.as_bytes(), mark.as_bytes()).is_some())?;
    Some((*found).to_owned())
}

fn role(reads: &str) -> Option<String> {
    let mut lines = reads
        .lines()
        .map(|line| line.trim_start_matches([' ', '*', '#', '>', '-', '[', '"']));
    let found = lines.find_map(|line| ROLES.iter().find(|role| line.starts_with(**role)))?;
    Some((*found).to_owned())
}
