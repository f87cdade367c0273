#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""All GPU checks in under ten minutes, with a table at the end: the program's device test, compute-sanitizer, contract tests, then the
benchmarks against their peers. `./dev gpu` builds and calls it; --emulated uses the emulated device of the tests, whose times are
meaningless. Exit status: 0 passed, 1 failed, 69 no device."""
import argparse
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from record import processor

NO_DEVICE = 69
HERE = pathlib.Path(__file__).resolve().parent


class Session:
    """Options, time left, and the rows so far."""

    def __init__(self, options):
        self.options, self.build = options, pathlib.Path(options.build).resolve()
        self.end = time.monotonic() + options.seconds
        self.rows, self.figures = [], []
        self.environment = dict(os.environ, LACUNA_SOURCE_ROOT=str(HERE.parent), LACUNA_BUILD_ROOT=str(self.build),
                                G_DEBUG="gc-friendly,fatal-criticals", CUBLAS_WORKSPACE_CONFIG=":4096:8",
                                LACUNA_TEST_DEVICE="cuda")
        if options.emulated:
            self.environment["LACUNA_MODULE_DIR"] = str(self.build / "tests" / "cuda")
        elif options.module:
            self.environment["LACUNA_MODULE_DIR"] = options.module

    def run(self, command, most=300):
        """Returns: exit status and both outputs; None on timeout or for a missing program."""
        left = min(most, self.end - time.monotonic())
        if left <= 1:
            return None, "the ten minutes are over"
        try:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=left, env=self.environment)
        except FileNotFoundError as missing:
            return None, f"{missing.filename} is not there"
        except subprocess.TimeoutExpired:
            return None, f"stopped after {left:.0f} s"
        return done.returncode, done.stdout + done.stderr

    def say(self, line, figure, limit, verdict):
        self.rows.append({"line": line, "figure": figure, "limit": limit, "verdict": verdict})
        print(f"  {line}: {figure}: {verdict}", flush=True)

    def not_run(self, line, limit, why):
        self.say(line, "", limit, f"not run: {why}")

    def judge(self, line, value, unit, limit, at_most=True):
        """Adds a result against its limit; times of an emulated device are marked as meaningless."""
        right = value <= limit if at_most else value >= limit
        meaningless = self.options.emulated and unit != "B"
        verdict = "runs; emulated, so the figure means nothing" if meaningless else "passed" if right else "FAILED"
        self.say(line, f"{value:.4g} {unit}".strip(), f"{'≤' if at_most else '≥'} {limit:g} {unit}".strip(), verdict)


# ---- the program's device test ----

def self_test(session):
    """Runs `lacuna devices --test`, which names faulty kernels before anything else uses them."""
    line = "lacuna devices --test: every operation against the processor"
    status, text = session.run([session.build / "lacuna", "devices", "--test", "--json"], 120)
    try:
        test = next(row["test"] for row in json.loads(text[text.index("{"):])["devices"] if row["name"] == "cuda")
    except (ValueError, KeyError, StopIteration):
        session.not_run(line, "all", (text.strip().splitlines() or ["it printed nothing"])[-1][:90])
        return
    failed = [f"{check['name']} {check['type']} ({check['worst']:.3g} × what is allowed)" for check in test["checks"] if check["outcome"] == "failed"]
    verdict = "passed" if test["works"] else "FAILED: " + (", ".join(failed)[:200] or f"{test['left_out']} left out")
    session.say(line, f"{test['passed']} passed in {test['seconds']:.0f} s", "all", verdict)
    session.figures += [{"name": "self-test", "metric": name, "value": value, "processor": test["processor"][name]}
                        for name, value in test["reached"].items() if value is not None]


# ---- tests ----

def run_tests(session, line, program, *paths, most=200):
    """Runs a GLib test program, only the paths below @paths."""
    choice = [word for path in paths for word in ("-r", path)]
    status, text = session.run([session.build / "tests" / program, "--tap", *choice], most)
    lines = text.splitlines()
    skipped = sum(" # SKIP" in row for row in lines)
    passed = sum(row.startswith("ok ") for row in lines) - skipped
    if status is None:
        session.not_run(line, "all", text)
    elif status != 0:
        last = [row for row in lines if "ERROR" in row or row.startswith("not ok")]
        session.say(line, f"{passed} passed", "all", f"FAILED: {(last or lines[-1:] or ['?'])[0][:90]}")
    elif passed == 0:
        session.not_run(line, "all", "every test was skipped")
    else:
        session.say(line, f"{passed} passed" + (f", {skipped} skipped" if skipped else ""), "all", "passed")


def tests(session):
    part = session.options.short
    run_tests(session, "every op × case against the CPU in fp64", "test-contract-ops",
              "/ops/cuda/multiply" if part else "/ops/cuda")
    run_tests(session, "every kernel against its formula", "test-contract-backend", "/backend/cuda/f32" if part else "/backend/cuda")
    run_tests(session, "every experiment: frames of the CPU, same seed bitwise", "test-contract-device-runs",
              "/contract/runs-on/cuda/heat1d" if part else "/contract/runs-on/cuda")
    if part:
        return
    run_tests(session, "walkers of electrons against the CPU in fp64", "test-experiment-quantum-device", most=60)
    run_tests(session, "iterations of walkers against the CPU", "test-experiment-quantum-ahead", "/quantum/ahead/the-processor-says-the-same", most=60)
    run_tests(session, "the decoder against the CPU in fp64", "test-experiment-imaging-decoder-device", "/imaging/decoder-device/emulated", most=60)
    run_tests(session, "its exposures against the CPU in fp64", "test-experiment-imaging-decoder-fit-waves", most=60)
    run_tests(session, "times of kernels by the device's clock", "test-backend-recorded-step", most=60)
    run_tests(session, "frames on their way to the host", "cuda/test-cuda-staging", most=60)
    for name in ("kolmogorov", "burgers", "gates", "inversion", "similarity"):
        run_tests(session, f"physics: {name}", f"test-physics-{name}", most=120)


# ---- every family of kernels, and compute-sanitizer over each ----

# For each: the program, its shortest cases that reach every kernel, and a single one of them.
FAMILIES = [
    ("element-wise, products, reductions, transforms", "test-contract-backend", "/backend/cuda/f32/(?!layer-|planes-|waves-)", "/backend/cuda/f32/strided"),
    ("layers of jets", "test-contract-backend", "/backend/cuda/f32/layer-", "/backend/cuda/f32/layer-in-one-kernel-is-the-processor's"),
    ("planes", "test-contract-backend", "/backend/cuda/f32/planes-", "/backend/cuda/f32/planes-normalise"),
    ("waves", "test-contract-backend", "/backend/cuda/f32/waves-", "/backend/cuda/f32/waves-stops"),
    # shared memory, global memory, layers through the library; every kind of move
    ("electrons", "test-experiment-quantum-device",
     "/quantum/device/(local-(H2-4|N2-10|wide-11)-f32|moves-(H2-0|LiH-1|Be-2)|derivatives-H2-4-f32)", "/quantum/device/local-H2-4-f32"),
    ("iterations of walkers", "test-experiment-quantum-ahead", "/quantum/ahead/(a-walker|too-many|the-processor-says-the-same/(spring|adam))",
     "/quantum/ahead/a-walker-without-an-energy-begins-anew"),
    ("solve", "test-experiment-quantum-device", "/quantum/device/derivatives-He-2-f64", "/quantum/device/derivatives-He-2-f64"),
    ("staging buffers", "cuda/test-cuda-staging", "/cuda/staging/", "/cuda/staging/holds-what-was-put-in/0"),
    ("recorded steps", "test-contract-device-runs", "/contract/runs-on/cuda/heat1d/", "/contract/runs-on/cuda/heat1d/frames-are-those-of-the-processor"),
]
CHECKS = ("memcheck", "racecheck", "synccheck", "initcheck")
MOST_CHECK = 40  # seconds per family and checker
MOST_CHECKS = 240  # total seconds


def paths_of(session, line, program, pattern, one):
    """Returns the program's test paths that start with the pattern and include @one; else none, after adding a row with the reason."""
    status, text = session.run([session.build / "tests" / program, "-l"], 60)
    # GLib 2.80 and later print the list as TAP comments
    paths = [row.removeprefix("# ") for row in text.splitlines()]
    found = [path for path in paths if re.match(pattern, path)] if status == 0 else []
    if status is None:
        session.not_run(line, "all", text)
    elif one not in found:
        session.say(line, "", "all", f"FAILED: {program} has no test {one}")
        return []
    return found


