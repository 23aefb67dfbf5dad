"""OpenAI: the types of its SDK, the strict schemas of its agents, and its documented limits."""

import copy
import json
import re

from agents.strict_schema import ensure_strict_json_schema
from openai.types.chat import (
    ChatCompletionFunctionToolParam,
    ChatCompletionMessageFunctionToolCall,
    ChatCompletionToolMessageParam,
)
from openai.types.responses import FunctionToolParam, ResponseFunctionToolCall
from openai.types.responses.response_input_param import FunctionCallOutput

from judges import reading, schemas

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# In strict mode, what the guide on structured outputs names. Titles and defaults are not in it, but
# the agents of OpenAI send them with any function. They send what else one asks for, too, so that
# `minLength` is not here is our reading of the guide and not a word of the SDK.
KEYWORDS = "type description title default enum const properties required additionalProperties items anyOf"
KEYWORDS += " $ref $defs definitions pattern format minItems maxItems"
KEYWORDS += " multipleOf minimum maximum exclusiveMinimum exclusiveMaximum"
KEYWORDS = KEYWORDS.split()
FORMATS = "date-time time date duration email hostname ipv4 ipv6 uuid".split()
# From the same guide.
PROPERTIES, LEVELS, STRINGS, ENUM_VALUES = 5000, 10, 120_000, 1000
LONG_ENUM, LONG_ENUM_STRINGS = 250, 15_000


def tools(dialect, document):
    if not isinstance(document, list):
        return [("*", ["expected a list of tools"])]
    functions = [function(dialect, tool) for tool in document]
    names = [f.get("name") for f in functions]
    judged = [judge(dialect, *pair) for pair in zip(document, functions)]
    return [("*", reading.doubles(names)), *zip(names, judged)]


def is_chat(dialect):
    return dialect.startswith("openai-chat")


def function(dialect, tool):
    return schemas.mapped(tool.get("function")) if is_chat(dialect) else tool


def judge(dialect, tool, inner):
    shape = ChatCompletionFunctionToolParam if is_chat(dialect) else FunctionToolParam
    problems = reading.typed(shape, tool)
    if problems:
        return problems
    if not NAME.fullmatch(inner["name"]):
        problems.append("/name: not a name that the API takes")
    strict = dialect.endswith("-strict")
    # Only in Chat can it be left out.
    if inner.get("strict", False) is not strict:
        problems.append(f"/strict: must be {json.dumps(strict)}")
    parameters = inner.get("parameters")
    problems += schemas.of_object(parameters, "/parameters") or schemas.valid(parameters, "/parameters")
    if "output_schema" in inner:
        problems += schemas.valid(inner["output_schema"], "/output_schema")
    if strict and not problems:
        problems += in_strict_mode(parameters) + within_limits(parameters)
    return problems


def in_strict_mode(schema):
    """A schema is strict when there is nothing left to make strict."""
    made, problems = reading.ask(ensure_strict_json_schema, copy.deepcopy(schema))
    problems = problems or reading.differences(schema, made, "/parameters")
    for place, node in schemas.nodes(schema, "/parameters"):
        problems += [f"{place}/{key}: not supported in strict mode" for key in node if key not in KEYWORDS]
        if node.get("format") not in (None, *FORMATS):
            problems.append(f"{place}/format: {node['format']!r} is not a valid format")
    return problems


def within_limits(schema):
    properties, strings, values, problems = 0, 0, 0, []
    for place, node in schemas.nodes(schema, "/parameters"):
        names = [*node.get("properties", {}), *node.get("$defs", {}), *node.get("definitions", {})]
        enum = [v for v in node.get("enum", []) if isinstance(v, str)]
        constant = [v for v in [node.get("const")] if isinstance(v, str)]
        properties += len(node.get("properties", {}))
        strings += sum(map(len, names + enum + constant))
        values += len(node.get("enum", []))
        if len(enum) > LONG_ENUM and sum(map(len, enum)) > LONG_ENUM_STRINGS:
            problems.append(f"{place}/enum: more than {LONG_ENUM_STRINGS} characters")
    for count, limit, what in (
        (properties, PROPERTIES, "properties"),
        (strings, STRINGS, "characters of names and values"),
        (values, ENUM_VALUES, "values of enums"),
        (levels(schema), LEVELS, "levels of nesting"),
    ):
        if count > limit:
            problems.append(f"/parameters: {count} {what}, and {limit} is the limit")
    return problems


def levels(schema):
    """How many objects are in each other. Whether lists count too is not documented."""
    if not isinstance(schema, dict):
        return 0
    inner = [levels(child) for _, child in schemas.children(schema)]
    return ("properties" in schema) + max(inner, default=0)


def call(dialect, message):
    shape = ChatCompletionMessageFunctionToolCall if is_chat(dialect) else ResponseFunctionToolCall
    problems = reading.typed(shape, message)
    if problems:
        return problems
    return arguments(function(dialect, message)["arguments"])


def arguments(text):
    """The SDK takes any text. It must be the JSON of an object."""
    value, problems = reading.ask(json.loads, text)
    if not problems and not isinstance(value, dict):
        problems = ["/arguments: not an object"]
    return problems


def result(dialect, message):
    if is_chat(dialect):
        return reading.typed(ChatCompletionToolMessageParam, message)
    problems = reading.typed(FunctionCallOutput, message)
    # The type lets it be left out, for outputs that the API made.
    return problems + ["/call_id: missing"] * ("call_id" not in message)


def ids(messages):
    calls = [m.get("call_id", m.get("id")) for m in messages["calls"]]
    return calls, [m.get("call_id", m.get("tool_call_id")) for m in messages["results"]]
