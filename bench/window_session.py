#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Interaction benchmark with a real pointer during a run: frame rates while the field and the timeline move, and stalls of the main loop.

Usage, on a display (xvfb-run -a -s "-screen 0 1280x800x24 -noreset" dbus-run-session --):
    bench/window_session.py PROGRAM [--seconds N [--quiet]] [--experiment NAME] [--set KEY=VALUE]...
For N seconds the pointer pans and zooms the field, pans and zooms the timeline, searches its spans and switches pages. Prints for each
movement the frame rate (median and slowest tenth, by wall time and by CPU time of the main thread), all stalls of the main loop, and
the number of records, in total and in the minute with the fewest; all records are retained, without the usual disk budget of a run. On
a virtual machine whose host steals CPU time every program stalls: for each stall the stolen share is reported; with --quiet only
seconds with less than a twentieth stolen count towards N, and stalls that began in them are counted separately. An interrupt
(kill -INT) ends the benchmark and prints the results so far.
"""
import argparse
import bisect
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

APPLICATION, WINDOW = "io.github.lacuna.Lacuna", "/io/github/lacuna/Lacuna/window/1"


class Actions:
    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, method, parameters, reply):
        return self.bus.call_sync(APPLICATION, WINDOW, "org.gtk.Actions", method, parameters, GLib.VariantType(reply),
                                  Gio.DBusCallFlags.NO_AUTO_START, 20000, None)

    def state(self, name):
        described = self.call("Describe", GLib.Variant("(s)", (name,)), "((bgav))").unpack()[0]
        return described[2][0] if described[2] else None

    def activate(self, name, *values):
        self.call("Activate", GLib.Variant("(sava{sv})", (name, list(values), {})), "()")


def wait(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return
        except GLib.Error:
            pass
        time.sleep(0.05)
    sys.exit(f"waited {seconds} s for {what}")


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, start_new_session=True)


class Stolen(threading.Thread):
    """Records continuously the CPU seconds stolen by the host of a virtual machine, summed over all processors."""
    def __init__(self):
        super().__init__(daemon=True)
        self.file = open("/proc/stat")
        self.at, self.seconds = [], []

    def run(self):
        while True:
            self.look()
            time.sleep(0.005)

    def look(self):
        self.file.seek(0)
        self.seconds.append(int(self.file.readline().split()[8]) / os.sysconf("SC_CLK_TCK"))
        self.at.append(time.monotonic())

    def between(self, begin, end):
        """Returns the stolen seconds between two times, rounded outwards to the system resolution of 10 ms."""
        first = max(bisect.bisect(self.at, begin) - 1, 0)
        last = min(bisect.bisect(self.at, end), len(self.seconds) - 1)
        return self.seconds[last] - self.seconds[first]

    def quiet(self, begin, end):
        """Returns the whole seconds since begin in which the host stole less than a twentieth of the CPU time."""
        most = 0.05 * os.cpu_count()
        return [k for k in range(int(end - begin)) if self.between(begin + k, begin + k + 1) < most]


def drag(seconds, x, y):
    """Drags along a circle, with 125 moves per second."""
    xdotool("mousemove", x, y, "mousedown", 1)
    words = []
    for i in range(int(seconds * 125)):
        words += ["mousemove", x + (i % 100) * 2 - 100, y + (i % 37) - 18, "sleep", "0.008"]
    xdotool(*words, "mouseup", 1)


def zoom(seconds, x, y):
    xdotool("mousemove", x, y)
    words = []
    for i in range(int(seconds * 25)):
        words += ["click", 4 if i // 12 % 2 == 0 else 5, "sleep", "0.04"]
    xdotool(*words)


def stay(seconds, x, y):
    xdotool("mousemove", x, y)
    time.sleep(seconds)


def probe(seconds, x, y):
    """Moves the pointer; the readout under it follows."""
    words = []
    for i in range(int(seconds * 60)):
        words += ["mousemove", x + (i * 7) % 200 - 100, y + (i * 3) % 90 - 45, "sleep", "0.016"]
    xdotool(*words)


# Many short steps: more than a million records a minute, all retained; a budget would decimate them.
EXPERIMENT, DEFAULTS = "burgers", ["engines=pinn", "points=1600", "width=48", "adam_steps=1000000"]

SETTINGS = "[io/github/lacuna/Lacuna]\ndisk-budget=0\n"

PARTS = [
    ("field: moved", "live", drag, 240, 250), ("field: zoomed", "live", zoom, 240, 250), ("field: probed", "live", probe, 240, 250),
    ("timeline: moved", "timeline", drag, 600, 330), ("timeline: zoomed", "timeline", zoom, 600, 330),
    ("timeline: probed", "timeline", probe, 600, 330), ("set-up", "setup", stay, 400, 400), ("runs", "runs", stay, 400, 400),
    ("experiments: scrolled", "experiments", zoom, 640, 500), ("field: stays", "live", stay, 640, 500),
]


def lines(path):
    return [(word, *map(float, numbers)) for word, *numbers in map(str.split, path.read_text().splitlines()) if len(numbers) == 3]


def intervals(seen, begin, end):
    """Returns for each frame the wall time since the previous one, and the CPU time of the main loop in between."""
    frames = [at for word, at, _, _ in seen if word == "frame" and begin <= at <= end]
    turns = [(at, cpu) for word, at, _, cpu in seen if word == "busy" and begin <= at <= end]
    wall, cpu, turn = [], [], 0
    for before, at in zip(frames, frames[1:]):
        spent = 0
        while turn < len(turns) and turns[turn][0] <= at + 1e-4:
            spent += turns[turn][1] if turns[turn][0] > before + 1e-4 else 0
            turn += 1
        wall.append(1e3 * (at - before))
        cpu.append(spent)
    return wall, cpu


def summary(values):
    if len(values) < 10:
        return None
    ordered = sorted(values)
    return {"median": round(statistics.median(ordered), 1), "slowest_tenth": round(ordered[int(0.9 * len(ordered))], 1),
            "slowest": round(ordered[-1], 1)}


def use_home(folder):
    """Gives the programs started from now on a home folder of their own, and runs without a disk budget. @folder: empty"""
    (folder / "runtime").mkdir(0o700)
    os.environ.update(HOME=str(folder), XDG_RUNTIME_DIR=str(folder / "runtime"), XDG_CONFIG_HOME=str(folder / "config"),
                      XDG_DATA_HOME=str(folder / "data"), XDG_CACHE_HOME=str(folder / "cache"), GSETTINGS_BACKEND="keyfile", GDK_BACKEND="x11",
                      LIBGL_ALWAYS_SOFTWARE="1", ADW_DISABLE_PORTAL="1", GIO_USE_VFS="local", G_ENABLE_DIAGNOSTIC="0")
    settings = folder / "config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--quiet", action="store_true", help="only seconds that the host left alone count")
    parser.add_argument("--experiment", default=EXPERIMENT)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--part", type=float, default=4, help="seconds of one movement")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home)
        log = folder / "main-loop"
        use_home(folder)
        os.environ["LACUNA_MAIN_LOOP"] = str(log)
        window = subprocess.Popen([given.program], stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            print(json.dumps(sit(given, log, window.pid), indent=1))
        finally:
            window.kill()
            window.wait()


def painting(pid):
    """Returns the CPU seconds of the software rasterizer threads so far."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        name, _, rest = (task / "stat").read_text().partition("(")[2].rpartition(")")
        fields = rest.split()
        total += int(fields[11]) + int(fields[12]) if name.startswith("llvmpipe") else 0
    return total / os.sysconf("SC_CLK_TCK")


