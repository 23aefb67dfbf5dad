# expect: types
compile('1', 'a', 'eval')
