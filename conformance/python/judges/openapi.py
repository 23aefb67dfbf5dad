"""OpenAPI 3.0 and 3.1: a validator of documents, and one of the schemas in them. There are no messages."""

from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

from judges import reading, schemas


def tools(dialect, document):
    old = dialect == "openapi-3.0"
    validator = OpenAPIV30SpecValidator if old else OpenAPIV31SpecValidator
    errors, problems = reading.ask(lambda: list(validator(document).iter_errors()))
    problems += [f"{reading.path(error.absolute_path)}: {error.message}" for error in errors or []]
    # That of 3.1 does not look into the schemas of requests, and none follows their references.
    for at, schema in found(document):
        check = schemas.unresolved if old else schemas.valid
        problems += check(schema, at, root=document)
    return [("*", problems)]


def found(value, at=""):
    """The schemas of a document, which are not looked into for more: those that have a name, and
    those of what has a schema."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from found(item, f"{at}/{number}")
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        if at == "/components/schemas" or key == "schema":
            yield f"{at}/{key}", inner
        elif key not in ("example", "examples"):
            yield from found(inner, f"{at}/{key}")
