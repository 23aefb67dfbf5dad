# expect: types|raised|syntax
ａｄｄ(1)
