try:
    get_ticket(4)
except ToolError as error:
    failure = tool_error(error)
failure
