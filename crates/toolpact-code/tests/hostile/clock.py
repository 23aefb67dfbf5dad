# expect: raised PermissionError
import datetime

datetime.datetime.now()
