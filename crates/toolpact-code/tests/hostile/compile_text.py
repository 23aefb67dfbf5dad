# expect: raised|types
compile('1', 'a', 'eval')
