"""Judges values by a JSON Schema document with jschon, a validator that shares nothing with ours.

Reads {"schema": …, "cases": [{"ref": …, "value": …}, …]} and writes the verdicts as a JSON list.
"""

import json
import sys

from jschon import JSON, JSONSchema, create_catalog

BASE = "https://example.com/bundle"


def main():
    create_catalog("2020-12")
    work = json.load(sys.stdin)
    JSONSchema(work["schema"] | {"$id": BASE})
    dialect = work["schema"]["$schema"]
    verdicts = []
    for case in work["cases"]:
        schema = JSONSchema({"$schema": dialect, "$ref": case["ref"].replace("#", BASE + "#")})
        verdicts.append(schema.evaluate(JSON(case["value"])).valid)
    json.dump(verdicts, sys.stdout)


main()
