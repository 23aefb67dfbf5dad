# expect: limit-recursion|raised
import json

json.loads('[' * 100000 + ']' * 100000)
