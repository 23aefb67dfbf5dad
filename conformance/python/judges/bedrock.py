"""Bedrock: the model of the Converse API that its SDK validates requests with, and known limits."""

import functools
import re

from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.validate import ParamValidator

from judges import reading, schemas

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@functools.cache
def model():
    return ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"))


def typed(shape, value):
    """The problems of a value by a shape of the API. The SDK refuses what it does not know."""
    report = ParamValidator().validate(value, model().shape_for(shape))
    return [line for line in report.generate_report().split("\n") if line]


def tools(dialect, document):
    entries, problems = reading.items(document, "tools")
    problems = problems or typed("ToolConfiguration", document)
    names = [tool.get("toolSpec", {}).get("name") for tool in entries]
    judged = [judge(tool) for tool in entries]
    return [("*", problems + reading.doubles(names)), *zip(names, judged)]


def judge(tool):
    problems = typed("Tool", tool)
    if problems:
        return problems
    if "toolSpec" not in tool:
        return ["/toolSpec: missing"]
    spec = tool["toolSpec"]
    # The SDK leaves patterns and longest lengths to the service.
    if not NAME.fullmatch(spec["name"]):
        problems.append("/toolSpec/name: not a name that the API takes")
    schema, at = spec["inputSchema"].get("json"), "/toolSpec/inputSchema/json"
    return problems + (schemas.of_object(schema, at) or schemas.valid(schema, at))


def call(dialect, message):
    return block("toolUse", message)


def result(dialect, message):
    problems = block("toolResult", message)
    blocks = [] if problems else message["toolResult"]["content"]
    for i, content in enumerate(blocks):
        if "json" in content and not isinstance(content["json"], dict):
            problems.append(f"/toolResult/content/{i}/json: the API takes objects only")
        if content.get("text") == "":
            problems.append(f"/toolResult/content/{i}/text: the API takes no empty text")
    return problems


def block(kind, message):
    return typed("ContentBlock", message) if kind in message else [f"/{kind}: missing"]


def ids(messages):
    calls = [m["toolUse"].get("toolUseId") for m in messages["calls"]]
    return calls, [m["toolResult"].get("toolUseId") for m in messages["results"]]
