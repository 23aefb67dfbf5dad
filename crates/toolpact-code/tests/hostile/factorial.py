# expect: limit-time|limit-memory|raised
import math

math.factorial(10 ** 9)