def check_family(session, line, command, most):
    status, text = session.run(command, most)
    if status is None:
        session.not_run(line, "no error", text)
    elif status == 0 and not re.search(r"^ok (?!.* # SKIP)", text, re.MULTILINE):
        session.not_run(line, "no error", "every test was skipped")
    else:
        session.say(line, f"exit {status}", "no error", "passed" if status == 0 else f"FAILED: {(text.strip().splitlines() or ['?'])[-1][:90]}")


def families(session):
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    end = time.monotonic() + MOST_CHECKS
    chosen = []
    for family, program, pattern, one in FAMILIES:
        paths = paths_of(session, f"{family}: cases", program, pattern, one)
        if not paths:
            continue
        if session.options.emulated or session.options.short:
            run_tests(session, f"{family}: a case", program, one, most=60)
        chosen.append((family, program, [one] if session.options.short else paths))
    for check in CHECKS:  # each checker covers all families before the next, so that a timeout cuts off only the last one
        for family, program, paths in chosen:
            line = f"compute-sanitizer {check}: {family} ({len(paths)})"
            if session.options.emulated:
                session.not_run(line, "no error", "the device is emulated; the suite runs it under ASan")
                continue
            choice = [word for path in paths for word in ("-r", path)]
            command = [tool, "--tool", check, "--error-exitcode", "9", session.build / "tests" / program, "--tap", *choice]
            check_family(session, line, command, min(MOST_CHECK, end - time.monotonic()))


