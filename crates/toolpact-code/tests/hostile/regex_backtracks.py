# expect: raised re.PatternError
import re

re.match('(a+)+$', 'a' * 40 + 'b')
re.match('(a|aa)+\\1$', 'a' * 60 + 'b')
raise ValueError('done')
