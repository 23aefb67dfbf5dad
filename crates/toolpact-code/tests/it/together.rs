//! Several tools at the same time.

use std::time::{Duration, Instant};

use crate::bench::Bench;

#[test]
fn tasks_run_side_by_side() {
    let bench = Bench::new();
    bench.value("1"); // the worker is there
    let script = "import asyncio\nawait asyncio.gather(tool_task(wait, 2000), tool_task(wait, ms=2001), tool_task(add, 1, 2))";
    let start = Instant::now();
    assert_eq!(bench.value(script), "[2000,2001,3]");
    assert!(
        start.elapsed() < Duration::from_millis(3_900),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_task_can_be_awaited_later() {
    let bench = Bench::new();
    assert_eq!(
        bench.value("task = tool_task(add, 1, 2)\nx = add(3, 4)\n(await task) + x"),
        "10"
    );
    let script = "import asyncio\nasync def both(n: int) -> int:\n    return await tool_task(add, n, 1) + add(n, 2)\nawait asyncio.gather(*[both(n) for n in range(5)])";
    assert_eq!(bench.value(script), "[3,5,7,9,11]");
}

#[test]
fn a_task_that_fails_raises_where_it_is_awaited() {
    let bench = Bench::new();
    let script = "task = tool_task(fail)\nx = add(1, 1)\ntry:\n    await task\nexcept ToolError as e:\n    x = tool_error(e)['code']\nx";
    assert_eq!(bench.value(script), r#""NOT_FOUND_RESOURCE""#);
}

#[test]
fn a_task_that_nobody_awaits_does_not_matter() {
    let bench = Bench::new();
    let start = Instant::now();
    assert_eq!(bench.value("t = tool_task(wait, 30000)\n5"), "5");
    assert!(start.elapsed() < Duration::from_secs(25));
    assert_eq!(bench.value("6"), "6");
}

#[test]
fn tasks_are_typed() {
    let bench = Bench::new();
    for wrong in [
        "tool_task(add, 1)",
        "tool_task(add, 1, 'a')",
        "tool_task(add, a=1, c=2)",
        "x: str = await tool_task(add, 1, 2)",
        "tool_task(5)",
    ] {
        assert_eq!(bench.check(wrong).unwrap_err().code(), "types", "{wrong}");
    }
    bench
        .check("x: int = await tool_task(add, a=1, b=2)")
        .unwrap();
}

#[test]
fn only_tools_are_tasks() {
    let bench = Bench::new();
    let text = bench
        .error("def f() -> int:\n    return 1\ntool_task(f)")
        .to_string();
    assert!(
        text.ends_with("TypeError: tool_task() takes a tool, then its arguments"),
        "{text}"
    );
}

#[test]
fn many_tasks() {
    let script =
        "import asyncio\nsum(await asyncio.gather(*[tool_task(add, n, 1) for n in range(300)]))";
    assert_eq!(Bench::new().value(script), "45150");
}
