#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resource growth over many runs in one window: resident memory, threads and file descriptors after each.

Usage, on a display (xvfb-run -a -s "-screen 0 1280x800x24 -noreset" dbus-run-session --):
    bench/window_launches.py PROGRAM [--launches 50] [--experiment NAME] [--set KEY=VALUE]...
Each run is shown on the live page and on the timeline; the folder of the previous run is deleted.
Growth is the slope over the second half of the launches.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from gi.repository import GLib

from window_session import Actions, wait


def of_process(pid):
    status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
    rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    anonymous = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Anonymous"))
    return {"resident_kb": int(status["VmRSS"].split()[0]), "anonymous_kb": anonymous, "threads": int(status["Threads"]),
            "files": len(os.listdir(f"/proc/{pid}/fd"))}


def slope(values):
    half = values[len(values) // 2:]
    middle = (len(half) - 1) / 2
    mean = statistics.mean(half)
    spread = sum((i - middle) ** 2 for i in range(len(half)))
    return sum((i - middle) * (value - mean) for i, value in enumerate(half)) / spread if spread else 0


def launch(actions, runs, number):
    before = set(runs.glob("*.lacuna"))
    actions.activate("launch")
    wait(lambda: actions.state("run-state") == "ended" and set(runs.glob("*.lacuna")) - before, f"the end of run {number}", 120)
    for folder in before:  # a growing list of runs would be legitimate growth
        shutil.rmtree(folder)
    for page in ("timeline", "live"):
        actions.activate("show-page", GLib.Variant("s", page))
        time.sleep(0.3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--launches", type=int, default=50)
    parser.add_argument("--experiment", default="heat2d")
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home)
        (folder / "runtime").mkdir(0o700)
        runs = folder / "runs"
        runs.mkdir()
        os.environ.update(HOME=home, XDG_RUNTIME_DIR=str(folder / "runtime"), GSETTINGS_BACKEND="memory", GDK_BACKEND="x11",
                          LIBGL_ALWAYS_SOFTWARE="1", ADW_DISABLE_PORTAL="1", GIO_USE_VFS="local", G_ENABLE_DIAGNOSTIC="0")
        window = subprocess.Popen([given.program], stderr=subprocess.DEVNULL)
        try:
            actions, seen = Actions(), []
            wait(lambda: actions.state("run-state") == "none", "the window")
            actions.activate("runs-folder", GLib.Variant("s", str(runs)))
            actions.activate("configure", GLib.Variant("s", given.experiment))
            for pair in given.set:
                actions.activate("set-parameter", GLib.Variant("(ss)", tuple(pair.split("=", 1))))
            for number in range(1, given.launches + 1):
                launch(actions, runs, number)
                seen.append(of_process(window.pid))
                print(number, seen[-1], file=sys.stderr)
        finally:
            window.kill()
            window.wait()
            shutil.rmtree(runs, ignore_errors=True)
        print(json.dumps({"launches": len(seen), "first": seen[0], "half_way": seen[len(seen) // 2], "last": seen[-1],
                          "growth_of_a_launch": {key: round(slope([one[key] for one in seen]), 2) for key in seen[0]}}, indent=1))


if __name__ == "__main__":
    main()
