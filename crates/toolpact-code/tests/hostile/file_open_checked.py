# expect: types
open('/etc/passwd').read()
