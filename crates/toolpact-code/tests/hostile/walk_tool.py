# expect: types|raised
add.__globals__
