"""Installs packages from wheels into a folder of their own, each pinned by version and hash."""

import subprocess
import sys
from pathlib import Path


def main(requirements, into):
    lists = Path(__file__).parent / "requirements"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # What is not in the list is not installed, and nothing is built: wheels are data.
    command += ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
    command += ["--target", into, "--requirement", str(lists / requirements)]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    # Package, version and hash are in the list of requirements too, which pip reads.
    _, _, _, requirements, into = sys.argv[1:]
    sys.exit(main(requirements, into))
