"""The figures of all engines as one table; each line of input is a JSON object."""

import json
import sys
from math import exp, log

OURS = "toolpact"


def main():
    times = {}
    for line in map(json.loads, sys.stdin):
        row = times.setdefault(line["case"], {}).setdefault(line["engine"], {})
        for kind in ("valid", "invalid"):
            row[kind] = min(line[kind], row.get(kind, float("inf")))
    ratios = {}
    for case, rows in times.items():
        ours = next(row for engine, row in rows.items() if engine.startswith(OURS))
        print(f"{case:<42} {'valid, µs':>11} {'×':>8} {'invalid, µs':>13} {'×':>8}")
        for engine, row in rows.items():
            ratio = {kind: row[kind] / ours[kind] for kind in row}
            ratios.setdefault(engine, []).append(ratio["valid"])
            print(
                f"  {engine:<40} {row['valid']:>11.2f} {ratio['valid']:>8.1f}"
                f" {row['invalid']:>13.2f} {ratio['invalid']:>8.1f}"
            )
        print()
    print("times the time of toolpact, geometric mean of the valid ones")
    for engine, all_of_it in ratios.items():
        mean = exp(sum(map(log, all_of_it)) / len(all_of_it))
        print(f"  {engine:<40} {mean:>8.1f}")


main()
