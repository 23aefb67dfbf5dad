# expect: raised AttributeError
add.__globals__  # type: ignore
