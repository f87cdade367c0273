#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Alternates bench-decoder with PyTorch (ours, torch, ours ...) in each of its configurations, with one thread and with more, and prints the
ratios of the medians as JSON: the best configuration counts. One thread is scored by CPU time, which other load does not affect, several by
wall time. PyTorch's threads wait without spinning, which costs it a hundred times as much where other programs run."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

from compare import torch_environment

MODES = ["plain", "fused", "channels-last"]
LIMIT = 3.0
CLOCKS = {0: "wall", 1: "cpu"}  # columns of the output of both programs


def run(command, environment=None):
    """Returns the header line, if any, and the medians of both clocks."""
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, env=environment)
    lines = done.stdout.splitlines()
    head = lines.pop(0) if not lines[0][0].isdigit() else ""
    return head, [statistics.median(float(line.split()[column]) for line in lines) for column in CLOCKS]


def measure(options, mode, threads):
    shape = ["--grid", options.grid, "--output", options.output, "--threads", threads]
    ours = [options.bench, *shape, "--steps", 11]
    theirs = [options.python, pathlib.Path(__file__).with_name("decoder_torch.py"), mode, *shape, "--steps", options.steps]
    environment = dict(torch_environment(argparse.Namespace(**{**vars(options), "threads": threads})), OMP_WAIT_POLICY="passive")
    column = 1 if threads == 1 else 0
    mine, other, head = [run(ours)[1][column]], [], ""
    for _ in range(options.rounds):
        head, clocks = run(theirs, environment)
        other.append(clocks[column])
        mine.append(run(ours)[1][column])
    ratios = [time / ((mine[i] + mine[i + 1]) / 2) for i, time in enumerate(other)]
    value = statistics.median(ratios)
    return {
        "name": f"imaging/decoder-step-{options.grid}-{options.output}-f32", "metric": f"torch_{mode}_over_ours_{CLOCKS[column]}",
        "threads": threads, "value": round(value, 3), "unit": "1", "spread": round(max(ratios) - min(ratios), 3),
        "ours_ms": round(statistics.median(mine), 3), "torch_ms": round(statistics.median(other), 3), "torch": head,
        "limit": LIMIT, "passed": value >= LIMIT,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="the built bench-decoder")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has torch")
    parser.add_argument("--preload", help="a library for torch's processes, e.g. an OpenBLAS for OpenMP")
    parser.add_argument("--grid", type=int, default=1024)
    parser.add_argument("--output", type=int, default=512)
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = [measure(options, mode, threads) for threads in options.threads for mode in MODES]
    print(json.dumps(rows, indent=1))
    return 0 if all(row["passed"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
