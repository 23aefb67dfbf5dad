# expect: raised PermissionError
from pathlib import Path

list(Path('/').iterdir())
