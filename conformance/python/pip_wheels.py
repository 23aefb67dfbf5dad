"""Installs packages from wheels into a folder of their own, each pinned by version and hash.

usage: pip_wheels.py NAME VERSION SHA256 LIST DESTINATION

The hash is that of LIST, or of the one package of interest in it. lock_wheels.py makes long lists.
"""

import hashlib
import subprocess
import sys
from pathlib import Path


def main(sha256, requirements, into):
    path = Path(__file__).parent / "requirements" / requirements
    text = path.read_bytes()
    # The folder is named after the hash, so another list must have another.
    actual = hashlib.sha256(text).hexdigest()
    if sha256 != actual and sha256.encode() not in text:
        sys.exit(f"{requirements} has the hash {actual}, and none in it is {sha256}")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # What is not in the list is not installed, and nothing is built: wheels are data.
    command += ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
    command += ["--target", into, "--requirement", str(path)]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    # Package and version are in the list too, which pip reads.
    _, _, sha256, requirements, into = sys.argv[1:]
    sys.exit(main(sha256, requirements, into))
