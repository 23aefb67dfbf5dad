"""What orjson is built with: see pkg_info.py."""

from pkg_info import build_wheel, prepare_metadata_for_build_wheel  # noqa: F401
