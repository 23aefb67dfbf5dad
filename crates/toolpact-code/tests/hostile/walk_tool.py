# expect: raised AttributeError
add.__globals__
