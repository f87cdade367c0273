#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A sitting that is recorded while a real pointer and keys do it, and replayed by another window: both end in the same state, with runs
that have the same numbers. Run by tests/app/end-to-end.sh.
"""
import json
import pathlib
import subprocess
import sys

from window_driver import STEPS, Window, say, type_into, wait, xdotool

SHORT = {"grid": "32", "spin_up": "4", "snapshots": "40", "observations": "12", "members": "24"}


def end_state(window):
    return {name: window.actions.state(name) for name in ("run-state", "run-step", "view", "smooth", "isolines")}


def sit(window):
    window.click("push button", "Set up Kolmogorov flow")
    window.node("push button", "Launch")
    for key, text in SHORT.items():
        window.actions.set(key, text)
    type_into(window, "Sensors K", "9")
    wait(lambda: window.actions.enabled("launch"), "Launch")
    window.click("push button", "Launch")
    window.wait_state("run-state", "ended", 120)
    for name in ("Errors", "Spectrum", "Smooth"):
        window.node("push button", name, 60)
        window.click("push button", name)
    wait(lambda: window.actions.state("smooth"), "smooth fields")
    wait(lambda: window.actions.state("view") == "errors", "the errors")
    xdotool("key", "ctrl+4")
    window.picture("1-recorded")


def results(program, scratch, run):
    path = pathlib.Path(scratch, "results.json")
    subprocess.run([program, "report", run, "-o", path], check=True, capture_output=True)
    return json.loads(path.read_text())["runs"][0]["metrics"]


def close(window):
    window.actions.activate("close")
    wait(lambda: window.process.poll() is not None, "the end of the program", 20)
    say(window.process.returncode == 0, "the window closes and the program ends well")


def main(program, scratch):
    sitting = pathlib.Path(scratch, "sitting.txt")
    runs = pathlib.Path(scratch, "data")
    window = Window(program, scratch, "--record", str(sitting))
    try:
        say(window.actions.state("sitting") == "recording", "the sitting is recorded from the beginning")
        sit(window)
        before = end_state(window)
        window.actions.activate("record")
        window.wait_state("sitting", "recorded")
        close(window)
        text = sitting.read_text()
        wanted = ["win.configure::kolmogorov", "win.set-parameter(('grid', '32'))", "win.set-parameter(('sensors', '9'))",
                  "win.launch\n", "win.view = 'errors'", "win.curves::spectrum", "win.smooth = true", "win.show-page::timeline"]
        for line in wanted:
            if line not in text:
                print("#", text.replace("\n", "\n# "))
            say(line in text, f"what the pointer did is the command {line.strip()}")
        say(text.count("'sensors'") == 1, "what is typed key by key is one command")

        window = Window(program, scratch, "--replay", str(sitting))
        window.wait_state("sitting", "replayed", 180)
        window.picture("2-replayed")
        after = end_state(window)
        say(before == after, f"the replay ends where the sitting ended: {after}")
        kept = sorted(path for path in runs.rglob("*.lacuna"))
        say(len(kept) == 2, "each made a run of its own")
        say(results(program, scratch, kept[0]) == results(program, scratch, kept[1]), "whose results are the same numbers")

        bad = pathlib.Path(scratch, "bad.txt")
        bad.write_text("# by hand\n0.0 win.show-page::runs\n0.1 win.no-such-thing\n0.2 win.show-page(7)\n0.3 win.smooth = false\n")
        window.actions.activate("replay-from", str(bad))
        window.wait_state("sitting", "replayed", 60)
        say(window.actions.state("smooth") is False, "what does not fit is left out, and the rest is done")
        bad.write_text("0.0 win.show-page::runs\nsoon win.launch\n")
        window.actions.activate("replay-from", str(bad))
        window.wait_state("sitting", "unreadable")
        say(True, "a line that is none is refused")
        close(window)
    except (TimeoutError, subprocess.CalledProcessError) as problem:
        print("#", sitting.read_text().replace("\n", "\n# ") if sitting.exists() else "no sitting")
        say(False, str(problem))
        window.picture("failed")
    finally:
        if window.process.poll() is None:
            window.process.kill()
    print(f"1..{len(STEPS)}")
    return 0 if all(STEPS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