def resident(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024
    return None


def sit(given, log, pid):
    actions = Actions()
    wait(lambda: actions.state("run-state") == "none", "the window")
    actions.activate("configure", GLib.Variant("s", given.experiment))
    for pair in given.set or DEFAULTS:
        actions.activate("set-parameter", GLib.Variant("(ss)", tuple(pair.split("=", 1))))
    actions.activate("launch")
    wait(lambda: actions.state("run-state") == "running" and actions.state("frames-shown") > 3, "frames", 180)
    time.sleep(2)
    actions.activate("forget-stalls")
    stolen = Stolen()
    stolen.start()
    at, parts, begin = 0, {}, time.monotonic()
    came = []  # (records so far, time)
    turns = []  # (start time, movement or page switch)
    ended = []
    signal.signal(signal.SIGINT, lambda *_: ended.append(True))

    def goes_on():
        spent = len(stolen.quiet(begin, time.monotonic())) if given.quiet else time.monotonic() - begin
        return spent < given.seconds and not ended and actions.state("run-state") == "running"

    while goes_on():
        name, page, act, x, y = PARTS[at % len(PARTS)]
        came.append((time.monotonic(), actions.state("records")))
        turns.append((time.monotonic(), f"to {page}"))
        actions.activate("show-page", GLib.Variant("s", page))
        time.sleep(0.5)  # page switch: not a movement
        start, painted = time.monotonic(), painting(pid)
        turns.append((start, name))
        act(given.part, x, y)
        parts.setdefault(name, []).append((start, time.monotonic(), painting(pid) - painted))
        at += 1
    came.append((time.monotonic(), actions.state("records")))
    seen = lines(log)
    moved = {}
    for name, stretches in parts.items():
        wall, cpu = [], []
        for start, stop, _ in stretches:
            more = intervals(seen, start, stop)
            wall += more[0]
            cpu += more[1]
        painted = 1e3 * sum(seconds for _, _, seconds in stretches) / max(len(wall), 1)
        moved[name] = {"pictures": len(wall), "ms_between_pictures": summary(wall), "cpu_ms_of_a_picture": summary(cpu),
                       "rasterizer_cpu_ms_of_a_picture": round(painted, 1)}
    stalls = [stall(at - wall / 1e3, wall, cpu, begin, turns, stolen) for word, at, wall, cpu in seen if word == "busy" and wall > 50 and at > begin]
    quiet = set(stolen.quiet(begin, time.monotonic()))
    return {"seconds": round(time.monotonic() - begin, 1), "seconds_without_the_host": len(quiet), "load_average": round(os.getloadavg()[0], 1),
            "stolen_by_the_host_s": round(stolen.between(begin, time.monotonic()), 1), "resident_mb": resident(pid),
            "state": actions.state("run-state"), "step": actions.state("run-step"),
            "records": came[-1][1] - came[0][1], "fewest_in_a_minute": fewest(came), "movements": moved,
            "stalls": {"of_50_ms_by_the_clock": len(stalls),
                       "of_50_ms_without_what_the_host_took": sum(one["ms"] - one["stolen_ms"] > 50 for one in stalls),
                       "of_50_ms_in_seconds_without_the_host": sum(int(one["at_s"]) in quiet for one in stalls),
                       "of_50_ms_by_processor_time": sum(one["cpu_ms"] > 50 for one in stalls),
                       "longest_ms": max([one["ms"] for one in stalls], default=0),
                       "longest_cpu_ms": max([one["cpu_ms"] for one in stalls], default=0),
                       "those_that_were_ours": [one for one in stalls if one["ms"] - one["stolen_ms"] > 50]}}


def fewest(came):
    """Returns the records in the minute with the fewest, extrapolated for a shorter benchmark."""
    minutes = []
    for i, (begin, before) in enumerate(came):
        end = next((one for one in came[i + 1:] if one[0] >= begin + 60), None if i > 0 else came[-1])
        if end is not None:
            minutes.append(60 * (end[1] - before) / (end[0] - begin))
    return round(min(minutes))


def stall(start, wall, cpu, begin, turns, stolen):
    during = bisect.bisect([at for at, _ in turns], start) - 1
    return {"at_s": round(start - begin, 2), "during": turns[max(during, 0)][1], "ms": round(wall, 1), "cpu_ms": round(cpu, 1),
            "stolen_ms": round(1e3 * stolen.between(start, start + wall / 1e3))}


if __name__ == "__main__":
    main()
