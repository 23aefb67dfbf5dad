//! Schemas and values made from bytes: from random ones in tests, from those of a fuzzer in
//! `fuzz/`. The values lean towards what the schema asks for, and then something goes wrong.

use std::fmt::Write as _;

/// Bytes that decide. When they run out, zeros come.
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }

    fn often(&mut self) -> bool {
        !self.byte().is_multiple_of(4)
    }

    fn rarely(&mut self) -> bool {
        self.byte() % 8 == 7
    }
}

const NAMES: [&str; 10] = [
    "a",
    "b",
    "id",
    "name",
    "a longer name than sixteen",
    "ä",
    "q\\\"x",
    "\\u0061",
    "",
    "kind",
];
const STRINGS: [&str; 24] = [
    "\"\"",
    "\"a\"",
    "\"b\"",
    "\"red\"",
    "\"green\"",
    "\"r\\u0065d\"",
    "\"exactly sixteen!\"",
    "\"a text that is longer than sixteen bytes\"",
    "\"äöü\"",
    "\"\\ud83d\\ude00\"",
    "\"2026-02-15\"",
    "\"2026-02-30\"",
    "\"2026-02-15T10:30:00Z\"",
    "\"2026-02-15t23:59:60.5+00:00\"",
    "\"2026-02-15T23:59:60+01:00\"",
    "\"10:30:00Z\"",
    "\"123e4567-e89b-12d3-a456-426614174000\"",
    "\"127.0.0.1\"",
    "\"::1\"",
    "\"https://example.com/a?b#c\"",
    "\"a@example.com\"",
    "\"example.com\"",
    "\"line\\nbreak\\t\\\\\"",
    "\"AB-123\"",
];
const NUMBERS: [&str; 44] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "10",
    "99",
    "100",
    "-0",
    "1.0",
    "1.5",
    "-1.5",
    "0.1",
    "12.50",
    "2e0",
    "1e2",
    "1E-2",
    "1e400",
    "1e-400",
    "5.0e-1",
    "9007199254740993",
    "9007199254740992.5",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "123456789012345678901234567890",
    "0.3",
    "999999999999999999",
    "4",
    "6",
    "1.4999999999999999",
    "0.30000000000000004",
    "1e15",
    "9007199254740991",
    "9007199254740992",
    "9007199254740992.0",
    "-9007199254740992",
    "-9007199254740993",
    "9223372036854775806",
    "-9223372036854775809",
    "18446744073709551615",
    "1.7976931348623157e308",
];
const FORMATS: [&str; 12] = [
    "date-time",
    "date",
    "time",
    "uuid",
    "ipv4",
    "ipv6",
    "uri",
    "email",
    "hostname",
    "regex",
    "duration",
    "no-such-format",
];
const PATTERNS: [&str; 7] = [
    "^a",
    "b$",
    "^[A-Z]{2}-\\\\d+$",
    ".",
    "^(red|green)$",
    "^\\\\S*$",
    "x|",
];
const BROKEN: [&str; 24] = [
    "tru",
    "nul",
    "truex",
    "01",
    "-",
    "1.",
    ".5",
    "+1",
    "1e",
    "1e+",
    "\"",
    "\"\\x\"",
    "\"\\ud800\"",
    "\"\\ud800\\u0041\"",
    "\"\\udc00\"",
    "\"\t\"",
    "[1,]",
    "[,1]",
    "{\"a\":1,}",
    "{\"a\" 1}",
    "{\"a\":1,\"\\u0061\":2}",
    "{\"zz\":1,\"zz\":2}",
    "// x\n1",
    "\u{feff}1",
];

/// A JSON Schema.
pub(crate) fn schema(choices: &mut Choices<'_>) -> String {
    let mut text = String::from("{");
    let count = choices.below(3);
    text.push_str("\"$defs\":{\"d0\":");
    text.push_str(&subschema(choices, 2));
    text.push_str(",\"d1\":");
    text.push_str(&subschema(choices, 2));
    text.push_str("},");
    keywords(choices, 3 + count, &mut text);
    text.push('}');
    text
}

fn subschema(choices: &mut Choices<'_>, depth: usize) -> String {
    match choices.below(12) {
        0 => "true".to_owned(),
        1 => "{}".to_owned(),
        2 if choices.rarely() => "false".to_owned(),
        3 => format!("{{\"$ref\":\"{}\"}}", reference(choices)),
        4 | 5 => usual(choices, depth),
        _ if depth == 0 => format!("{{\"type\":\"{}\"}}", type_name(choices)),
        _ => {
            let mut text = String::from("{");
            keywords(choices, depth - 1, &mut text);
            text.push('}');
            text
        }
    }
}

