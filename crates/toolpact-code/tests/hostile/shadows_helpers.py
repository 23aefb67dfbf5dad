# expect: raised ToolError
def tool_error(e: object) -> int:
    return 5

ToolError = ValueError  # type: ignore
fail()
