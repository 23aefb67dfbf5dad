"""Gemini: the models of google-genai, and what the Gemini API is known to refuse."""

import copy
import re
from types import SimpleNamespace

from google.genai import _transformers, models, types

from judges import reading, schemas

# The SDK speaks of 128, the API refuses more than 64.
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
# Which members carry schemas, by dialect; a declaration has one of two pairs.
MEMBERS = {
    "gemini": ("parameters", "response"),
    "gemini-json": ("parametersJsonSchema", "responseJsonSchema"),
}
# What the SDK looks at to tell the Gemini API from Vertex.
GEMINI_API = SimpleNamespace(vertexai=False)


def tools(dialect, document):
    declarations, problems = reading.items(document, "functionDeclarations")
    names = [d.get("name") for d in declarations]
    yield "*", problems + reading.doubles(names)
    for declaration in declarations:
        yield declaration.get("name"), declared(dialect, declaration)


def declared(dialect, declaration):
    # The API takes either case, and the SDK writes upper case.
    declaration = upper(declaration) if dialect == "gemini" else declaration
    problems = modelled(types.FunctionDeclaration, declaration)
    if problems:
        return problems
    tool = types.Tool(function_declarations=[declaration])
    problems = reading.ask(models._Tool_to_mldev, tool)[1]
    if not NAME.fullmatch(declaration.get("name", "")):
        problems.append("/name: not a name that the API takes")
    parameters, response = MEMBERS[dialect]
    for members in MEMBERS.values():
        if members != MEMBERS[dialect]:
            problems += [f"/{m}: of another dialect" for m in members if m in declaration]
    judge = schema_object if dialect == "gemini" else json_schema
    for member in parameters, response:
        if member in declaration:
            problems += judge(declaration[member], f"/{member}")
    return problems + parameters_of(declaration.get(parameters), f"/{parameters}")


def upper(declaration):
    declaration = copy.deepcopy(declaration)
    for member in MEMBERS["gemini"]:
        for _, node in schemas.nodes(declaration.get(member)):
            if isinstance(node.get("type"), str):
                node["type"] = node["type"].upper()
    return declaration


def modelled(model, value):
    """What a model says that forbids what it does not know. It knows two spellings of each name,
    and numbers as text, so what it writes again must be the same."""
    read, problems = reading.ask(model.model_validate, value, by_alias=True, by_name=False)
    if problems:
        return problems
    kept = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return reading.differences(value, kept)


def parameters_of(schema, at):
    """Rules for the parameters as such. Without any, there is no schema: an empty one is refused."""
    if schema is None:
        return []
    problems = []
    if str(schema.get("type")).upper() != "OBJECT":
        problems.append(f"{at}/type: parameters must be an object")
    if at == "/parameters" and not schema.get("properties"):
        problems.append(f"{at}/properties: should be non-empty for OBJECT type")
    for name in schema.get("properties", {}):
        if not PARAMETER.fullmatch(name):
            problems.append(f"{at}/properties/{name}: not a name that the API takes")
    return problems


def schema_object(schema, at):
    """Rules for a `Schema`, as the API words its refusals."""
    # The SDK does this for what a model answers; what it then refuses is the same for tools.
    problems = reading.ask(_transformers.process_schema, copy.deepcopy(schema), GEMINI_API)[1]
    definitions = schema.get("defs", {})
    for place, node in schemas.nodes(schema, at):
        kind = node.get("type")
        if "additionalProperties" in node:
            problems.append(f"{place}/additionalProperties: cannot find field")
        if "enum" in node and kind != "STRING":
            problems.append(f"{place}/enum: only allowed for STRING type")
        if kind == "ARRAY" and "items" not in node:
            problems.append(f"{place}/items: missing field")
        for name in node.get("required", []):
            if name not in node.get("properties", {}):
                problems.append(f"{place}/required/{name}: property is not defined")
        for name in node.get("propertyOrdering", []):
            if name not in node.get("properties", {}):
                problems.append(f"{place}/propertyOrdering/{name}: property is not defined")
        if "defs" in node and node is not schema:
            problems.append(f"{place}/defs: only allowed at the root")
        if "ref" in node and node["ref"].removeprefix("#/defs/") not in definitions:
            problems.append(f"{place}/ref: leads nowhere")
        if "ref" in node and node.keys() - {"ref", "description", "default", "defs"}:
            problems.append(f"{place}/ref: only a description and a default may be beside it")
    return problems


def json_schema(schema, at):
    """Rules for JSON Schema, as documented. Keywords that the API skips are not refused by it."""
    problems = schemas.valid(schema, at)
    for place, node in schemas.nodes(schema, at):
        beside = [key for key in node if "$ref" in node and not key.startswith("$")]
        problems += [f"{place}/{key}: not allowed beside `$ref`" for key in beside]
    return problems


def call(dialect, message):
    return part(message, "functionCall", ["name", "args"])


def result(dialect, message):
    return part(message, "functionResponse", ["name", "response"])


def part(message, member, needed):
    """A part of a content with one thing in it; beside it, only the signature of a thought."""
    problems = modelled(types.Part, message)
    if problems:
        return problems
    problems = reading.ask(models._Part_to_mldev, types.Part.model_validate(message))[1]
    problems += [f"/{key}: not expected" for key in message if key not in (member, "thoughtSignature")]
    if member not in message:
        return problems + [f"/{member}: missing"]
    return problems + [f"/{member}/{key}: missing" for key in needed if key not in message[member]]


def ids(messages):
    """They may be left out; then names pair up calls and results, in their order."""
    calls = [message.get("functionCall", {}) for message in messages["calls"]]
    results = [message.get("functionResponse", {}) for message in messages["results"]]
    return ([(m.get("id"), m.get("name")) for m in each] for each in (calls, results))
