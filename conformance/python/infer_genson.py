"""What genson infers from examples.

usage: infer_genson.py PACKAGE FOLDER…

In each FOLDER, reads `examples.jsonl` and writes `genson.json`.
"""

import json
import sys
from pathlib import Path


def main(package, folders):
    sys.path.insert(0, package)
    from genson import SchemaBuilder

    for folder in map(Path, folders):
        builder = SchemaBuilder()
        with open(folder / "examples.jsonl", encoding="utf-8") as lines:
            for line in lines:
                builder.add_object(json.loads(line))
        (folder / "genson.json").write_text(builder.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
