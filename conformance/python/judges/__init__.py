"""A judge for each provider: what its SDK, and what is known of its API, says of exported tools.

A judge has `tools(dialect, document)`, which gives pairs of a tool's name and its problems; and
for messages `call(dialect, message)` and `result(dialect, message)`, which give problems, and
`ids(messages)`, which gives those of the calls and those of the results.
"""

import importlib
import json


def judge_of(dialect):
    """The module of a dialect. Only the SDK that it needs is imported: that takes a while."""
    return importlib.import_module(f"judges.{dialect.partition('-')[0]}")


def report(verdicts):
    """Prints a line for each verdict. Of the whole there is one only when there is a problem, or
    when nothing else is said."""
    verdicts = list(verdicts)
    for tool, problems in verdicts:
        if tool != "*" or problems or len(verdicts) == 1:
            print(json.dumps({"tool": tool, "ok": not problems, "problems": problems}))
