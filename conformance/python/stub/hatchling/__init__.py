"""What jsonschema is built with: see ../pkg_info.py.

A package with this file, and not a bare folder, which an installed hatchling would go before.
"""
