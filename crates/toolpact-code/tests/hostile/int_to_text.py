# expect: raised ValueError|limit-time
x = 10 ** 100000
str(x)
