# expect: limit-output
'a' * 1000000
