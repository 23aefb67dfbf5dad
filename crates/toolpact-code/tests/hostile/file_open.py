# expect: raised PermissionError
open('/etc/passwd').read()  # type: ignore
