# expect: raised re.PatternError
import re

re.compile('(a{1000}){1000}{1000}')