# ---- benchmarks ----

def figures(session, name, *options, most=200):
    """Returns the rows that a benchmark prints, by name and metric; a text with the reason where there are none."""
    status, text = session.run([session.build / "bench" / name, *options], most)
    if status is None:
        return text
    try:
        rows = json.loads(text[text.index("{"):text.rindex("}") + 1])["results"]
    except ValueError:
        return (text.strip().splitlines() or ["it printed nothing"])[-1][:90]
    session.figures += rows
    return {(row["name"], row["metric"]): row["value"] for row in rows if "value" in row}


def judge_figure(session, line, found, key, unit, limit, at_most=True):
    if isinstance(found, str):
        session.not_run(line, f"{limit:g} {unit}", found)
    elif key not in found:
        session.not_run(line, f"{limit:g} {unit}", f"{key[0]} has no {key[1]}")
    else:
        session.judge(line, found[key], unit, limit, at_most)


PEERS = {"torch": "PyTorch", "jax": "JAX and folx"}


def peer_times(session, peer, *options):
    """Returns {mode: milliseconds} of a peer; a text where the peer is missing."""
    python = getattr(session.options, peer)
    if not python:
        return f"no Python with {PEERS[peer]} was named (--{peer})"
    status, text = session.run([python, HERE / "peers" / f"device_{peer}.py", *options], 90)
    if status != 0:
        return (text.strip().splitlines() or ["?"])[-1][:90]
    return json.loads(text.strip().splitlines()[-1])


def judge_peer(session, line, ours, theirs, mode, limit):
    if isinstance(theirs, str) or mode not in theirs:
        session.not_run(line, f"≥ {limit:g}", theirs if isinstance(theirs, str) else f"the peer has no mode {mode}")
    elif ours is None:
        session.not_run(line, f"≥ {limit:g}", "our own figure is missing")
    else:
        session.judge(line, theirs[mode] / ours, "", limit, False)


def value_of(found, key):
    return None if isinstance(found, str) else found.get(key)


