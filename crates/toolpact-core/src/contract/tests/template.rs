//! Templates: what can be parsed, and what must not reach the parser.

use crate::json::Value;

use super::super::template::TextTemplate;
use crate::json::report::Report;

fn problem(text: &str) -> Option<String> {
    let value = Value::from(text);
    let mut report = Report::new(10);
    match TextTemplate::read(value.root(), &mut report) {
        Some(template) => {
            assert_eq!(template.as_str(), text);
            None
        }
        None => {
            let violations = report.finish_value(&value, &crate::Pointer::root());
            Some(violations.iter().next().unwrap().message().to_owned())
        }
    }
}

#[test]
fn what_a_template_may_have() {
    for text in [
        "plain",
        "{{ data | length }} of {{ pagination.total }}",
        "{% for o in data %}{{ loop.index }}: {{ o.id }}{% else %}none{% endfor %}",
        "{% if a %}1{% elif b %}2{% else %}3{% endif %}",
        "{% set x = a.b[0] %}{{ x ~ '}}' }}",
        "{% with x = 1 %}{{ x }}{% endwith %}",
        "{# {{ not a tag #}{{ {'a': {'b': 1}} }}",
        "{{- a -}} {%- if a +%}{% endif -%}",
        "a { b } {{ \"{{\" }} %}",
        "{{ price | round(2) if price is number else 'unknown' }}",
        r#"{{ "a\"}}" }}"#,
    ] {
        assert_eq!(problem(text), None, "{text}");
    }
}

#[test]
fn mistakes_are_named_with_their_line() {
    let in_line_2 = [
        "\n{{ a",
        "\n{{ a b }}",
        "\n{% if a %}",
        "\n{% endif %}",
        "\n{% foo %}",
        "\n{{ 'a }}",
        "\n{# a",
        "\n{% extends 'a' %}",
        "\n{% macro a() %}{% endmacro %}",
        "\n{% raw %}{% endraw %}",
        "\n{%-  raw -%}{% endraw %}",
        "\n{{ (a }}",
        "\n{{ é }}",
    ];
    for text in in_line_2 {
        let problem = problem(text).unwrap_or_else(|| panic!("{text}"));
        assert!(problem.contains("in its line 2: "), "{text}: {problem}");
        assert!(!problem.contains('\n'));
    }
    assert!(
        problem(&"a".repeat(65_537))
            .unwrap()
            .contains("at most 65536 bytes")
    );
    assert_eq!(problem(&"a".repeat(65_536)), None);
}

/// In a thread with half of the usual stack: nothing here may go deep.
#[test]
fn nothing_goes_deep() {
    let run = || {
        for text in bombs() {
            let _ = problem(&text);
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run);
    thread.unwrap().join().unwrap();
}

fn bombs() -> Vec<String> {
    let units = [
        ".b",
        "|b",
        "()",
        "[1]",
        "[:]",
        "-",
        "- ",
        " not",
        "+a",
        "**a",
        "~a",
        " and a",
        "<a",
        " is a",
        " is not a",
        " if a",
        " if a else a",
        "(",
        "[",
        "{",
        "{1:",
        " in a",
    ];
    let frames = [
        ("{{a", "}}"),
        ("{{", "a}}"),
        ("{%set a=", "a%}"),
        ("{%set ", "%}"),
        ("{%for ", "%}"),
        ("{%if a", "%}"),
        ("{%for a in a", "%}{%endfor%}"),
        ("{%filter a", "%}{%endfilter%}"),
        // Ways to make the end of a tag hard to see.
        ("{%raw%}{{ \" {%endraw%}{{ \"}}\"", " }}"),
        ("{{ '}}' ", "}}"),
        ("{# #}{{ \"\\\"}}", "\"a}}"),
        ("{{ ( }}", ")}}"),
        ("{{ ) }}", "}}"),
        ("{#-#}{{", "a}}"),
        ("{{ {{ }}", "}}"),
    ];
    let tags = [
        "{%elif a%}",
        "{%if a%}",
        "{%for a in a%}",
        "{%else%}",
        "{{a}}",
        "{%with%}",
    ];
    let mut bombs = Vec::new();
    // Enough to be refused, and just not enough.
    for times in [2_000, 95, 45, 18, 9] {
        let nested = "{%if a%}".repeat(19);
        for (begin, end) in frames {
            for unit in units {
                let unit = unit.repeat(times.min(65_000 / unit.len()));
                bombs.push(format!("{begin}{unit}{end}"));
                bombs.push(format!(
                    "{nested}{begin}{}{end}",
                    &unit[..unit.len().min(60_000)]
                ));
            }
        }
        for tag in tags {
            let tag = tag.repeat(times.min(65_000 / tag.len()));
            bombs.push(format!("{{%if a%}}{tag}{{%endif%}}"));
        }
    }
    bombs
}
