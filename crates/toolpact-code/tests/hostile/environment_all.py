# expect: raised PermissionError
import os

os.environ
