# expect: types|raised
input('give me a secret')
