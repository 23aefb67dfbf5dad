# Tools, declared by their contracts. Made by toolpact.
from typing import Literal, NotRequired, TypedDict

ToolError = RuntimeError
"""What a tool raises that fails."""

class ReadResponse(TypedDict):
    summary: str
    action: Literal["read"]
    content: str
    path: str
    size: int
    """Bytes of the whole file."""
    truncated: bool
    nextOffset: NotRequired[int]

def read(path: str, offset: int | None = None, limit: int | None = None) -> ReadResponse:
    """Reads a text file. Long files are cut; ask again with `offset` for the rest.

    Args:
        offset: The line to begin with.
    """
    ...
