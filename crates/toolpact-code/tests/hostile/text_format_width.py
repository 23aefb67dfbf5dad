# expect: limit-memory|raised
f'{1:1000000000000}'
