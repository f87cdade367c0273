#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Alternates the forward Laplacian of bench-wavefunction with PyTorch and with JAX and folx and prints the ratios of the medians as JSON.

One thread each, by CPU time, which a busy machine hardly falsifies."""
import argparse
import json
import pathlib
import statistics
import sys

from compare import steps

PEERS = {"torch_nested": ("torch", "nested", 4.5), "torch_forward": ("torch", "forward", 3.0),
         "folx_sparse": ("jax", "sparse", 2.0), "folx_dense": ("jax", "dense", 2.0)}


def compare(options, name):
    kind, mode, limit = PEERS[name]
    ours = [options.bench, "--case", "four-256x32", "--steps", "8"]
    script = pathlib.Path(__file__).with_name(f"wavefunction_{kind}.py")
    theirs = [getattr(options, kind), str(script), mode, "--steps", "4"]
    mine, other, ratios, head = [], [], [], ""
    for _ in range(options.rounds):
        before = statistics.median(steps(ours, 1)[1])
        head, times = steps(theirs, 1)
        after = statistics.median(steps(ours, 1)[1])
        mine.append((before + after) / 2)
        other.append(statistics.median(times))
        ratios.append(other[-1] / mine[-1])
    value = statistics.median(ratios)
    return {"name": "quantum/four-256x32-f32", "metric": f"{name}_over_ours", "threads": 1, "value": round(value, 3),
            "unit": "1", "spread": round(max(ratios) - min(ratios), 3), "limit": limit, "passed": value >= limit,
            "ours_ms": round(statistics.median(mine), 3), "theirs_ms": round(statistics.median(other), 3),
            "clock": "process CPU time", "peer": head}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="the built bench-wavefunction")
    parser.add_argument("--torch", help="a Python with PyTorch")
    parser.add_argument("--jax", help="a Python with JAX and folx")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = [compare(options, name) for name, peer in PEERS.items() if getattr(options, peer[0])]
    json.dump(rows, sys.stdout, indent=1)
    print()
    return 0 if all(row["passed"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
