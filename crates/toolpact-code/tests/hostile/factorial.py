# expect: raised OverflowError
import math

math.factorial(10 ** 9)
