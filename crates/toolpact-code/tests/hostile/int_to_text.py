# expect: raised ValueError
x = 10 ** 100000
str(x)
