#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Least times of a step on a device, from the floating-point operations and bytes that the profiler records for each operation, to compare a device
with. predicted_times.py LACUNA [-o FILE]: the table. A step is the difference of two runs of different length on the CPU, so that set-up
and evaluation cancel."""
import argparse
import json
import pathlib
import subprocess
import tempfile

# Peaks per second of the vector units, without tensor cores, and of memory, by the data sheets of the SXM modules.
DEVICES = {"A100": {"f32": 19.5e12, "f64": 9.7e12, "bytes": 2.0e12}, "H100": {"f32": 66.9e12, "f64": 33.5e12, "bytes": 3.35e12},
           "H200": {"f32": 66.9e12, "f64": 33.5e12, "bytes": 4.8e12}}
# What is timed, experiment, settings, precision, the setting for the number of steps, two of its values, and how many of the measured steps make one.
STEPS = (
    ("Physics-informed network, 4 × 128, 4096 points", "burgers", "width=128 depth=4 points=4096 quasi_steps=0 engines=pinn judge=100000", "f32", "adam_steps", (2, 6), 1),
    ("Wavefunction of lithium hydride, 2 × 64, 256 walkers", "lih", "pretraining=0", "f64", "iterations", (2, 6), 1),
    ("Decoder network, 512 × 512", "usaf", "solver=decoder size=512 grid=512 diameter=121 inner=24 roi=319 apertures=3 decoder_together=1 decoder_retries=0 decoder_steps=1", "f32", "decoder_finish", (1, 3), 1),
    ("Sweep of PIE, 256 × 256, 400 exposures", "usaf", "solver=pie size=256 grid=256 diameter=60.5 inner=12 roi=159.5 apertures=400 is_real=no bounds=no hold_out=0 judge=100000", "f32",
     "pie_sweeps", (2, 6), 1),
    ("Filter, 512 × 512, 256 members, one time step", "kolmogorov", "engines=enkf grid=512 time_step=0.005 interval=0.05 spin_up=0.1 snapshots=20 members=8 start_members=0 lag=0 "
     "whole_window=no", "f32", "observations", (2, 4), 32 / 10),
)


def totals(lacuna, experiment, settings, precision, folder):
    """Returns: the steps of a whole run, and {operation: (FLOP, bytes)}."""
    words = [word for pair in settings.split() for word in ("--set", pair)]
    done = subprocess.run([lacuna, "run", experiment, *words, "--precision", precision, "--backend", "cpu", "--no-cache", "--json", "--out", folder], capture_output=True, text=True)
    last = json.loads(done.stdout.splitlines()[-1])
    if "run" not in last:
        raise SystemExit(f"{experiment} {settings}: {last}")
    profile = json.loads(subprocess.run([lacuna, "profile", last["run"], "--json"], capture_output=True, text=True, check=True).stdout)
    return last["steps"], {row["name"]: (row["flops"], row["bytes"]) for row in profile["operations"]}


def step(lacuna, experiment, settings, precision, key, lengths, factor, folder):
    """Returns: [(operation, FLOP, bytes)] of one step."""
    (n_short, short), (n_long, long) = (totals(lacuna, experiment, f"{settings} {key}={length}", precision, folder) for length in lengths)
    scale = factor / (n_long - n_short)
    rows = [(name, *(scale * (after - before) for after, before in zip(long[name], short.get(name, (0, 0))))) for name in long]
    apart = ("write", "collect", "checkpoint", "snapshot", "assemble", "ensemble forecast")  # recording, and the sum of operations listed themselves
    return [row for row in rows if (row[1] > 0 or row[2] > 0) and not row[0].startswith(apart)]


def bound(rows, precision, device):
    """Returns: the least seconds, and the share of them in operations that memory limits."""
    times = [(flops / device[precision], moved / device["bytes"]) for _, flops, moved in rows]
    whole = sum(max(pair) for pair in times)
    return whole, sum(moved for computed, moved in times if moved > computed) / whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lacuna", help="the program")
    parser.add_argument("-o", help="a file in place of the terminal")
    options = parser.parse_args()
    lines = ["| step | | GFLOP | GB | " + " | ".join(f"{name}, ms" for name in DEVICES) + " | limited by memory, % |", "|---|---|---:|---:|" + "---:|" * (len(DEVICES) + 1)]
    for name, *what in STEPS:
        with tempfile.TemporaryDirectory() as folder:
            rows = step(options.lacuna, *what, folder)
        precision = what[2]
        times = [bound(rows, precision, device) for device in DEVICES.values()]
        heaviest = max(rows, key=lambda row: max(row[1] / DEVICES["H100"][precision], row[2] / DEVICES["H100"]["bytes"]))[0]
        lines.append(f"| {name}; most of it: {heaviest} | {precision} | {sum(row[1] for row in rows) / 1e9:.3g} | {sum(row[2] for row in rows) / 1e9:.3g} | "
                     + " | ".join(f"{1e3 * seconds:.3g}" for seconds, _ in times) + f" | {100 * times[1][1]:.0f} |")
        print(lines[-1], flush=True)
    text = "\n".join([
        "# Least times of a step on a device",
        "",
        "By `bench/predicted_times.py build/lacuna`: for each operation the larger of FLOP / peak and bytes / bandwidth, summed over a step, with what the",
        "profiler counts on the CPU. Peaks of the data sheets, without tensor cores: " + "; ".join(
            f"{name} {device['f32'] / 1e12:.3g} TFLOP/s in f32, {device['f64'] / 1e12:.3g} in f64, {device['bytes'] / 1e12:.3g} TB/s" for name, device in DEVICES.items()) + ".",
        "Not included: launches (1 to 2 µs each in a recorded step), and operations that the profiler does not count. Nothing of this was measured on a",
        "device: a measured step is at least this long, and its ratio to this is what kernels and launches lose.",
        "",
        *lines,
        "",
    ])
    if options.o:
        pathlib.Path(options.o).write_text(text, encoding="utf-8")
    else:
        print("\n" + text, end="")


if __name__ == "__main__":
    main()