def show(session, line, figure):
    session.say(line, figure, "", "emulated, so the figure means nothing" if session.options.emulated else "side by side")


def show_ways(session, line, found, step):
    """Compares the planned step with no layer fused and with all possible layers fused: the rule of cuda/jet-layer.cu is an estimate."""
    alone = None if isinstance(found, str) else found.get((step + "-f32-one-by-one", "step_wall"))
    if alone is not None:
        show(session, f"{line}, f32: small kernels one by one", f"{alone:.4g} ms")
    for kind in () if isinstance(found, str) else ("f32", "f64"):
        times = [found.get((f"{step}-{kind}{way}", "step_wall")) for way in ("", "-composed", "-fused")]
        if None not in times:
            show(session, f"{line}, {kind}: as planned / layers composed / fused", " / ".join(f"{time:.4g}" for time in times) + " ms")


def show_layers(session, found):
    for name, metric in [] if isinstance(found, str) else found:
        if metric.endswith("_composed_over_fused"):
            direction = metric.split("_")[0]
            show(session, f"{name.removeprefix('device/')} {direction}: composed over fused", f"{found[name, metric]:.3g}")


def training(session):
    small = ["--small"] if session.options.emulated else []
    found = figures(session, "bench-device", *small)
    step, large = "flow/pinn-step-4x128", "flow/pinn-step-6x256"
    judge_figure(session, "PINN 4×128, N = 4096, f32: a step", found, (step + "-f32", "step_wall"), "ms", 0.25)
    shape = ("pinn", "--layers", "4", "--width", "128", "--points", "4096")
    theirs = peer_times(session, "torch", *shape)
    ours = value_of(found, (step + "-f32", "step_wall"))
    judge_peer(session, "… over PyTorch nested", ours, theirs, "nested", 15)
    judge_peer(session, "… over PyTorch nested in a CUDA graph", ours, theirs, "nested-graph", 5)
    judge_peer(session, "… over the best JAX", ours, peer_times(session, "jax", *shape), "best", 2)
    judge_figure(session, "… memory it grows by", found, (step + "-f32", "device_memory_growth"), "B", 0)
    judge_figure(session, "PINN 6×256, N = 100 000, f32 over sgemm of this run", found, (large + "-f32", "sgemm_fraction"), "", 0.6, False)
    theirs = peer_times(session, "torch", "pinn", "--layers", "6", "--width", "256", "--points", "100000")
    judge_peer(session, "… over PyTorch nested", value_of(found, (large + "-f32", "step_wall")), theirs, "nested", 4)
    for line, name in (("PINN 4×128, N = 4096", step), ("PINN 6×256, N = 100 000", large)):
        show_ways(session, line, found, name)
    show_layers(session, found)
    judge_figure(session, "FFT 1024²: first call after planning, beyond the next", found, ("device/fft-1024", "first_call_extra"), "ms", 2)
    judge_figure(session, "FFT 1024²: growth over 10 000", found, ("device/fft-1024", "device_memory_growth"), "B", 0)


def only_key(found, metric, part=""):
    """Returns the row of the metric whose name contains @part."""
    keys = [] if isinstance(found, str) else [key for key in found if key[1] == metric and part in key[0]]
    return keys[0] if keys else (f"a row with {part or 'any name'}", metric)


def laboratories(session):
    if session.options.emulated:
        decoder = figures(session, "bench-decoder", "--backend", "cuda", "--grid", "32", "--output", "32", "--steps", "1")
        walkers = figures(session, "bench-walkers", "--walkers", "4", "--case", "h2-64x8")
    else:
        decoder = figures(session, "bench-decoder", "--backend", "cuda")
        walkers = figures(session, "bench-walkers", "--case", "four-256x32")
    ours = value_of(decoder, only_key(decoder, "step_wall"))
    judge_peer(session, "decoder 1024→512: a step over PyTorch eager", ours, peer_times(session, "torch", "decoder"), "eager", 2)
    judge_figure(session, "decoder 1024→512: memory of the device, context apart", decoder, only_key(decoder, "device_memory_reserved"), "MB", 260)
    ours = value_of(walkers, only_key(walkers, "local_time", "f32"))
    judge_peer(session, "VMC n = 4, B = 4096: local energy over PyTorch nested", ours, peer_times(session, "torch", "walkers"), "nested", 5)
    judge_peer(session, "… over JAX with folx", ours, peer_times(session, "jax", "walkers"), "best", 1.3)
    seed_tier(session)


