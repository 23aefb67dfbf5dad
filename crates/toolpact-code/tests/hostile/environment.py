# expect: raised PermissionError
import os

os.getenv('HOME')