/// A schema as people write them.
fn usual(choices: &mut Choices<'_>, depth: usize) -> String {
    match choices.below(7) {
        0 => "{\"type\":[\"string\",\"null\"]}".to_owned(),
        1 => format!("{{\"enum\":{}}}", values(choices)),
        2 => format!(
            "{{\"type\":\"object\",\"additionalProperties\":{{\"type\":\"{}\"}}}}",
            type_name(choices)
        ),
        3 | 4 => object(choices, depth, None),
        5 => format!(
            "{{\"type\":\"array\",\"items\":{}}}",
            object(choices, depth, None)
        ),
        _ => {
            let tags = ["red", "green", "a"].iter().take(1 + choices.below(3));
            let keyword = choices.pick(&["anyOf", "oneOf"]);
            let all: Vec<String> = tags.map(|tag| object(choices, depth, Some(tag))).collect();
            format!("{{\"{keyword}\":[{}]}}", all.join(","))
        }
    }
}

/// An object with a few keys, and a tag that tells it from others.
fn object(choices: &mut Choices<'_>, depth: usize, tag: Option<&str>) -> String {
    let mut members: Vec<String> = tag
        .map(|tag| format!("\"kind\":{{\"const\":\"{tag}\"}}"))
        .into_iter()
        .collect();
    let mut required: Vec<&str> = tag.map(|_| "\"kind\"").into_iter().collect();
    for key in ["\"a\"", "\"b\"", "\"id\""]
        .into_iter()
        .take(1 + choices.below(3))
    {
        let inner = match depth {
            0 => format!("{{\"type\":\"{}\"}}", type_name(choices)),
            _ => subschema(choices, depth - 1),
        };
        members.push(format!("{key}:{inner}"));
        if choices.below(2) == 0 {
            required.push(key);
        }
    }
    let closed = match choices.below(2) {
        0 => ",\"additionalProperties\":false",
        _ => "",
    };
    format!(
        "{{\"type\":\"object\",\"properties\":{{{}}},\"required\":[{}]{closed}}}",
        members.join(","),
        required.join(",")
    )
}

