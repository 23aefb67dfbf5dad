# expect: limit-memory
f'{1:1000000000000}'
