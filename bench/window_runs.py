#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many runs in the sidebar: stalls of the main loop while the folder is read, and while the list is scrolled by wheel and by its bar.

Usage, on a display (xvfb-run -a -s "-screen 0 1280x800x24 -noreset" dbus-run-session --):
    bench/window_runs.py PROGRAM [--runs 10000] [--seconds 30]
Makes one short run, and the others as hard links of its files, spread over a year. Prints for each part the longest stalls by the clock
and by the CPU time of the main thread, and the seconds until every run was in the list, from an empty index and then with it.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from window_session import Actions, lines, use_home, wait, xdotool


def make_runs(program, folder, n):
    subprocess.run([program, "run", "heat1d", "--set", "engines=pod", "--out", str(folder), "--quiet"], check=True, stdout=subprocess.DEVNULL)
    first = next(folder.glob("*.lacuna"))
    files = [path.relative_to(first) for path in first.rglob("*") if path.is_file()]
    for i in range(n - 1):
        run = folder / f"heat1d-2025{1 + i % 12:02}{1 + i // 12 % 28:02}-{100000 + i}-{i % 65536:04x}.lacuna"
        for path in files:
            (run / path).parent.mkdir(parents=True, exist_ok=True)
            os.link(first / path, run / path)


def worst(log, begin, end):
    seen = [(wall, cpu) for word, at, wall, cpu in lines(log) if word == "busy" and begin <= at - wall / 1e3 <= end]
    return {"of_50_ms_by_the_clock": sum(wall > 50 for wall, _ in seen), "of_50_ms_by_processor_time": sum(cpu > 50 for _, cpu in seen),
            "longest_ms": max((wall for wall, _ in seen), default=0), "longest_cpu_ms": max((cpu for _, cpu in seen), default=0)}


def scroll(seconds):
    """Turns the wheel over the list, back and forth."""
    xdotool("mousemove", 130, 500)
    end, down = time.monotonic() + seconds, True
    while time.monotonic() < end:
        xdotool("click", "--repeat", 40, "--delay", 15, 5 if down else 4)
        down = not down


def drag(seconds):
    """Drags the scroll bar from top to bottom and back."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        xdotool("mousemove", 263, 190, "sleep", 0.3, "mousedown", 1)
        for y in [*range(190, 760, 10), *range(760, 190, -10)]:
            xdotool("mousemove", 263, y, "sleep", 0.02)
        xdotool("mouseup", 1)


def look(program, log, n, seconds):
    log.unlink(missing_ok=True)
    os.environ["LACUNA_MAIN_LOOP"] = str(log)
    begin = time.monotonic()
    window = subprocess.Popen([program], stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        actions, told = Actions(), {}
        wait(lambda: actions.state("run-state") == "none", "the window")
        shown = time.monotonic()
        wait(lambda: actions.state("runs-shown") == n, f"{n} runs in the list", 300)
        told["seconds_until_all_are_listed"] = round(time.monotonic() - begin, 2)
        time.sleep(2)
        told["opening"] = worst(log, shown, time.monotonic())
        for name, act in (("wheel", scroll), ("scroll_bar", drag)):
            start = time.monotonic()
            act(seconds)
            told[name] = worst(log, start, time.monotonic())
        return told
    finally:
        window.kill()
        window.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home)
        use_home(folder)
        make_runs(given.program, folder / "data" / "lacuna" / "runs", given.runs)
        program = os.path.abspath(given.program)
        print(json.dumps({"runs": given.runs, "first": look(program, folder / "log", given.runs, given.seconds),
                          "again": look(program, folder / "log", given.runs, given.seconds)}, indent=1))


if __name__ == "__main__":
    sys.exit(main())
