# expect: types
ａｄｄ(1)
