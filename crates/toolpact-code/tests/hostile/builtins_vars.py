# expect: raised|types|value
vars()
