# expect: raised
def tool_error(e: object) -> int:
    return 5

ToolError = ValueError  # type: ignore
fail()
