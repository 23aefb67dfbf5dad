# expect: limit-calls
while True:
    try:
        fail()
    except ToolError:
        pass
