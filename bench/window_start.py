#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Start-up time of the window: from the command line to the first frame, and until it is idle.

Usage, on a display (xvfb-run -a -s "-screen 0 1280x800x24" dbus-run-session --): bench/window_start.py PROGRAM [TIMES]
Uses a new home folder: the first start creates the caches (fonts, icons, shaders) that later ones find.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

QUIET = 0.3  # seconds without activity: the window is idle


def lines(path):
    if not path.exists():
        return []
    return [(word, *map(float, numbers)) for word, *numbers in map(str.split, path.read_text().splitlines()) if len(numbers) == 3]


def cpu_of(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(program, folder):
    log = folder / "main-loop"
    log.unlink(missing_ok=True)
    begin = time.monotonic()
    window = subprocess.Popen([program], env=os.environ | {"LACUNA_MAIN_LOOP": str(log)}, stderr=subprocess.DEVNULL)
    try:
        while True:
            time.sleep(0.02)
            seen = lines(log)
            frames = [at for word, at, _, _ in seen if word == "frame"]
            if frames and time.monotonic() - max(at for _, at, wall, _ in seen) > QUIET:
                break
            if time.monotonic() - begin > 60:
                sys.exit(f"{program} drew no frame within 60 s")
        heavy = [at for word, at, wall, _ in seen if word == "busy" and wall > 50]
        return {"first_frame_s": frames[0] - begin, "usable_s": max(heavy + frames[:1]) - begin, "cpu_s": cpu_of(window.pid)}
    finally:
        window.terminate()
        window.wait()


def main(program, times):
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home)
        (folder / "runtime").mkdir(0o700)
        os.environ.update(HOME=home, XDG_RUNTIME_DIR=str(folder / "runtime"), GSETTINGS_BACKEND="memory", GDK_BACKEND="x11",
                          LIBGL_ALWAYS_SOFTWARE="1", ADW_DISABLE_PORTAL="1", GIO_USE_VFS="local", G_ENABLE_DIAGNOSTIC="0")
        starts = [start(program, folder) for _ in range(times)]
    later = starts[1:] or starts
    print(json.dumps({"first": starts[0], "median": {key: round(statistics.median(one[key] for one in later), 3) for key in later[0]},
                      "worst": {key: round(max(one[key] for one in later), 3) for key in later[0]}, "starts": times}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9)
