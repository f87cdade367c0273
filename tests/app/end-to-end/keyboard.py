#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The main workflow by keyboard alone: find, set up and launch an experiment, read its fields along a line, play its frames, step through
its spans, name a mark, save a figure; go from pane to pane, and open and compare runs in the sidebar. The focus is read through AT-SPI, like a screen reader does.

Run by tests/app/end-to-end/end-to-end.sh.
"""
import pathlib
import re
import subprocess
import sys

from accessible import SENSITIVE
from window_driver import focus_of, go_through, pause, say, wait, walk_to, xdotool


def press(*keys):
    for key in keys:
        xdotool("key", key)


def type_text(text):
    xdotool("type", "--delay", "15", "--", text)


def choose(window):
    press("ctrl+1", "ctrl+f")
    wait(lambda: focus_of(window) == "entry Search experiments", "the search to have the focus")
    type_text("heat1d")

    def is_gone():  # it would take the focus with it
        other = window.find_named("push button", "Set up Kolmogorov flow")
        return not other or not window.is_shown(other)

    wait(is_gone, "the end of the other cards")
    walk_to(window, "push button Set up Heat in a rod", 12)
    say(True, "an experiment is found by its name, and its button by Tab")
    press("Return")
    window.node("push button", "Start")


def set_up(window):
    walk_to(window, "text Sensors K", 60)
    press("ctrl+a")
    type_text("-2")
    wait(lambda: "-2" in window.actions.state("launch-reason"), "a reason that names -2")
    press("ctrl+a")
    type_text("5")
    wait(lambda: window.actions.enabled("launch"), "Start")
    say(window.find_named("text", "Sensors K").text == "5", "Tab stops at a value, and what is wrong with it is said")
    walk_to(window, "push button Start", 60)
    press("space")
    window.wait_state("run-state", "ended", 120)
    say(True, "Space launches, and the run ends")


def look(window):
    press("ctrl+3")
    walk_to(window, "image Fields", 60)
    none = window.actions.state("field-line")
    press("p")
    laid = wait(lambda: window.actions.state("field-line") != none and window.actions.state("field-line"), "a line on the fields")
    press("shift+Up")
    wait(lambda: window.actions.state("field-line") != laid, "the line to move")
    say(True, "a line to read along lies on the fields and moves")
    press("ctrl+b")
    window.wait_state("view", "errors", 10)
    press("ctrl+l")
    window.wait_state("view", "fields", 10)
    say(True, "the errors are shown, and the fields again")


def step_shown(window):
    label = window.find(lambda n: n.role == "label" and re.fullmatch(r"step \d+ of \d+", n.name))
    return label and label.name


def step_frames(window):
    walk_to(window, "image Fields", 60)
    press("Home")
    first = wait(lambda: (step_shown(window) or "").startswith("step 0 ") and step_shown(window), "the first frame")
    press("period")
    wait(lambda: step_shown(window) != first, "the frame after it")
    press("comma")
    wait(lambda: step_shown(window) == first, "the first frame again")
    press("End")
    last = wait(lambda: step_shown(window) != first and step_shown(window), "the last frame")
    press("space")
    wait(lambda: step_shown(window) != last, "frames that are played")
    say(True, "keys step through the stored frames, and play them")


def go_through_spans(window):
    press("ctrl+4")
    walk_to(window, "panel Timeline; ", 60)
    timeline = window.find(lambda n: n.name.startswith("Timeline; "))
    press("period")
    first = wait(lambda: timeline.description, "a span in words")
    press("period")
    second = wait(lambda: timeline.description != first and timeline.description, "another span in words")
    press("comma")
    wait(lambda: timeline.description == first, "the span before")
    say(first != second, "spans are gone through and told in words")
    press("w", "w", "d", "f", "0")
    press("shift+m")
    pause(0.5)
    type_text("here it begins")
    press("Return")
    wait(lambda: [words for _, words in window.actions.state("timeline-marks")] == ["here it begins"], "the mark in words")
    say(True, "a mark is put into words")


def export(window):
    press("ctrl+e")
    wait(lambda: window.find_named("push button", "Save…").has(SENSITIVE), "a figure that can be saved")
    walk_to(window, "push button Save…", 40)
    path = pathlib.Path(window.scratch, "by-keys.pdf")
    n_windows = len(window.windows())
    press("space")
    wait(lambda: len(window.windows()) > n_windows, "the chooser")
    pause(1)
    press("ctrl+a")
    type_text(str(path))
    press("Return")
    wait(lambda: window.actions.state("exported") == str(path) and path.read_bytes().startswith(b"%PDF"), "the figure", 60)
    say(True, "a figure is saved")
    press("Escape")


def panes(window):
    """F6 goes from pane to pane, F8 and F9 show and hide the sides."""
    press("ctrl+3")
    wait(lambda: window.seen("Set Up a Copy", "button"), "the page of fields")
    met = []
    for _ in range(5):
        before = focus_of(window)
        press("F6")
        met.append(wait(lambda: focus_of(window) not in (None, before) and focus_of(window), "the focus in another pane"))
    press("F6")
    wait(lambda: focus_of(window) == met[0], "the first pane again")
    press("shift+F6")
    wait(lambda: focus_of(window) == met[-1], "the pane before")
    say(len(set(met)) == 5, "F6 goes through the panes and round: " + "; ".join(met))
    press("F8")
    wait(lambda: not any(window.is_shown(node) for node in window.find_all(lambda n: n.name == "This Run" and n.role == "label")), "fields without their side")
    press("F8")
    window.seen("This Run", "label")
    press("F9")
    window.wait_state("show-sidebar", False)
    press("F9")
    window.wait_state("show-sidebar", True)
    say(True, "F8 and F9 hide and show the sides")


def use_sidebar(window):
    """Finds a run by words, opens it, and compares it with the next."""
    subprocess.run([window.process.args[0], "run", "heat1d", "--set", "sensors=9", "--quiet"], check=True, capture_output=True)
    wait(lambda: len(window.sidebar("Runs")) == 3, "two runs of one day", 60)
    press("ctrl+1")
    for _ in range(5):
        before = focus_of(window)
        if before == "push button Find":
            break
        press("F6")
        wait(lambda: focus_of(window) not in (None, before), "the focus in another pane")
    walk_to(window, "push button All Runs", 20)
    press("Tab")
    wait(lambda: (focus_of(window) or "").startswith(("list item", "panel Today")), "the focus on the runs")
    press("Home")  # the group of the day
    window.seen("Columns", "button")
    press("Down")
    wait(lambda: is_titled(window, "Heat in a rod"), "the run that is opened")
    press("ctrl+Down", "ctrl+space")
    wait(lambda: is_titled(window, "2 runs compared"), "the comparison")
    say(True, "keys open a run in the sidebar, and compare it with the next")
    press("Up")
    wait(lambda: is_titled(window, "Heat in a rod"), "one run")


def is_titled(window, words):
    return window.find(lambda n: n.role == "label" and n.name == words and n.box and n.box.y < 47 and n.box.x > 280)


if __name__ == "__main__":
    sys.exit(go_through(sys.argv[1], sys.argv[2], [choose, set_up, look, step_frames, panes, go_through_spans, use_sidebar, export]))
