#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the fixtures of test-frozen.py: generate.py LACUNA, with the program built from commit 44fef68.

LABORATORY.tar.xz holds two run folders with the same settings: `finished`, which ran to its end, and `stopped`, which a time limit stopped
while its methods were running. expected.json holds the commands, the contents of both folders as LACUNA reads them, and the metrics after
LACUNA resumed `stopped`; these equal the metrics of `finished` bit for bit.

Metrics depend on the processor's vector level, the OpenBLAS kernels and the FFTW plans. ENVIRONMENT sets a level and kernels that every
processor with AVX2 and FMA has; the plans are stored in the run folder. `spread` is the largest change of each metric when LACUNA resumes
with the levels, kernels and plans of OTHERS, that is, by rounding alone.
"""
import hashlib
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = {"LACUNA_CPU_LEVEL": "v3", "OPENBLAS_CORETYPE": "Haswell"}
OTHERS = (
    {"LACUNA_CPU_LEVEL": "baseline", "OPENBLAS_CORETYPE": "Nehalem"},
    {"LACUNA_CPU_LEVEL": "baseline", "OPENBLAS_CORETYPE": "Haswell"},
    {"LACUNA_CPU_LEVEL": "v3", "OPENBLAS_CORETYPE": "Sandybridge"},
    {"LACUNA_CPU_LEVEL": "v4", "OPENBLAS_CORETYPE": "SkylakeX"},
    {"LACUNA_CPU_LEVEL": "v3", "OPENBLAS_CORETYPE": "Haswell", "plans": "new"},
)
# Experiment, channel to export, first and last step to stop at, settings: small, but every method takes many steps.
RUNS = {
    "flow": ("kolmogorov", "vorticity.enkf", (20, 35), """
        engines=enkf,pod,solver,pinn,surrogate grid=16 spin_up=2 snapshots=20 observations=8 sensors=6 members=8 iterations=3 window=6
        depth=2 width=6 points=64 condition_points=16 pool=2 adam_steps=15 quasi_steps=40 surrogate_steps=40 surrogate_width=8 judge=15"""),
    "imaging": ("usaf", "amplitude.pie", (6, 15), """
        solver=pie,rpie,raar,dm,ml,decoder size=16 grid=16 diameter=8 roi=10 apertures=5 pie_sweeps=20 rpie_sweeps=20 raar_iterations=20
        dm_iterations=20 ml_iterations=20 decoder_steps=10 decoder_finish=4"""),
    "quantum": ("h2", "density", (15, 55), """
        width=8 pair_width=2 layers=1 determinants=1 walkers=16 moves=2 burn_in=2 pretraining=4 iterations=60 evaluation=40
        evaluation_moves=2 picture=16 volume=8"""),
}
FACTS = ("compiler", "build type", "linear algebra")
EVERYWHERE = "--precision f32 --profile full --disk-budget 1MB --threads 1 --seed 1 --no-cache --json --quiet".split()
RESUME = "--threads 1 --no-cache --json --quiet".split()
LONGEST = 0.3  # upper bound of the time limits tried, in seconds


def lacuna(program, *words, cwd, env=ENVIRONMENT):
    variables = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    variables.update(env, LC_ALL="C.UTF-8", XDG_DATA_HOME=str(cwd / "data"), XDG_CACHE_HOME=str(cwd / "cache"))
    done = subprocess.run(["lacuna", *map(str, words)], executable=program, capture_output=True, text=True, cwd=cwd, env=variables)
    if done.returncode:
        sys.exit(f"lacuna {' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def flat(metrics, prefix=""):
    """Yields nested metrics with their full keys."""
    for key, value in metrics.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def run(program, words, cwd):
    result = json.loads(lacuna(program, "run", *words, "--out", "runs", *EVERYWHERE, cwd=cwd).splitlines()[-1])
    return result, cwd / result["run"]


def stop_between(program, words, low, high, cwd):
    draw = random.Random(1)
    for _ in range(400):
        limited = [*words, "--time-limit", f"{LONGEST * draw.random() ** 3:.4f}"]
        result, path = run(program, limited, cwd)
        if result["outcome"] == "stopped" and low <= result["steps"] <= high:
            return result, path, limited
        shutil.rmtree(path)
    sys.exit(f"{words}: no time limit stopped it between steps {low} and {high}")


def resume(program, stopped, cwd, env=ENVIRONMENT):
    """Resumes a copy of the folder, cwd/copy.lacuna. Returns: the printed result."""
    copy = cwd / "copy.lacuna"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(stopped, copy)
    if env.get("plans"):
        for plans in copy.glob("wisdom-*"):
            plans.unlink()
    variables = {key: value for key, value in env.items() if key != "plans"}
    return json.loads(lacuna(program, "run", "--resume", copy, *RESUME, cwd=cwd, env=variables).splitlines()[-1])


def pack(folders, path):
    """Writes an archive without owners and times: the same folders give the same bytes."""
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for name, folder in folders.items():
            for file in sorted(folder.iterdir()):
                member = tarfile.TarInfo(f"{name}/{file.name}")
                content = file.read_bytes()
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))


def build_facts(run):
    """Returns the build facts that decide the bits of metrics, from a run in a report."""
    return {key: run["provenance"].get(key) for key in FACTS}


def describe(program, folder, channel, cwd):
    lacuna(program, "report", folder, "-o", "report.json", cwd=cwd)
    lacuna(program, "export", folder, "--channel", channel, "-o", "field.npy", cwd=cwd)
    shown, = json.loads((cwd / "report.json").read_text())["runs"]
    return {
        "outcome": shown["outcome"], "steps": shown["steps"], "metrics": shown["metrics"], "facts": build_facts(shown),
        "operations": sorted({row["name"] for row in shown["operations"]}), "events": [row["what"] for row in shown["events"]],
        "sha256 of the field": hashlib.sha256((cwd / "field.npy").read_bytes()).hexdigest(),
    }


def make(program, laboratory, cwd):
    experiment, channel, (low, high), settings = RUNS[laboratory]
    words = [experiment, *(word for setting in settings.split() for word in ("--set", setting))]
    finished, path = run(program, words, cwd)
    assert finished["outcome"] == "finished", finished
    stopped, stopped_path, limited = stop_between(program, words, low, high, cwd)
    resumed = resume(program, stopped_path, cwd)
    assert resumed["metrics"] == finished["metrics"], f"{laboratory}: resuming changes the result"
    wanted = dict(flat(resumed["metrics"]))
    spread = {key: 0.0 for key in wanted}
    for other in OTHERS:
        for key, value in flat(resume(program, stopped_path, cwd, other)["metrics"]):
            spread[key] = max(spread[key], abs(value - wanted[key]))
    pack({"finished": path, "stopped": stopped_path}, HERE / f"{laboratory}.tar.xz")
    return {
        "experiment": experiment, "channel": channel, "commands": [" ".join(["lacuna run", *one, *EVERYWHERE]) for one in (words, limited)],
        "finished": describe(program, path, channel, cwd), "stopped": describe(program, stopped_path, channel, cwd),
        "resumed": {"steps": resumed["steps"], "metrics": resumed["metrics"], "spread": spread},
    }


def main(program):
    cwd = pathlib.Path(tempfile.mkdtemp(prefix="lacuna-frozen-"))
    whole = {laboratory: make(os.path.abspath(program), laboratory, cwd) for laboratory in RUNS}
    whole = {"C library": os.confstr("CS_GNU_LIBC_VERSION"), "laboratories": whole}
    (HERE / "expected.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    shutil.rmtree(cwd)


if __name__ == "__main__":
    main(*sys.argv[1:])
