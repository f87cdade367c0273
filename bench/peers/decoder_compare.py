#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Alternates bench-decoder with PyTorch (ours, torch, ours ...) in each of its configurations, and prints the ratios of the medians as JSON:
the best configuration counts. By CPU time, which a busy machine does not falsify, and by the clock on the wall. One thread unless more
are asked for: PyTorch flushes denormal numbers in its first thread alone, and its Adam has many in the others."""
import argparse
import json
import pathlib
import statistics
import sys

from compare import steps, torch_environment

MODES = ["plain", "fused", "channels-last"]
LIMIT = 3.0


def measure(options, mode):
    shape = ["--grid", options.grid, "--output", options.output, "--threads", options.threads]
    script = pathlib.Path(__file__).with_name("decoder_torch.py")
    ours = [str(word) for word in [options.bench, *shape, "--steps", 11]]
    theirs = [str(word) for word in [options.python, script, mode, *shape, "--steps", options.steps]]
    ratios, mine, other, head = {0: [], 1: []}, {0: [], 1: []}, {0: [], 1: []}, ""
    for _ in range(options.rounds):
        for column in (1, 0):
            before = statistics.median(steps(ours, column)[1])
            head, times = steps(theirs, column, torch_environment(options))
            after = statistics.median(steps(ours, column)[1])
            mine[column].append((before + after) / 2)
            other[column].append(statistics.median(times))
            ratios[column].append(other[column][-1] / mine[column][-1])
    return [
        {
            "name": f"imaging/decoder-step-{options.grid}-{options.output}-f32", "metric": f"torch_{mode}_over_ours_{clock}",
            "threads": options.threads, "value": round(statistics.median(ratios[column]), 3), "unit": "1",
            "spread": round(max(ratios[column]) - min(ratios[column]), 3),
            "ours_ms": round(statistics.median(mine[column]), 3), "torch_ms": round(statistics.median(other[column]), 3),
            "torch": head,
        }
        for column, clock in ((1, "cpu"), (0, "wall"))
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="the built bench-decoder")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has torch")
    parser.add_argument("--preload", help="a library for torch's processes, e.g. an OpenBLAS for OpenMP")
    parser.add_argument("--grid", type=int, default=1024)
    parser.add_argument("--output", type=int, default=512)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = [row for mode in MODES for row in measure(options, mode)]
    least = min(row["value"] for row in rows if row["metric"].endswith("cpu"))
    for row in rows:
        row.update(limit=LIMIT, passed=row["value"] >= LIMIT)
    print(json.dumps(rows, indent=1))
    return 0 if least >= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
