# Tools, declared by their contracts. Made by toolpact.
from typing import NotRequired, TypedDict

ToolError = RuntimeError
"""What a tool raises that fails."""

class WebSearchResponseSourcesItem(TypedDict):
    title: str
    url: str

class WebSearchResponse(TypedDict):
    summary: str
    query: str
    resultCount: int
    sources: NotRequired[list[WebSearchResponseSourcesItem]]

def web_search(query: str, resultCount: int = 5) -> WebSearchResponse:
    """Searches the web, and returns what was found as a summary with its sources."""
    ...
