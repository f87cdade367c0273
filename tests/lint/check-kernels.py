#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that no CUDA kernel spills more bytes than its line in cuda/kernels.txt allows, and that every kernel has a line."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import kernel_resources as resources  # noqa: E402


def complaints(rows, limits):
    used = set()
    for row in rows:
        key, name = resources.limits_of(limits, row), f"{row['source']}.cu: {row['kernel']}"
        if key is None and (row["registers"] or row["spilled"]):
            yield f"{name} has no line in cuda/kernels.txt: {row['source']} {row['kernel']} THREADS {row['spilled']}"
        elif key is not None:
            used.add(key)
            if row["spilled"] > limits[key][1]:
                yield f"{name} spills {row['spilled']} bytes for capability {row['capability']}; cuda/kernels.txt allows {limits[key][1]}"
    for source, kernel in sorted(set(limits) - used):
        yield f"cuda/kernels.txt has a line for {source} {kernel}, which no source has"


def main(root, build):
    rows = resources.read_figures(build)
    if not rows:
        print("the CUDA module was not built: there are no figures of its kernels")
        return 77
    found = list(dict.fromkeys(complaints(rows, resources.read_limits(pathlib.Path(root, "cuda", "kernels.txt")))))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