def seed_tier(session):
    """Checks that a whole device step takes no longer than the limit of its forward pass alone."""
    line, limit = "seed tier large (512²): a step, over the seed's limit", 20
    if session.options.emulated:
        session.not_run(line, f"≥ {limit}", "on the emulated device it takes hours; the suite runs such a tier on the strict backend")
        return
    command = [session.build / "lacuna", "bench", "--backend", "cuda", "--scale", "large", "--only", "flow/large/step", "--rounds", "1", "--json"]
    status, text = session.run(command, 120)
    rows = [] if status is None or "{" not in text else json.loads(text[text.index("{"):text.rindex("}") + 1])["results"]
    session.figures += rows
    steps = [row for row in rows if row["metric"] == "step_seconds"]
    if steps:
        session.judge(line, steps[0]["limit"] / steps[0]["value"], "", limit, False)
    else:
        session.not_run(line, f"≥ {limit}", text.strip().splitlines()[-1][:90] if text.strip() else "lacuna bench said nothing")


def idle_share(database):
    """Returns the idle share of the time between the first and the last kernel of the second half."""
    with sqlite3.connect(database) as connection:
        spans = connection.execute("SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY start").fetchall()
    spans = spans[len(spans) // 2:]
    if len(spans) < 2:
        return None
    busy, reached = 0, spans[0][0]
    for begin, end in spans:
        busy += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return 1 - busy / (reached - spans[0][0])


def gaps(session):
    """Measures the idle share by our own marks (bench/device-gaps.h), and by Nsight Systems where it is installed."""
    line, limit = "GPU idle gaps in a replayed step, N = 4096, by our own marks", "≤ 10 %"
    shares = [row["value"] for row in session.figures if row["metric"] == "idle_share"]
    if shares:
        session.judge(line, shares[0], "%", 10)
    else:
        session.not_run(line, limit, "bench-device has no idle_share")
    line, tool = "… as nsys sees them", shutil.which("nsys")
    if session.options.emulated or not tool:
        session.not_run(line, limit, "the device is emulated" if session.options.emulated else "nsys (Nsight Systems) is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "step"
        status, text = session.run([tool, "profile", "--trace", "cuda", "--cuda-graph-trace", "node", "--output", report, "--export", "sqlite",
                                    session.build / "bench" / "bench-device", "--steps", "200"], 90)
        share = idle_share(report.with_suffix(".sqlite")) if status == 0 else None
    if share is None:
        session.not_run(line, limit, text.strip().splitlines()[-1][:90] if text.strip() else "nsys saw no kernels")
    else:
        session.judge(line, 100 * share, "%", 10)


# ---- kernels of whole runs ----

# For each: its line, the experiment, its settings. The emulated device has the last alone.
RUNS = [
    ("a PINN of Kolmogorov flow", "kolmogorov", ["engines=pinn"]),
    ("RAAR over 25 exposures", "usaf", ["solver=raar"]),
    ("the decoder over 25 exposures", "usaf", ["solver=decoder"]),
    ("H₂ by SPRING", "h2", []),
    ("a small PINN of heat in a rod", "heat1d", ["engines=pinn", "width=16", "depth=2", "points=200"]),
]
MOST_RUN = 8  # seconds


def kernels_of(session, experiment, settings, folder):
    """Returns the kernels of a run by share, as `lacuna profile --json` lists them; a text with the reason where there are none."""
    most = 2 if session.options.emulated else MOST_RUN
    choice = [word for setting in settings for word in ("--set", setting)]
    status, text = session.run([session.build / "lacuna", "run", experiment, *choice, "--backend", "cuda", "--time-limit", str(most), "--quiet",
                                "--out", folder, "--no-cache"], 60)
    run = next(pathlib.Path(folder).glob(f"{experiment}-*.lacuna"), None)
    if run is None:
        return (text.strip().splitlines() or ["it printed nothing"])[-1][:90]
    status, text = session.run([session.build / "lacuna", "profile", "--json", run], 60)
    try:
        return json.loads(text[text.index("{"):])["kernels"] or "its records have no kernels"
    except (ValueError, KeyError):
        return (text.strip().splitlines() or ["lacuna profile said nothing"])[-1][:90]


def profiles(session):
    """Profiles whole runs by the device's own clock: the kernels that take most of its time, and how long one call takes."""
    for line, experiment, settings in RUNS[-1:] if session.options.emulated else RUNS:
        with tempfile.TemporaryDirectory() as folder:
            found = kernels_of(session, experiment, settings, folder)
        if isinstance(found, str):
            session.not_run(f"kernels of {line}", "", found)
            continue
        first = found[0]
        mean = 1e6 * first["total_seconds"] / first["count"]
        show(session, f"kernels of {line}: most time", f"{first['name']}, {100 * first['share']:.0f} %, {mean:.4g} µs")
        session.figures += [{"name": f"kernels of {line}", "metric": f"{row['name']} in {row['operation']}", "share": row["share"],
                             "mean_microseconds": 1e6 * row["total_seconds"] / row["count"]} for row in found[:10]]


# ---- summary ----

def print_table(session, device):
    heads = ("what", "figure", "limit", "verdict")
    widths = [max([len(heads[i])] + [len(row[key]) for row in session.rows]) for i, key in enumerate(("line", "figure", "limit"))]
    print(f"\n{device}" + ("; emulated: no time means anything" if session.options.emulated else ""))
    for cells in [heads] + [tuple(row.values()) for row in session.rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths + [0])).rstrip())
    counts = {word: sum(row["verdict"].startswith(word) for row in session.rows) for word in ("passed", "FAILED", "not run")}
    others = len(session.rows) - sum(counts.values())
    print(f"{counts['passed']} passed, {counts['FAILED']} failed, {counts['not run']} not run, {others} without a verdict")


