# expect: types
eval('1 + 1')
