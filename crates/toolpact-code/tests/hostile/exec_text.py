# expect: raised|types
exec('import os')
