# expect: types
exec('import os')
