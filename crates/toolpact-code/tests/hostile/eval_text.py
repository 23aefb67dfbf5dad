# expect: raised|types
eval('1 + 1')
