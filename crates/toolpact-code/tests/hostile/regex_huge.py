# expect: limit-memory|raised|limit-time
import re

re.compile('(a{1000}){1000}{1000}')
