# Tools, declared by their contracts. Made by toolpact.
from typing import Literal, TypedDict

ToolError = RuntimeError
"""What a tool raises that fails."""

class AppRulesResponse(TypedDict):
    summary: str
    appId: str
    action: Literal["add_allow", "add_deny", "remove"]
    changed: bool
    approved: bool

def app_rules(appId: str, action: Literal["add_allow", "add_deny", "remove"], rule: str) -> AppRulesResponse:
    """Changes what an app may do. A change has to be approved by a person."""
    ...
