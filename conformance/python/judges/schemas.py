"""What is asked of any JSON Schema, and walks over schemas."""

import jsonschema
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from judges import reading

ONE = "items additionalProperties contains not if then else propertyNames contentSchema".split()
ONE += ["unevaluatedItems", "unevaluatedProperties"]
LIST = "anyOf oneOf allOf prefixItems".split()
# `defs` is Gemini's.
MAP = "properties patternProperties $defs definitions dependentSchemas defs".split()


def nodes(schema, at=""):
    """All objects that are schemas in a schema, itself included, each with its path."""
    if isinstance(schema, dict):
        yield at, schema
        for place, inner in children(schema, at):
            yield from nodes(inner, place)


def children(schema, at=""):
    """The schemas right below a schema, each with its path."""
    for key in ONE:
        if key in schema:
            yield f"{at}/{key}", schema[key]
    for key in LIST:
        for number, inner in enumerate(listed(schema.get(key))):
            yield f"{at}/{key}/{number}", inner
    for key in MAP:
        for name, inner in mapped(schema.get(key)).items():
            yield f"{at}/{key}/{name}", inner


def listed(value):
    return value if isinstance(value, list) else []


def mapped(value):
    return value if isinstance(value, dict) else {}


def valid(schema, at, patterns=False, root=None):
    """The problems of a schema by its meta-schema, which is that of 2020-12 unless it says so, and
    references that lead nowhere in the document it is the root of, or has as its root; with
    `patterns`, also what Python takes for no pattern."""
    if not isinstance(schema, dict):
        return [f"{at}: a schema must be an object"]
    validator = validator_for(schema, jsonschema.Draft202012Validator)
    checker = validator.FORMAT_CHECKER if patterns else jsonschema.FormatChecker(formats=())
    try:
        validator.check_schema(schema, format_checker=checker)
    except jsonschema.SchemaError as error:
        return [f"{at}{reading.path(error.absolute_path)}: {error.message}"]
    return unresolved(schema, at, root)


def unresolved(schema, at, root=None):
    """The references of a schema that lead nowhere in its document."""
    resolver = resolver_of(root or schema)
    problems = []
    for place, node in nodes(schema, at):
        try:
            resolver.lookup(node.get("$ref", ""))
        except Unresolvable:
            problems.append(f"{place}/$ref: {node['$ref']!r} leads nowhere")
    return problems


def resolver_of(document):
    """Nothing is fetched: what is not in the document is not there."""
    return Registry().with_resource("", DRAFT202012.create_resource(document)).resolver()


def of_object(schema, at):
    """The problems of a schema that must be that of an object."""
    if not isinstance(schema, dict):
        return [f"{at}: a schema must be an object"]
    if schema.get("type") != "object":
        return [f"{at}/type: must be \"object\", and is {schema.get('type')!r}"]
    return []


def recursive(schema):
    """Whether a schema reaches itself by references within the document."""
    resolver = resolver_of(schema)
    # A definition is only looked at where it is used.
    root = {key: value for key, value in schema.items() if key not in ("$defs", "definitions")}
    done = set()

    def returns(node, on_the_way):
        for _, inner in nodes(node):
            reference = inner.get("$ref")
            if reference in on_the_way:
                return True
            if reference is not None and reference not in done:
                target = resolver.lookup(reference).contents
                if returns(target, on_the_way | {reference}):
                    return True
                done.add(reference)
        return False

    return returns(root, {"#"})
