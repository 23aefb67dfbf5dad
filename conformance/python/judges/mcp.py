"""MCP: the messages of its SDK in each version of the protocol, and schemas as clients read them."""

from mcp.shared.tool_name_validation import validate_tool_name
from mcp_types import methods
from mcp_types.version import LATEST_PROTOCOL_VERSION

from judges import reading, schemas

# What a server adds around its tools, and a client to its calls. An export has neither.
LIST = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
CLIENT = {
    "io.modelcontextprotocol/protocolVersion": LATEST_PROTOCOL_VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
# The SDK reads older versions as it reads 2025-11-25, which brought these.
NEW_IN_2025_11 = ["icons", "execution"]


def version_of(dialect):
    return dialect.removeprefix("mcp").removeprefix("-") or LATEST_PROTOCOL_VERSION


def is_latest(dialect):
    return version_of(dialect) == LATEST_PROTOCOL_VERSION


def tools(dialect, document):
    listed, problems = reading.items(document, "tools", LIST if is_latest(dialect) else [])
    names = [tool.get("name") for tool in listed]
    yield "*", problems + list_of(dialect, {**document, "tools": []}) + reading.doubles(names)
    for tool in listed:
        yield tool.get("name"), judge(dialect, tool)


def judge(dialect, tool):
    problems = list_of(dialect, {"tools": [tool]})
    if problems:
        return problems
    version = version_of(dialect)
    if version < "2025-11-25":
        problems += [f"/{key}: not in {version}" for key in NEW_IN_2025_11 if key in tool]
    else:
        # Before, there was no rule for names.
        problems += [f"/name: {warning}" for warning in validate_tool_name(tool["name"]).warnings]
    for member in "inputSchema", "outputSchema":
        if member in tool:
            # With them, as the client of the SDK asks for them to be sound.
            problems += schemas.valid(tool[member], f"/{member}", patterns=True)
    return problems


def list_of(dialect, document):
    """The problems of an answer to `tools/list`."""
    around = LIST if is_latest(dialect) else {}
    return kept(methods.SERVER_RESULTS["tools/list", version_of(dialect)], {**around, **document})


def kept(model, value):
    """What the model of a message says; where it can be one of several, the one that fits best."""
    arms = getattr(model, "__args__", [model])
    return min((arm_kept(arm, value) for arm in arms), key=len)


def arm_kept(model, value):
    read, problems = reading.ask(model.model_validate, value, by_alias=True, by_name=False)
    if problems:
        return problems
    return reading.differences(value, read.model_dump(mode="json", by_alias=True, exclude_unset=True))


def call(dialect, message):
    around = {"_meta": CLIENT} if is_latest(dialect) else {}
    request = methods.CLIENT_REQUESTS["tools/call", version_of(dialect)]
    envelope = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    return kept(request, {**envelope, "params": {**around, **message}})


def result(dialect, message):
    from mcp_types import _v2025_11_25, _v2026_07_28

    era = _v2026_07_28 if is_latest(dialect) else _v2025_11_25
    return kept(era.CallToolResult, message)


def ids(messages):
    """They are in the messages around these."""
    return [], []
