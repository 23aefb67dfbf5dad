# expect: raised
add.__globals__  # type: ignore
