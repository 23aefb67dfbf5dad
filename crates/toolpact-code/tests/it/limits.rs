//! Each limit, its own error.

use std::time::{Duration, Instant};

use toolpact::code::{RunOptions, ScriptError, ScriptLimits};

use crate::bench::{Bench, options};

fn limited(change: impl FnOnce(ScriptLimits) -> ScriptLimits) -> RunOptions {
    let options = options();
    let limits = change(options.limits);
    options.limits(limits)
}

#[test]
fn each_has_its_error() {
    let bench = Bench::new();
    let time = |limits: ScriptLimits| limits.time(Duration::from_millis(300));
    let cases = [
        ("while True:\n    pass", limited(time), "limit-time"),
        (
            "x = []\nwhile True:\n    x.append('a' * 1000)",
            limited(|l| l.memory(8 << 20)),
            "limit-memory",
        ),
        (
            "def f(n: int) -> int:\n    return f(n + 1)\nf(0)",
            limited(|l| l.recursion(50)),
            "limit-recursion",
        ),
        (
            "while True:\n    add(1, 2)",
            limited(|l| l.calls(5)),
            "limit-calls",
        ),
        (
            "while True:\n    print('a')",
            limited(|l| l.output(100)),
            "limit-output",
        ),
        ("'a' * 101", limited(|l| l.output(100)), "limit-output"),
    ];
    for (script, options, code) in cases {
        let error = bench.error_with(script, &options);
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(bench.value("1 + 1"), "2", "{code}");
    }
}

#[test]
fn it_says_where_and_what_is_allowed() {
    let bench = Bench::new();
    let error = bench.error_with(
        "def more():\n    add(1, 2)\n\nwhile True:\n    more()",
        &limited(|l| l.calls(3)),
    );
    assert_eq!(
        error.to_string(),
        "Traceback (most recent call last):\n  \
           File \"script.py\", line 5, in <module>\n    more()\n  \
           File \"script.py\", line 2, in more\n    add(1, 2)\n\
         limit-calls: the script used more than 3 calls of tools; ask for more with each call"
    );
}

/// A limit is reached, not passed.
#[test]
fn what_is_allowed_is_allowed() {
    let bench = Bench::new();
    let three = "add(1, 2)\nadd(1, 2)\nadd(1, 2)";
    assert_eq!(
        bench
            .ran_with(three, &limited(|l| l.calls(3)))
            .value()
            .unwrap()
            .text(),
        "3"
    );
    let output = limited(|l| l.output(12));
    assert_eq!(
        bench
            .ran_with("print('12345')\n'1234'", &output)
            .value()
            .unwrap()
            .text(),
        "\"1234\""
    );
    assert_eq!(
        bench.error_with("print('12345')\n'12345'", &output).code(),
        "limit-output"
    );
    let deep = "def f(n: int) -> int:\n    return 0 if n == 0 else f(n - 1)\nf(90)";
    assert_eq!(
        bench
            .ran_with(deep, &limited(|l| l.recursion(100)))
            .value()
            .unwrap()
            .text(),
        "0"
    );
}

/// What was printed and called before is not lost.
#[test]
fn what_came_before_is_told() {
    let bench = Bench::new();
    let script = "print('begin')\nadd(1, 2)\nwhile True:\n    pass";
    let ran = bench.ran_with(script, &limited(|l| l.time(Duration::from_millis(200))));
    assert_eq!(ran.printed, "begin\n");
    assert_eq!(ran.trace.len(), 1);
}

#[test]
fn time_of_tools_does_not_count() {
    let bench = Bench::new();
    let options = limited(|l| l.time(Duration::from_secs(1)));
    assert_eq!(
        bench
            .ran_with("wait(2600)", &options)
            .value()
            .unwrap()
            .text(),
        "2600"
    );
    let gathered = "import asyncio\nawait asyncio.gather(tool_task(wait, 2600))";
    assert_eq!(
        bench.ran_with(gathered, &options).value().unwrap().text(),
        "[2600]"
    );
}

/// A worker that does not keep the time itself is ended from outside.
#[test]
fn time_is_kept_from_outside_too() {
    let bench = Bench::new();
    // One step of the interpreter that takes long.
    let script = "x = 3 ** 2000000\ny = str(x)\nlen(y)";
    let start = Instant::now();
    let error = bench.error_with(script, &limited(|l| l.time(Duration::from_millis(200))));
    assert!(
        matches!(
            error.script(),
            Some(ScriptError::Limit(_) | ScriptError::Raised(_))
        ),
        "{error}"
    );
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(bench.value("1"), "1");
}

#[test]
fn a_script_can_be_too_long() {
    let bench = Bench::new();
    let long = format!("x = '{}'", "a".repeat(64 << 10));
    assert_eq!(bench.error(&long).code(), "script-too-long");
    let fits = format!("x = '{}'", "a".repeat(60 << 10));
    assert_eq!(bench.value(&fits), "null");
}

#[test]
fn checking_has_a_limit_of_its_own() {
    let bench = Bench::new();
    let error = bench.error_with("add(1, 2)", &limited(|l| l.check(Duration::from_nanos(1))));
    assert_eq!(error.code(), "limit-check");
    assert_eq!(bench.value("add(1, 2)"), "3");
}

