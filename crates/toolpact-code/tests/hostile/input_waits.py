# expect: types
input('give me a secret')
