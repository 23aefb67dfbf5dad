"""Judges calls and results of tools, as messages of a provider, with that provider's SDK.

usage: judge_messages.py PACKAGE_DIR DIALECT < messages.json

Reads {"calls": […], "results": […]}, and writes a line for each message as judge_dialect.py does
for a tool: calls and results have names like "calls/0".
"""

import json
import os
import sys

# The judges beside this file must not leave files in the repository.
sys.dont_write_bytecode = True


def main(package, dialect):
    # In isolated mode neither the packages nor this folder are on the path.
    sys.path[:0] = [package, os.path.dirname(os.path.abspath(__file__))]
    from judges import judge_of, report
    from judges.answers import unanswered

    judge, messages = judge_of(dialect), json.load(sys.stdin)
    verdicts = []
    for kind, read in (("calls", judge.call), ("results", judge.result)):
        for number, message in enumerate(messages[kind]):
            verdicts.append((f"{kind}/{number}", read(dialect, message)))
    verdicts.append(("*", unanswered(judge.ids(messages))))
    report(verdicts)


if __name__ == "__main__":
    main(*sys.argv[1:])