fn reference(choices: &mut Choices<'_>) -> &'static str {
    choices.pick(&["#/$defs/d0", "#/$defs/d1", "#/$defs/d0", "#"])
}

fn type_name(choices: &mut Choices<'_>) -> &'static str {
    choices.pick(&[
        "object", "string", "integer", "array", "number", "boolean", "null",
    ])
}

/// Some keywords, each once.
fn keywords(choices: &mut Choices<'_>, depth: usize, text: &mut String) {
    let mut said = Vec::new();
    for _ in 0..=choices.below(5) {
        let (keyword, value) = keyword(choices, depth);
        if !said.contains(&keyword) {
            said.push(keyword);
            let comma = if said.len() > 1 { "," } else { "" };
            let _ = write!(text, "{comma}\"{keyword}\":{value}");
        }
    }
}

fn keyword(choices: &mut Choices<'_>, depth: usize) -> (&'static str, String) {
    let list = |choices: &mut Choices<'_>, most: usize| {
        let count = 1 + choices.below(most);
        let items: Vec<String> = (0..count).map(|_| subschema(choices, depth)).collect();
        format!("[{}]", items.join(","))
    };
    match choices.below(32) {
        0..=3 => ("type", format!("\"{}\"", type_name(choices))),
        4 => {
            let (a, b) = (type_name(choices), type_name(choices));
            let types = if a == b {
                format!("\"{a}\"")
            } else {
                format!("[\"{a}\",\"{b}\"]")
            };
            ("type", types)
        }
        5..=9 => ("properties", properties(choices, depth)),
        10 | 11 => ("required", names(choices)),
        12 => ("additionalProperties", subschema(choices, depth)),
        13 => ("additionalProperties", "false".to_owned()),
        14 | 15 => ("items", subschema(choices, depth)),
        16 => ("prefixItems", list(choices, 2)),
        17 => ("enum", values(choices)),
        18 => ("const", value(choices, 1)),
        19 => (
            choices.pick(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
            choices.pick(&NUMBERS).replace("1e400", "1"),
        ),
        20 => (
            "multipleOf",
            choices
                .pick(&[
                    "1",
                    "2",
                    "5",
                    "0.1",
                    "0.5",
                    "1e-3",
                    "3.0",
                    "0.3",
                    "9007199254740993",
                ])
                .to_owned(),
        ),
        21 => (
            choices.pick(&[
                "minLength",
                "maxLength",
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties",
            ]),
            choices.pick(&["0", "1", "2", "3", "16", "2.0"]).to_owned(),
        ),
        22 => ("pattern", format!("\"{}\"", choices.pick(&PATTERNS))),
        23 => ("format", format!("\"{}\"", choices.pick(&FORMATS))),
        24 => ("anyOf", list(choices, 3)),
        25 => ("oneOf", list(choices, 3)),
        26 => ("allOf", list(choices, 3)),
        27 => ("not", subschema(choices, depth)),
        28 => (
            choices.pick(&["if", "then", "else"]),
            subschema(choices, depth),
        ),
        29 => ("dependentRequired", format!("{{\"a\":{}}}", names(choices))),
        30 => ("$ref", format!("\"{}\"", reference(choices))),
        _ => match choices.below(6) {
            0 | 1 => (
                "uniqueItems",
                choices.pick(&["true", "true", "false"]).to_owned(),
            ),
            2 => ("contains", subschema(choices, depth)),
            3 => (
                choices.pick(&["minContains", "maxContains"]),
                choices.pick(&["0", "1", "2"]).to_owned(),
            ),
            4 => ("propertyNames", subschema(choices, depth)),
            _ => ("unevaluatedProperties", subschema(choices, depth)),
        },
    }
}

fn properties(choices: &mut Choices<'_>, depth: usize) -> String {
    if choices.rarely() && choices.rarely() {
        return many_properties(choices);
    }
    let first = choices.below(NAMES.len());
    let count = 1 + choices.below(4);
    let members: Vec<String> = (first..first + count)
        .map(|i| {
            format!(
                "\"{}\":{}",
                NAMES[i % NAMES.len()],
                subschema(choices, depth)
            )
        })
        .collect();
    // `a` and its escaped spelling are one key.
    match members.join(",") {
        both if both.contains("\"a\"") && both.contains("\\u0061") => "{}".to_owned(),
        members => format!("{{{members}}}"),
    }
}

/// More than have a bit each, and now and then more than a byte can count.
fn many_properties(choices: &mut Choices<'_>) -> String {
    let count = [65, 70, 255, 256, 257, 300][choices.below(6)];
    let members: Vec<String> = (0..count)
        .map(|i| {
            format!(
                "\"k{i}\":{}",
                if i % 7 == 3 {
                    "{\"type\":\"integer\"}"
                } else {
                    "true"
                }
            )
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Some of the members of such an object: runs of them, in any order, here and there one twice.
fn many_members(choices: &mut Choices<'_>) -> String {
    let mut members = Vec::new();
    for _ in 0..=choices.below(6) {
        let first = usize::from(choices.byte()) + choices.below(2) * 45;
        let count = [1, 1, 2, 3, 40][choices.below(5)];
        members.extend((first..first + count).map(|i| format!("\"k{i}\":1")));
    }
    if choices.often() {
        members.sort_unstable();
        members.dedup();
        let turn = choices.below(members.len());
        members.rotate_left(turn);
    }
    format!("{{{}}}", members.join(","))
}

fn names(choices: &mut Choices<'_>) -> String {
    match choices.below(5) {
        0 => "[]".to_owned(),
        1 => "[\"a\"]".to_owned(),
        2 => "[\"id\",\"name\"]".to_owned(),
        3 if choices.rarely() => "[\"k63\",\"k64\",\"k255\"]".to_owned(),
        _ => format!("[\"{}\"]", NAMES[choices.below(NAMES.len())]),
    }
}

fn values(choices: &mut Choices<'_>) -> String {
    let first = scalar(choices);
    let second = scalar(choices);
    if first == second {
        return format!("[{first}]");
    }
    format!("[{first},{second}]")
}

fn scalar(choices: &mut Choices<'_>) -> String {
    match choices.below(4) {
        0 => choices.pick(&["true", "false", "null"]).to_owned(),
        1 => choices.pick(&NUMBERS).replace("1e400", "1"),
        _ => choices.pick(&STRINGS).to_owned(),
    }
}

/// Any value.
pub(crate) fn value(choices: &mut Choices<'_>, depth: usize) -> String {
    if choices.rarely() && choices.rarely() {
        return choices.pick(&BROKEN).to_owned();
    }
    let space = if choices.rarely() { " " } else { "" };
    match choices.below(7) {
        0 => choices.pick(&["true", "false", "null"]).to_owned(),
        1 => choices.pick(&NUMBERS).to_owned(),
        2 => choices.pick(&STRINGS).to_owned(),
        3 | 4 if depth > 0 => {
            let count = choices.below(4);
            let items: Vec<String> = (0..count).map(|_| value(choices, depth - 1)).collect();
            format!("[{space}{}{space}]", items.join(","))
        }
        5 | 6 if depth > 0 => {
            let first = choices.below(NAMES.len());
            let count = choices.below(5);
            let members: Vec<String> = (first..first + count)
                .map(|i| {
                    let name = NAMES[i % NAMES.len()];
                    format!("\"{name}\"{space}:{space}{}", value(choices, depth - 1))
                })
                .collect();
            format!("{{{}}}", members.join(&format!(",{space}")))
        }
        _ => "1".to_owned(),
    }
}

/// A value that is likely to satisfy a schema, which is given as its text.
pub(crate) fn value_for(
    schema: &serde_json::Value,
    root: &serde_json::Value,
    choices: &mut Choices<'_>,
    depth: usize,
) -> String {
    if depth == 0 || choices.rarely() {
        return value(choices, depth.min(2));
    }
    let follow = |pointer: &str| {
        root.pointer(pointer.strip_prefix('#').unwrap_or(""))
            .cloned()
    };
    if let Some(target) = schema.get("$ref").and_then(|r| follow(r.as_str()?)) {
        return value_for(&target, root, choices, depth - 1);
    }
    for group in ["allOf", "anyOf", "oneOf"] {
        if let Some(list) = schema.get(group).and_then(|list| list.as_array()) {
            let one = &list[choices.below(list.len())];
            if choices.often() {
                return value_for(one, root, choices, depth - 1);
            }
        }
    }
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    if let Some(list) = schema.get("enum").and_then(|list| list.as_array()) {
        return list[choices.below(list.len())].to_string();
    }
    let type_name = match schema.get("type") {
        Some(serde_json::Value::String(name)) => name.clone(),
        Some(serde_json::Value::Array(names)) => names[choices.below(names.len())]
            .as_str()
            .unwrap_or("null")
            .to_owned(),
        _ if schema
            .get("properties")
            .or(schema.get("required"))
            .is_some() =>
        {
            "object".to_owned()
        }
        _ if schema.get("items").or(schema.get("prefixItems")).is_some() => "array".to_owned(),
        _ => return value(choices, depth.min(2)),
    };
    match &*type_name {
        "object" => object_for(schema, root, choices, depth),
        "array" => array_for(schema, root, choices, depth),
        "string" => choices.pick(&STRINGS).to_owned(),
        "integer" | "number" => choices.pick(&NUMBERS).to_owned(),
        "boolean" => choices.pick(&["true", "false"]).to_owned(),
        _ => "null".to_owned(),
    }
}

fn object_for(
    schema: &serde_json::Value,
    root: &serde_json::Value,
    choices: &mut Choices<'_>,
    depth: usize,
) -> String {
    let mut members = Vec::new();
    let properties = schema.get("properties").and_then(|p| p.as_object());
    if properties.is_some_and(|properties| properties.len() > 64) {
        return many_members(choices);
    }
    for (name, one) in properties.into_iter().flatten() {
        if choices.often() {
            let key = serde_json::Value::from(name.as_str());
            members.push(format!(
                "{key}:{}",
                value_for(one, root, choices, depth - 1)
            ));
        }
    }
    let required = schema.get("required").and_then(|r| r.as_array());
    for name in required.into_iter().flatten() {
        let known = properties.is_some_and(|p| name.as_str().is_some_and(|n| p.contains_key(n)));
        if !known && choices.often() {
            members.push(format!("{name}:{}", value(choices, 1)));
        }
    }
    if choices.rarely() {
        members.push(format!(
            "\"{}\":{}",
            NAMES[choices.below(NAMES.len())],
            value(choices, 1)
        ));
    }
    if choices.rarely() {
        members.reverse();
    }
    format!("{{{}}}", members.join(","))
}

fn array_for(
    schema: &serde_json::Value,
    root: &serde_json::Value,
    choices: &mut Choices<'_>,
    depth: usize,
) -> String {
    let any = serde_json::Value::Bool(true);
    let prefix = schema.get("prefixItems").and_then(|p| p.as_array());
    let count = choices.below(4);
    let items: Vec<String> = (0..count)
        .map(|i| {
            let own = prefix.and_then(|prefix| prefix.get(i));
            let one = own.or(schema.get("items")).unwrap_or(&any);
            value_for(one, root, choices, depth - 1)
        })
        .collect();
    format!("[{}]", items.join(","))
}

/// The text with a few bytes changed, now and then.
pub(crate) fn spoil(text: String, choices: &mut Choices<'_>) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    if choices.byte() % 16 != 15 || bytes.is_empty() {
        return bytes;
    }
    let place = choices.below(bytes.len().min(256));
    match choices.below(4) {
        0 => drop(bytes.remove(place)),
        1 => bytes.insert(place, b" ,:{}[]\"\\0"[choices.below(10)]),
        2 => bytes[place] = choices.byte(),
        _ => bytes.truncate(place),
    }
    bytes
}

/// An ADM schema in upper case.
pub(crate) fn adm_schema(choices: &mut Choices<'_>, depth: usize) -> String {
    match choices.below(if depth == 0 { 4 } else { 9 }) {
        0 => r#"{"type":"STRING"}"#.to_owned(),
        1 => r#"{"type":"INTEGER"}"#.to_owned(),
        2 => choices
            .pick(&[r#"{"type":"NUMBER"}"#, r#"{"type":"BOOLEAN"}"#])
            .to_owned(),
        3 => r#"{"type":"STRING","enum":["red","green","äöü","q\"x"]}"#.to_owned(),
        4 | 5 => format!(
            r#"{{"type":"ARRAY","items":{}}}"#,
            adm_schema(choices, depth - 1)
        ),
        _ => adm_object(choices, depth),
    }
}

/// An ADM schema of an object.
pub(crate) fn adm_object(choices: &mut Choices<'_>, depth: usize) -> String {
    if choices.rarely() && choices.rarely() {
        let members: Vec<String> = (0..257 + choices.below(60))
            .map(|i| format!(r#""k{i}":{{"type":"INTEGER"}}"#))
            .collect();
        return format!(
            r#"{{"type":"OBJECT","properties":{{{}}},"required":{}}}"#,
            members.join(","),
            choices.pick(&["[]", r#"["k3"]"#, r#"["k63","k64","k255"]"#]),
        );
    }
    let first = choices.below(NAMES.len());
    let mut members = Vec::new();
    let mut required = Vec::new();
    for i in first..first + choices.below(5) {
        let name = NAMES[i % NAMES.len()];
        if name == "\\u0061" {
            continue;
        }
        members.push(format!(
            "\"{name}\":{}",
            adm_schema(choices, depth.saturating_sub(1))
        ));
        if choices.rarely() {
            required.push(format!("\"{name}\""));
        }
    }
    format!(
        r#"{{"type":"OBJECT","properties":{{{}}},"required":[{}]}}"#,
        members.join(","),
        required.join(",")
    )
}

/// A call of one of two functions, in one of several ways of writing it.
pub(crate) fn call(args: &str, choices: &mut Choices<'_>) -> String {
    let name = match choices.below(12) {
        0 => "\"other\"",
        1 => "\"fir\\u0073t\"",
        2 => "5",
        3..6 => "\"second\"",
        _ => "\"first\"",
    };
    match choices.below(10) {
        0 => format!("{{\"args\":{args},\"name\":{name}}}"),
        1 => format!("{{ \"name\" : {name} , \"args\" : {args} }}\n"),
        2 => format!("{{\"name\":{name},\"args\":{args},\"extra\":1}}"),
        3 => format!("{{\"name\":{name},\"args\":{args},\"name\":{name}}}"),
        4 => format!("{{\"n\\u0061me\":{name},\"args\":{args}}}"),
        _ => format!("{{\"name\":{name},\"args\":{args}}}"),
    }
}

/// A result that looks like one of the standard types: one of its examples with something changed.
pub(crate) fn changed(example: &str, choices: &mut Choices<'_>) -> String {
    let mut text = example.to_owned();
    for _ in 0..choices.below(3) {
        // The places where a value or a key may begin.
        let places: Vec<usize> = text
            .match_indices([':', '[', ',', '{'])
            .map(|(at, _)| at + 1)
            .collect();
        let Some(place) = places.get(choices.below(places.len().clamp(1, 255))) else {
            break;
        };
        let rest = &text[*place..];
        let end = value_end(rest);
        let new = match choices.below(8) {
            0 => value(choices, 2),
            1 => "true".to_owned(),
            2 => "false".to_owned(),
            3 => choices.pick(&NUMBERS).to_owned(),
            4 => format!("{},{}", &rest[..end], &rest[..end]),
            5 => "{\"code\":\"NOT_FOUND_X\",\"message\":\"m\"}".to_owned(),
            6 => "[]".to_owned(),
            _ => format!(" {} ", &rest[..end]),
        };
        text.replace_range(*place..*place + end, &new);
    }
    if choices.rarely() {
        text = text.replacen("true", "false", 1);
    }
    text
}

/// Where a value at the start of `text` ends, about.
fn value_end(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => depth += 1,
            '}' | ']' | ',' if depth == 0 => return at,
            '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
