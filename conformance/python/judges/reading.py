"""How an SDK is asked: whether it takes a value, and whether it keeps all of it.

SDKs skip what they do not know. So what they made of a value is compared with the value itself:
a member that was skipped, renamed or turned into another type is a problem.
"""

import functools
import json
import warnings

import pydantic
from pydantic_core import SchemaSerializer, SchemaValidator


def ask(act, *args, **options):
    """What a call returns, and as problems what it raises or warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = act(*args, **options)
        except pydantic.ValidationError as error:
            return None, [f"{path(e['loc'])}: {e['msg']}" for e in error.errors()]
        except Exception as error:  # Whatever it is: the SDK refuses.
            return None, [f"{type(error).__name__}: {error}"]
    # Others are about the code of the SDK.
    return value, [str(w.message) for w in caught if w.category is UserWarning]


def typed(shape, value):
    """The problems of a value by a type of an SDK: a TypedDict, or a model that may let pass what
    it does not know."""
    validator, serializer = reader(shape)
    # As text, since strict mode is about what JSON can say.
    read, problems = ask(validator.validate_json, json.dumps(value), strict=True)
    if problems:
        return problems
    kept = serializer.to_python(read, mode="json", by_alias=True, exclude_unset=True)
    return unknown(read) + differences(value, kept)


@functools.cache
def reader(shape):
    adapter = pydantic.TypeAdapter(shape)
    # SDKs put this off, for a quick start.
    adapter.rebuild(force=True)
    core = at_once(adapter.core_schema)
    return SchemaValidator(core), SchemaSerializer(core)


def at_once(core):
    """SDKs have `Iterable` where they mean a list. It takes anything, and looks at it when asked."""
    if isinstance(core, list):
        return [at_once(item) for item in core]
    if not isinstance(core, dict):
        return core
    core = {key: at_once(value) for key, value in core.items()}
    if core.get("type") == "generator":
        core["type"] = "list"
    return core


def unknown(read, at=""):
    """Members that a model let pass without knowing them."""
    if isinstance(read, list):
        return [p for i, item in enumerate(read) for p in unknown(item, f"{at}/{i}")]
    if not isinstance(read, pydantic.BaseModel):
        return []
    found = [f"{at}/{name}: the SDK does not know it" for name in read.model_extra or {}]
    for name in type(read).model_fields:
        found += unknown(getattr(read, name), f"{at}/{name}")
    return found


def differences(sent, kept, at=""):
    """Where what the SDK kept is not what it was sent."""
    if isinstance(sent, dict) and isinstance(kept, dict):
        found = [f"{at}/{key}: the SDK drops it" for key in sent if key not in kept]
        found += [f"{at}/{key}: the SDK adds it" for key in kept if key not in sent]
        for key in sent.keys() & kept.keys():
            found += differences(sent[key], kept[key], f"{at}/{key}")
        return sorted(found)
    if isinstance(sent, list) and isinstance(kept, list) and len(sent) == len(kept):
        pairs = enumerate(zip(sent, kept))
        return [p for i, (s, k) in pairs for p in differences(s, k, f"{at}/{i}")]
    # In Python, `True == 1`.
    if sent == kept and isinstance(sent, bool) == isinstance(kept, bool):
        return []
    return [f"{at}: the SDK makes {kept!r} of {sent!r}"]


def path(parts):
    return "".join(f"/{part}" for part in parts)


def items(document, key, beside=()):
    """The list under a key of a document, and what is wrong with the document."""
    if not isinstance(document, dict) or not isinstance(document.get(key), list):
        return [], [f"expected an object with the list `{key}`"]
    others = [other for other in document if other != key and other not in beside]
    return document[key], [f"/{other}: not expected here" for other in others]


def doubles(names):
    """Two tools of one name cannot be told apart by a call."""
    twice = sorted({str(name) for name in names if names.count(name) > 1})
    return [f"{name}: the name of more than one tool" for name in twice]
