# expect: types
from urllib.request import urlopen

urlopen('http://localhost')