def keep(session, device):
    record = {"command": "./dev gpu" + (" --emulated" if session.options.emulated else ""), "device": device, "processor": processor(),
              "threads_available": len(os.sched_getaffinity(0)), "load_average": round(os.getloadavg()[0], 1),
              "table": session.rows, "rows": session.figures}
    path = pathlib.Path(session.options.out or (session.build / "gpu-emulated.json" if session.options.emulated else HERE / "results" / "gpu.json"))
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    print(f"kept in {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", help="the build folder")
    parser.add_argument("--module", help="the folder of the CUDA module, where it is not the build's")
    parser.add_argument("--emulated", action="store_true", help="on the module of the tests")
    parser.add_argument("--short", action="store_true", help="a part of each test: what tests this program")
    parser.add_argument("--torch", default=os.environ.get("LACUNA_TORCH_PYTHON"), help="a Python with PyTorch for CUDA")
    parser.add_argument("--jax", default=os.environ.get("LACUNA_JAX_PYTHON"), help="a Python with JAX for CUDA, and folx")
    parser.add_argument("--seconds", type=float, default=570, help="all that it may take")
    parser.add_argument("--out", help="where the results go")
    session = Session(parser.parse_args())
    status, device = session.run([session.build / "bench" / "bench-device", "--look"], 60)
    device = device.strip().splitlines()[-1] if device.strip() else "bench-device said nothing"
    if status != 0:
        looked = session.environment.get("LACUNA_MODULE_DIR", f"{session.build / 'cuda'} and where it is installed")
        print(f"Nothing was run; looked for: NVIDIA's driver, the module liblac-cuda.so in {looked}, a device that answers. {device}")
        return NO_DEVICE
    print(device, flush=True)
    for part in (self_test, families, tests, training, laboratories, gaps, profiles):
        part(session)
    print_table(session, device)
    keep(session, device)
    return 1 if any(row["verdict"].startswith("FAILED") for row in session.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
