"""Writes a list for pip_wheels.py: the wheels of some packages and of all they need, with hashes.

usage: lock_wheels.py NAME==VERSION … > requirements/LIST.txt

The hashes are those of the wheels for several versions of Python on this kind of machine, so that
one list serves them all. The same packages give the same list, until one that is only needed has a
newer version.
"""

import json
import platform
import subprocess
import sys

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
# From the newest C library on: pip takes the first that a package has a wheel for.
LIBRARIES = ["manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014"]


def wheels(packages, python):
    """What pip would install, as pairs of `name==version` and hash."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--dry-run", "--ignore-installed", "--report", "-", "--target", "nowhere"]
    command += ["--only-binary", ":all:", "--python-version", python]
    for library in LIBRARIES:
        command += ["--platform", f"{library}_{platform.machine()}"]
    report = subprocess.run(command + packages, check=True, stdout=subprocess.PIPE).stdout
    for item in json.loads(report)["install"]:
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        yield f"{name.lower()}=={version}", item["download_info"]["archive_info"]["hashes"]["sha256"]


def main(packages):
    hashes = {}
    for python in PYTHONS:
        found = dict(wheels(packages, python))
        # A newer Python must not bring another version of anything.
        packages = sorted(hashes.keys() | found.keys())
        for package, sha256 in found.items():
            hashes.setdefault(package, set()).add(sha256)
    for package in sorted(hashes):
        print(package, *(f"--hash=sha256:{sha256}" for sha256 in sorted(hashes[package])))


if __name__ == "__main__":
    main(sys.argv[1:])
