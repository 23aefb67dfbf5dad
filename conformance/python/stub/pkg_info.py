"""Stands in for the build tool of a source package while pip downloads it.

`pip download` asks a source package's build tool for the package's metadata. We only
want the archive, so this answers from the PKG-INFO every source package carries: no
build tool is fetched, no compiler is needed, and none of the package's code is run.

The files beside this one give it the names of the tools that packages ask for.
"""

import email.parser
import os
import shutil


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with open("PKG-INFO", encoding="utf-8") as file:
        info = email.parser.HeaderParser().parse(file)
    # pip reads the package's name and version off this folder's name.
    name, version = info["Name"].replace("-", "_"), info["Version"]
    folder = f"{name}-{version}.dist-info"
    os.mkdir(os.path.join(metadata_directory, folder))
    shutil.copy("PKG-INFO", os.path.join(metadata_directory, folder, "METADATA"))
    return folder


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    raise RuntimeError("this stub only answers for a download")
