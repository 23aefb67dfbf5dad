# expect: raised PermissionError
from pathlib import Path

Path('/tmp/toolpact').write_text('a')
