#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Alternates the forward Laplacian of bench-wavefunction with PyTorch and with JAX and folx and prints the ratios of the medians as JSON.

One thread each, by CPU time, which other load hardly affects."""
import argparse
import json
import os
import pathlib
import statistics
import sys

from compare import steps

PEERS = {"torch_nested": ("torch", "nested", 4.5), "torch_forward": ("torch", "forward", 3.0),
         "folx_sparse": ("jax", "sparse", 2.0), "folx_dense": ("jax", "dense", 2.0)}


class Peer:
    def __init__(self, options, name):
        kind, mode, self.limit = PEERS[name]
        script = pathlib.Path(__file__).with_name(f"wavefunction_{kind}.py")
        self.name, self.head = name, ""
        self.ours = [options.bench, "--case", "four-256x32", "--steps", "8"]
        self.theirs = [getattr(options, kind), str(script), mode, "--steps", "4"]
        self.mine, self.other, self.ratios = [], [], []

    def take_turn(self):
        before = statistics.median(steps(self.ours, 1)[1])
        self.head, times = steps(self.theirs, 1)
        after = statistics.median(steps(self.ours, 1)[1])
        self.mine.append((before + after) / 2)
        self.other.append(statistics.median(times))
        self.ratios.append(self.other[-1] / self.mine[-1])

    def row(self):
        value = statistics.median(self.ratios)
        return {"name": "quantum/four-256x32-f32", "metric": f"{self.name}_over_ours", "threads": 1,
                "rounds": len(self.ratios), "value": round(value, 3), "unit": "1",
                "least": round(min(self.ratios), 3), "most": round(max(self.ratios), 3),
                "spread": round(max(self.ratios) - min(self.ratios), 3), "limit": self.limit,
                "passed": value >= self.limit, "ours_ms": round(statistics.median(self.mine), 3),
                "theirs_ms": round(statistics.median(self.other), 3), "clock": "process CPU time", "peer": self.head}


def take_rounds(options, peers):
    """Runs every peer once per round, so that temporary load affects all of them."""
    os.nice(options.nice)
    for i in range(options.rounds):
        for peer in peers:
            peer.take_turn()
            print(f"round {i + 1} of {options.rounds}: {peer.name} {peer.ratios[-1]:.2f}", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="the built bench-wavefunction")
    parser.add_argument("--torch", help="a Python with PyTorch")
    parser.add_argument("--jax", help="a Python with JAX and folx")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--nice", type=int, default=0, help="how much everybody stands back for others")
    parser.add_argument("--out", help="where the JSON goes; standard output")
    options = parser.parse_args()
    peers = [Peer(options, name) for name, peer in PEERS.items() if getattr(options, peer[0])]
    take_rounds(options, peers)
    rows = [peer.row() for peer in peers]
    text = json.dumps(rows, indent=1) + "\n"
    if options.out:
        pathlib.Path(options.out).write_text(text)
    else:
        sys.stdout.write(text)
    return 0 if all(row["passed"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
