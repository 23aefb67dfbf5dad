"""Judges exported tools with the SDK of the provider they are for.

usage: judge_dialect.py PACKAGE_DIR DIALECT < exported.json

Reads what `toolpact convert --to DIALECT` prints, and writes a line for each tool:
{"tool": NAME, "ok": BOOL, "problems": [TEXT, …]}. What is wrong with all of them together, and
what is said of an OpenAPI document, has the name "*".
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

    report(judge_of(dialect).tools(dialect, json.load(sys.stdin)))


if __name__ == "__main__":
    main(*sys.argv[1:])
