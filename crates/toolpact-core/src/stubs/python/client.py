# Tools of a toolpact server, as functions. Made by toolpact.
# Needs Python 3.9 or newer, and no packages. Types are for checkers: Python itself ignores them.
#
# The server is at the address below, or where the environment variable TOOLPACT_SERVER says. If it
# asks for a token, that is taken from TOOLPACT_TOKEN.
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import asyncio as _asyncio
import json as _json
import os as _os
import urllib.error as _urllib_error
import urllib.parse as _urllib_parse
import urllib.request as _urllib_request
import typing as _typing

_SERVER = "@SERVER@"


class ToolError(RuntimeError):
    """What a tool raises that fails."""

    def __init__(
        self, code: str, message: str, details: dict[str, _typing.Any], retryable: bool
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = details
        self.retryable = retryable


def tool_error(error: BaseException) -> dict[str, _typing.Any]:
    """Takes apart what a tool raised, as in scripts of `toolpact run`."""
    if not isinstance(error, ToolError):
        raise TypeError("tool_error() takes what a tool raised")
    keys = ("code", "message", "details", "retryable")
    return {key: getattr(error, key) for key in keys}


async def tool_task(
    tool: _typing.Callable[..., _typing.Any], *args: _typing.Any, **kwargs: _typing.Any
) -> _typing.Any:
    """Calls a tool while others run, as in scripts of `toolpact run`. Await it for the result."""
    return await _asyncio.to_thread(tool, *args, **kwargs)


def _call(
    tool: str,
    required: dict[str, _typing.Any],
    optional: dict[str, _typing.Any],
    repeatable: bool,
) -> _typing.Any:
    # `None` for an optional argument means that it is not given.
    given = {key: value for key, value in optional.items() if value is not None}
    body = _json.dumps({**required, **given}, allow_nan=False).encode()
    server = _os.environ.get("TOOLPACT_SERVER") or _SERVER
    if "://" not in server:
        server = "http://" + server
    url = server.rstrip("/") + "/v1/tools/" + _urllib_parse.quote(tool, safe="")
    headers = {"content-type": "application/json", "accept": "application/json"}
    token = _os.environ.get("TOOLPACT_TOKEN")
    if token:
        headers["authorization"] = "Bearer " + token
    request = _urllib_request.Request(url, body, headers, method="POST")
    opener = _urllib_request.build_opener(_urllib_request.ProxyHandler({}))
    try:
        with opener.open(request) as response:
            return _json.load(response)
    except _urllib_error.HTTPError as failure:
        raise _error(failure, server, repeatable) from None
    except _urllib_error.URLError as failure:
        reason = f"{server} cannot be reached: {failure.reason}"
        raise ConnectionError(f"{reason}; `toolpact serve` starts a server") from None


def _error(
    failure: _urllib_error.HTTPError, server: str, repeatable: bool
) -> Exception:
    with failure:
        text = failure.read()
    try:
        told = _json.loads(text)
        code, message, retry = told["code"], told["message"], told["retry"]
    except (ValueError, KeyError, TypeError):
        return ConnectionError(
            f"{server} answered {failure.code}, not as a toolpact server does"
        )
    retryable = retry == "yes" or (retry == "if_idempotent" and repeatable)
    return ToolError(code, message, told.get("details", {}), retryable)


def _payload(result: _typing.Any, key: str) -> _typing.Any:
    return result[key] if isinstance(result, dict) and key in result else result


def _success(result: _typing.Any) -> _typing.Any:
    if not isinstance(result, dict):
        return result
    return {key: value for key, value in result.items() if key not in ("success", "error")}


def _whole(result: _typing.Any, key: str | None) -> _typing.Any:
    if isinstance(result, dict) and (key is None or key in result):
        return result
    return {"success": True} if key is None else {"success": True, key: result}