/// However it is caught.
#[test]
fn recursion_cannot_be_caught() {
    let bench = Bench::new();
    let ways = [
        "try:\n    f()\nexcept:\n    pass",
        "try:\n    f()\nexcept RecursionError:\n    pass",
        "try:\n    f()\nexcept (ValueError, RuntimeError) as e:\n    print(e)",
        "try:\n    f()\nexcept ToolError:\n    pass",
        "try: f()\nexcept: pass",
        "def g():\n    try:\n        f()\n    finally:\n        return 1\ng()",
        "def g():\n\ttry:\n\t\ttry:\n\t\t\tf()\n\t\texcept ValueError:\n\t\t\tpass\n\t\telse:\n\t\t\tpass\n\t\tfinally:\n\t\t\treturn 1\n\texcept Exception:\n\t\treturn 2\ng()",
        "class C:\n    def __enter__(self): return self\n    def __exit__(self, kind, value, trace):\n        return True\nwith C():\n    f()",
        "class C:\n    def __enter__(self): return self\n    def __exit__(self, *all): return True\nwith C():\n    f()",
        "def enter(self): return self\ndef leave(self, kind, value, trace): return True\nclass C:\n    __enter__ = enter\n    __exit__ = leave\nwith C():\n    f()",
        "class C:\n    def __enter__(self): return self\n    def __exit__(self, kind, value, trace): return True\n    def it(self): return self\nwith C(), (C()) as b, C().it(): f()",
        "class C:\n    def __enter__(self): return self\n    def __exit__(self, kind, value, trace): return True\nclass D:\n    def __enter__(self): f()\n    def __exit__(self, kind, value, trace): pass\nwith (C() as c, ((D())),):\n    pass",
        "class C:\n    def __enter__(self): return I()\n    def __exit__(self, kind, value, trace): return True\nclass I:\n    def __iter__(self): return self\n    def __next__(self): f()\nwith C() as (a, b):\n    pass",
        "class C:\n    def __enter__(self): return self\n    def end(self, kind, value, trace): return True\nC.__exit__ = C.end  # type: ignore\nwith C():  # type: ignore\n    f()",
        "class C:\n    def __enter__(self): return self\n    __exit__ = ValueError\ndef g():\n    with C():\n        g()\n    return 1\ng()",
        "def g():\n    try:\n        raise ValueError\n    except ValueError:\n        f()\n    finally:\n        return 1\ng()",
        "def g():\n    try:\n        x = \"\"\"\n  a\n\"\"\"\n    except ValueError:\n        pass\n    else:\n        f()\n    finally:\n        return 1\ng()",
        "try:\n    try:\n        raise ValueError\n    except ValueError:\n        f()\n    finally:\n        raise KeyError\nexcept KeyError:\n    pass",
        "for i in [1]:\n\ttry:\n\t\traise ValueError\n\texcept ValueError:\n\t\tif i:\n\t\t\tf()\n\tfinally: break",
        "RecursionError = ValueError\ntry:\n    f()\nexcept BaseException:\n    pass",
        "for i in range(3):\n    try:\n        f()\n    except Exception:\n        continue",
        "import json\nx = []\nfor i in range(9000): x = [x]\ntry:\n    json.dumps(x)\nexcept Exception:\n    pass",
    ];
    for way in ways {
        let script = format!("def f():\n    f()\n\n{way}\nprint('went on')\n");
        let ran = bench.ran(&script);
        assert_eq!(ran.end.unwrap_err().code(), "limit-recursion", "{way}");
        assert_eq!(ran.printed, "", "{way}");
    }
}

/// What keeps scripts from it changes nothing else that they do.
#[test]
fn what_is_guarded_still_works() {
    let script = r#"
def log(what: str):
    seen.append(what)

class C:
    def __enter__(self):
        log("enter")
        return 1

    def __exit__(self, kind, value, trace):
        log(f"leave {kind is ValueError}")
        return kind is ValueError

def g(n: int) -> str:
    try:
        text = """
  two
lines"""
        if n == 0:
            raise KeyError("k")
        elif n == 1:
            raise ValueError("v")
    except KeyError as error:
        try:
            raise TypeError("t")
        except TypeError:
            return f"key {error}"
        finally:
            log("inner")
    except (ValueError,
  IndexError):
        return "value"
    else:
        return text  # what was said
    finally:
        # a comment
        log("end")

seen: list[str] = []
with (C() as one, C()):
    log(f"in {one}")
    raise ValueError
with C() as two: log(f"in {two}")
[g(0), g(1), g(2), seen]
"#;
    let value = r#"["key 'k'","value","\n  two\nlines",["enter","enter","in 1","leave True","leave False","enter","in 1","leave False","inner","end","end","end"]]"#;
    assert_eq!(Bench::new().value(script), value);
}

/// The places in a script are its own, whatever was put in before them.
#[test]
fn what_is_guarded_has_its_places() {
    let script = "\
class C:
    def __enter__(self): return 1 // 0
    def __exit__(self, kind, value, trace): pass

def g():
    try:
        1
    except ValueError:
        pass
    else:
        with C() as c: pass

g()
";
    let error = Bench::new().error(script);
    let Some(ScriptError::Raised(raised)) = error.script() else {
        panic!("{error:?}")
    };
    let lines = raised.traceback.iter();
    let places: Vec<_> = lines
        .map(|line| (line.place.line, line.place.column))
        .collect();
    assert_eq!(places, [(13, 1), (11, 14), (2, 33)], "{error}");
}

#[test]
fn scripts_do_not_name_what_keeps_them() {
    let error = Bench::new().error("x = 1\n__toolpact_recursion__ = ValueError");
    assert_eq!(error.code(), "syntax");
    assert!(
        error
            .to_string()
            .starts_with("line 2, column 1: names that begin with __toolpact"),
        "{error}"
    );
}
