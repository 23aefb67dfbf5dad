# Tools, declared by their contracts. Made by toolpact.
from typing import Literal, NotRequired, TypedDict

ToolError = RuntimeError
"""What a tool raises that fails."""

class ProcessStartResponse(TypedDict):
    summary: str
    action: Literal["start"]
    processId: str
    status: Literal["starting", "running", "exited"]
    pid: NotRequired[int]
    exitCode: NotRequired[int]

def process_start(command: list[str], name: str | None = None) -> ProcessStartResponse:
    """Starts a program that goes on in the background."""
    ...
