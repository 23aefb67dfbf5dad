# expect: raised PermissionError
from pathlib import Path

Path('/etc/passwd').read_text()
