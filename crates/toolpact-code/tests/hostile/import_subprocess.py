# expect: types
import subprocess

subprocess.run(['id'])
