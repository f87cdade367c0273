#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Queued runs that compute at the same time, two on the processor, as the preferences say: the sidebar lists the one beside the run of the
window, opens it and stops it with a checkpoint; the next run takes its place; closing the window stops it; a run whose backend is stated waits for the window's own.

Run by tests/app/end-to-end/end-to-end.sh.
"""
import pathlib
import shutil
import subprocess
import sys

from window_driver import Window, go_through, pause, prefer, say, wait, xdotool

LONG = (("snapshots", "2000"), ("observations", "800"), ("engines", "enkf"))


def runs(window):
    return sorted(pathlib.Path(window.scratch, "data", "lacuna", "runs").glob("*.lacuna"))


def info(run):
    return subprocess.run([sys.argv[1], "info", str(run)], capture_output=True, text=True).stdout


def has_frames(run):
    return (run / "frames").exists() and (run / "frames").stat().st_size > 10000


def rows(window, words):
    """Returns the rows of what is in progress that have a label that begins with this, top to bottom."""
    return [row for _, row in window.sidebar("In progress") if any(node.role == "label" and node.name.startswith(words) for node in row.all())]


def prefer_two(window):
    prefer(window, "Queued runs", "Down", "Down", "Return")


def add(window, experiment, settings):
    window.actions.activate("configure", experiment)
    for key, text in settings:
        window.actions.set(key, text)
    wait(lambda: window.actions.enabled("queue-add"), "a form that can be queued")
    window.actions.activate("queue-add")


def compute_two(window):
    add(window, "kolmogorov", LONG)
    window.wait_state("run-state", "running", 120)
    add(window, "kolmogorov", LONG)
    wait(lambda: len(runs(window)) == 2, "a second run")
    wait(lambda: rows(window, "running on cpu"), "its row")
    say(window.actions.state("queue-length") == 0 and window.actions.state("run-state") == "running",
        "two queued runs compute at the same time, one of them in the window")
    wait(lambda: rows(window, "running on cpu · step "), "its progress", 120)
    wait(lambda: all("cpu" in info(run) for run in runs(window)), "both on the processor")
    window.picture("1-two")


def wait_in_line(window):
    """A third run has no place; one with a backend of its own takes none beside, either."""
    add(window, "heat1d", (("backend", "cpu"),))
    window.wait_state("queue-length", 1)
    pause(2)
    say(window.actions.state("queue-length") == 1 and len(runs(window)) == 2, "a third run waits")


def look_and_stop(window):
    row = rows(window, "running on cpu")[0]
    window.click_on(next(node for node in row.all() if node.role == "label" and node.name.startswith("running on cpu")))
    window.seen("Set Up a Copy", "button")
    say(True, "a click on its row displays the run beside")
    wait(lambda: all(has_frames(run) for run in runs(window)), "frames of both", 120)
    window.picture("2-beside")
    row = rows(window, "running on cpu")[0]
    window.click_on(next(node for node in row.all() if node.role == "push button"))
    wait(lambda: not rows(window, "running on cpu"), "the end of the run beside", 120)
    stopped = [run for run in runs(window) if "stopped" in info(run)]
    say(len(stopped) == 1 and (stopped[0] / "checkpoint").exists(), "its button stops it with a checkpoint, the other goes on")
    pause(2)
    say(window.actions.state("queue-length") == 1, "a run with a backend of its own goes on waiting for the window")


def close(window):
    """The run of the window is stopped, and the one that waited follows when the queue is started again."""
    window.click_row("In progress", "Kolmogorov flow")
    window.click("push button", "Stop")
    window.wait_state("run-state", "ended")
    say(window.actions.state("queue-length") == 1, "the queue is held when the user stops the run of the window")
    window.actions.activate("queue-start")
    wait(lambda: len(runs(window)) == 3 and window.actions.state("queue-length") == 0 and
         window.actions.state("run-state") == "ended", "the last run", 120)
    say(sum("finished" in info(run) for run in runs(window)) == 1, "then it computes")


def quit_beside(program, scratch):
    """The window is closed while a run computes beside it, which is asked about and then stopped with a checkpoint."""
    window = Window(program, scratch)
    try:
        prefer_two(window)
        for _ in range(2):
            add(window, "kolmogorov", LONG)
            window.wait_state("run-state", "running", 120)
        wait(lambda: rows(window, "running on cpu"), "the run beside")
        wait(lambda: len(runs(window)) == 2 and has_frames(runs(window)[1]), "its frames", 120)
        window.click_row("In progress", "Kolmogorov flow")
        window.click("push button", "Stop")
        window.wait_state("run-state", "ended")
        windows = len(window.windows())
        window.actions.activate("close")
        wait(lambda: len(window.windows()) > windows, "the question")
        pause(1)
        xdotool("key", "alt+s")
        wait(lambda: window.process.poll() is not None, "the end of the program", 30)
        wait(lambda: all("stopped" in info(run) for run in runs(window)), "the end of the run beside", 60)
        say(window.process.returncode == 0, "the window may be closed meanwhile: the run beside is stopped")
    except TimeoutError as problem:
        say(False, str(problem))
    finally:
        if window.process.poll() is None:
            window.process.kill()
            window.process.wait()
    for run in runs(window):
        shutil.rmtree(run)


def main():
    quit_beside(*sys.argv[1:3])
    return go_through(sys.argv[1], sys.argv[2], [prefer_two, compute_two, wait_in_line, look_and_stop, close])


if __name__ == "__main__":
    sys.exit(main())
