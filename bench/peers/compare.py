#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Alternates bench-pinn-step with PyTorch (ours, torch, ours ...) and prints the ratios of the medians as JSON.

One thread is compared by CPU time, which other load does not affect; several by wall time."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

LIMITS = {"nested": 4.0, "taylor": 2.0}


def steps(command, column, environment=None):
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    lines = done.stdout.splitlines()
    head = lines.pop(0) if not lines[0][0].isdigit() else ""
    return head, [float(line.split()[column]) for line in lines]


def torch_environment(options):
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads), OPENBLAS_NUM_THREADS=str(options.threads))
    if options.preload:
        environment["LD_PRELOAD"] = options.preload
    return environment


def compare(options, mode):
    column = 1 if options.threads == 1 else 0
    shape = ["--layers", options.layers, "--width", options.width, "--points", options.points,
             "--threads", options.threads]
    ours = [options.bench, *shape, "--steps", 20]
    script = pathlib.Path(__file__).with_name("pinn_torch.py")
    theirs = [options.python, script, mode, *shape, "--steps", 7]
    ours, theirs = [[str(word) for word in command] for command in (ours, theirs)]
    mine, other, ratios, head = [], [], [], ""
    for _ in range(options.rounds):
        before = statistics.median(steps(ours, column)[1])
        head, times = steps(theirs, column, torch_environment(options))
        after = statistics.median(steps(ours, column)[1])
        mine.append((before + after) / 2)
        other.append(statistics.median(times))
        ratios.append(other[-1] / mine[-1])
    value = statistics.median(ratios)
    return {
        "name": f"flow/pinn-step-{options.layers}x{options.width}-f32", "metric": f"torch_{mode}_over_ours",
        "threads": options.threads, "value": round(value, 3), "unit": "1",
        "spread": round(max(ratios) - min(ratios), 3), "limit": LIMITS[mode], "passed": value >= LIMITS[mode],
        "ours_ms": round(statistics.median(mine), 3), "torch_ms": round(statistics.median(other), 3),
        "clock": "process CPU time" if column else "wall",
        "torch": head + (f", preloaded {pathlib.Path(options.preload).name}" if options.preload else ""),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="the built bench-pinn-step")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has torch")
    parser.add_argument("--preload", help="a library for torch's processes, e.g. an OpenBLAS for OpenMP")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--points", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = [compare(options, mode) for mode in LIMITS]
    print(json.dumps(rows, indent=1))
    return 0 if all(row["passed"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
