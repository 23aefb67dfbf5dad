"""Anthropic: the types of its SDK, what that does to strict schemas, and documented limits."""

import re

from anthropic import transform_schema
from anthropic.types import ToolParam, ToolResultBlockParam, ToolUseBlock

from judges import reading, schemas

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
# All strict tools of a request together.
TOOLS, OPTIONAL, UNIONS = 20, 24, 16
# Regular expressions may not have references back, nor look around, nor know ends of words.
NO_PATTERN = re.compile(r"\\[1-9bB]|\(\?[=!<]")


def tools(dialect, document):
    if not isinstance(document, list):
        return [("*", ["expected a list of tools"])]
    names = [tool.get("name") for tool in document]
    judged = [judge(dialect, tool) for tool in document]
    together = reading.doubles(names)
    if dialect == "anthropic-strict":
        sound = [tool["input_schema"] for tool, problems in zip(document, judged) if not problems]
        together += within_limits(sound)
        together += [f"{len(document)} strict tools, and {TOOLS} is the limit"] * (len(document) > TOOLS)
    return [("*", together), *zip(names, judged)]


def judge(dialect, tool):
    problems = reading.typed(ToolParam, tool)
    if problems:
        return problems
    if not NAME.fullmatch(tool["name"]):
        problems.append("/name: not a name that the API takes")
    schema, at = tool["input_schema"], "/input_schema"
    problems += schemas.of_object(schema, at) or schemas.valid(schema, at)
    for name in schemas.mapped(schema.get("properties")):
        if not PROPERTY.fullmatch(name):
            problems.append(f"{at}/properties/{name}: not a name that the API takes")
    strict = dialect == "anthropic-strict"
    if tool.get("strict", False) is not strict:
        problems.append(f"/strict: must be {'true' if strict else 'left out'}")
    if strict and not problems:
        problems += in_strict_mode(schema) + within_limits([schema])
    return problems


def in_strict_mode(schema):
    """The SDK moves what the API does not take into descriptions: there must be nothing to move.

    It moves three things that the documentation says are taken: defaults, simple patterns, and
    types beside constants. They are left out of the comparison.
    """
    at = "/input_schema"
    compared = without_taken(schema)
    made, problems = reading.ask(transform_schema, compared)
    problems = problems or reading.differences(compared, made, at)
    if schemas.recursive(schema):
        problems.append(f"{at}: recursive schemas are not supported")
    for place, node in schemas.nodes(schema, at):
        if NO_PATTERN.search(node.get("pattern", "")):
            problems.append(f"{place}/pattern: not a simple regular expression")
        if any("$ref" in part for part in node.get("allOf", [])):
            problems.append(f"{place}/allOf: `$ref` in it is not supported")
    return problems


def without_taken(schema):
    if isinstance(schema, list):
        return [without_taken(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    taken = {"default", "pattern"}
    # A list of types stays: the SDK cannot read it.
    if isinstance(schema.get("type"), str) and ("enum" in schema or "const" in schema):
        taken.add("type")
    copy = {key: value for key, value in schema.items() if key not in taken}
    for key, value in copy.items():
        if key in schemas.MAP:
            copy[key] = {name: without_taken(inner) for name, inner in value.items()}
        elif key in schemas.ONE + schemas.LIST:
            copy[key] = without_taken(value)
    return copy


def within_limits(inputs):
    optional = unions = 0
    for schema in inputs:
        for _, node in schemas.nodes(schema):
            optional += len(node.get("properties", {}).keys() - set(node.get("required", [])))
            unions += "anyOf" in node or isinstance(node.get("type"), list)
    problems = []
    if optional > OPTIONAL:
        problems.append(f"{optional} optional parameters, and {OPTIONAL} is the limit")
    if unions > UNIONS:
        problems.append(f"{unions} parameters with union types, and {UNIONS} is the limit")
    return problems


def call(dialect, message):
    return reading.typed(ToolUseBlock, message)


def result(dialect, message):
    return reading.typed(ToolResultBlockParam, message)


def ids(messages):
    calls = [m.get("id") for m in messages["calls"]]
    return calls, [m.get("tool_use_id") for m in messages["results"]]
