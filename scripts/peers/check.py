"""pydantic, msgspec and jsonschema-rs over the inputs in a folder: `python check.py INPUTS`."""

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import jsonschema_rs
import models_msgspec
import models_pydantic

ROUND = 0.003
BUDGET = 0.4


def main(inputs):
    for case in models_pydantic.MODELS:
        schema = json.loads((inputs / f"{case}.schema.json").read_bytes())
        engines = {
            "pydantic": accepts(models_pydantic.checker(case)),
            "msgspec": accepts(models_msgspec.checker(case)),
            "jsonschema-rs": from_schema(schema),
        }
        for engine, check in engines.items():
            report(inputs, case, engine, check)


def report(inputs, case, engine, check):
    valid = (inputs / f"{case}.json").read_bytes()
    invalid = (inputs / f"{case}.invalid.json").read_bytes()
    if not check(valid) or check(invalid):
        sys.exit(f"{engine} is wrong about {case}")
    title = f"{engine} {version(engine)}, python {platform.python_version()}"
    times = {"valid": best(check, valid), "invalid": best(check, invalid)}
    print(json.dumps({"engine": title, "case": case, **times}), flush=True)


def accepts(decode):
    def check(text):
        try:
            decode(text)
        except ValueError:  # both raise one of their own that is one of these
            return False
        return True

    return check


def from_schema(schema):
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    return lambda text: validator.is_valid(json.loads(text))


def best(check, text):
    """Microseconds in the best of many short rounds."""
    repeats, least, end = 1, float("inf"), perf_counter() + BUDGET
    while perf_counter() < end:
        start = perf_counter()
        for _ in range(repeats):
            check(text)
        once = (perf_counter() - start) / repeats
        if once * repeats > ROUND / 4:
            least = min(least, once)
        repeats = min(repeats * 2, max(1, int(ROUND / once)))
    return least * 1e6


main(Path(sys.argv[1]))
