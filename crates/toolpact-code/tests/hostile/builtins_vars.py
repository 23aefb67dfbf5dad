# expect: types
vars()
